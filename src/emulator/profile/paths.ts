import type { AnyFamily, Operation } from '../core/contract.js'
import type { Diagnostic, Path } from '../core/diagnostics.js'
import type { Route } from '../core/model/call.js'
import { suggestion } from '../core/suggest.js'
import { createRegistry } from '../families/registry.js'
import { isBodiless } from './bodiless.js'
import type { Profile, RouteRow } from './schema.js'

type Paths = NonNullable<Profile['paths']>
type PlaceText = (path: Path) => string

/** A family under other prefixes. The first of several is the one that is shown; the others are answered as well. */
export const withPaths = (family: AnyFamily, paths: Paths): AnyFamily => {
  const reroute = (operation: Operation): Operation => {
    const [route = operation.route, ...also] = renamedRoutes(operation.route, paths)
    return also.length === 0 ? { ...operation, route } : { ...operation, route, also }
  }
  if (family.sample === undefined) return { ...family, reroute }
  const [{ path } = family.sample] = renamedRoutes({ method: 'POST', path: family.sample.path }, paths)
  return { ...family, sample: { ...family.sample, path }, reroute }
}

const firstSegment = (path: string): string => path.split('/')[1] ?? ''

const renamedRoutes = (route: Route, paths: Paths): Route[] => {
  const first = firstSegment(route.path)
  const rest = route.path.slice(first.length + 1)
  const prefixes = paths[first] ?? [first]
  return prefixes.map((prefix) => ({ ...route, path: prefix === '' ? rest : `/${prefix}${rest}` }))
}

/**
 * What is wrong with the prefixes and the routes of a profile: prefixes that there are not, and calls for which there would be two
 * answers.
 * @param before the families under the prefixes of the specification, `after` under those of the profile
 */
export const pathDiagnostics = (
  { paths = {}, routes = [] }: Profile,
  before: readonly AnyFamily[],
  after: readonly AnyFamily[],
  placeOf: PlaceText,
): Diagnostic[] => {
  const known = [...new Set(createRegistry(before).operations.map(({ route }) => firstSegment(route.path)))]
  const unknown = Object.keys(paths)
    .filter((prefix) => !known.includes(prefix))
    .map((prefix) => ({
      path: ['paths', prefix],
      isKey: true,
      message: `no path of the service begins with ${prefix}${suggestion(prefix, known)}`,
    }))
  const { owners, conflicts } = ownersOf(before, after, paths, placeOf)
  return [...unknown, ...conflicts, ...routeDiagnostics(routes, owners, placeOf)]
}

/** A route with the operation that answers it. */
interface Owner {
  readonly id: string
  readonly route: Route
}

/**
 * The operations with their routes, and what is wrong with these: paths of the emulator, and routes that two operations would answer
 * which did not share one before.
 */
const ownersOf = (
  before: readonly AnyFamily[],
  after: readonly AnyFamily[],
  paths: Paths,
  placeOf: PlaceText,
) => {
  const originals = new Map(createRegistry(before).operations.map(({ id, route }) => [id, route]))
  const pathOf = (id: string): Path => {
    const first = firstSegment(originals.get(id)?.path ?? '')
    return Object.hasOwn(paths, first) ? ['paths', first] : ['paths']
  }
  const owners: Owner[] = []
  const conflicts: Diagnostic[] = []
  for (const { id, route, also = [] } of createRegistry(after).operations)
    for (const one of [route, ...also]) {
      const path = pathOf(id)
      const other = owners.find((owner) => shapeOf(owner.route) === shapeOf(one))
      if (other === undefined) owners.push({ id, route: one })
      else if (!isShared(originals.get(other.id), originals.get(id))) {
        const place = pathOf(other.id).length > 1 ? ` (${placeOf(pathOf(other.id))})` : ''
        const message = `${other.id}${place} and ${id} would both answer ${one.method} ${one.path}: give one of them another prefix`
        conflicts.push({ path, isKey: true, message })
      }
      if (isOfEmulator(one.path))
        conflicts.push({ path, isKey: true, message: `${id} would answer ${one.path}: ${OF_EMULATOR}` })
    }
  // Once for each prefix, and not for each of its operations.
  const listed = new Set<string>()
  const once = conflicts.filter(({ path }) => !listed.has(path.join()) && listed.add(path.join()))
  return { owners, conflicts: once }
}

const isShared = (one: Route | undefined, other: Route | undefined): boolean =>
  one !== undefined && other !== undefined && shapeOf(one) === shapeOf(other)

const OF_EMULATOR = 'paths under /_backlot and /results are those of the emulator'

const isOfEmulator = (path: string): boolean => /^\/(_backlot|results)(\/|$)/.test(path)

const routeDiagnostics = (
  routes: readonly RouteRow[],
  owners: readonly Owner[],
  placeOf: PlaceText,
): Diagnostic[] =>
  routes.flatMap(({ method, path, answer = {} }, index): Diagnostic[] => {
    const at = ['routes', index, 'path']
    const route = { method, path }
    const owner = owners.find((one) => answersFirst(one.route, route))
    const earlier = routes.findIndex((other, place) => place < index && answersFirst(other, route))
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const twice = names.find((name, place) => names.indexOf(name) < place)
    const problems = [
      owner !== undefined && `${method} ${path} is answered by ${owner.id} already`,
      earlier >= 0 &&
        `${method} ${path} is answered by the route ${routes[earlier]?.id} at ${placeOf(['routes', earlier, 'path'])} already: write this one before it, or change its path`,
      twice !== undefined && `the path has two parameters {${twice}}`,
      isOfEmulator(path) && OF_EMULATOR,
    ].filter((problem) => problem !== false)
    const hasBody = answer.body !== undefined || answer.text !== undefined || answer.file !== undefined
    return [
      ...problems.map((message) => ({ path: at, message })),
      ...(isBodiless(answer.status ?? 200) && hasBody
        ? [
            {
              path: ['routes', index, 'answer'],
              message: `an answer with status ${answer.status} has no body`,
            },
          ]
        : []),
    ]
  })

/**
 * Whether every call of a route is answered by another one that comes before it. A path without parameters is looked up before all
 * patterns, so that only the same one is in its way.
 */
const answersFirst = (first: Route, route: Route): boolean => {
  if (!route.path.includes('{')) return first.method === route.method && first.path === route.path
  if (!first.path.includes('{') || first.method !== route.method) return false
  const [segments, others] = [first.path.split('/'), route.path.split('/')]
  return (
    segments.length === others.length &&
    segments.every((one, place) => one.includes('{') || one === others[place])
  )
}

/** A route by what it matches: the names of its parameters do not count. */
const shapeOf = ({ method, path }: Route): string => `${method} ${path.replace(/\{\w+\}/g, '{}')}`
