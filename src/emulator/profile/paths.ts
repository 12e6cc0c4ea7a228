import type { AnyFamily, Operation } from '../core/contract.js'
import type { Diagnostic, Path } from '../core/diagnostics.js'
import type { Route } from '../core/model/call.js'
import { suggestion } from '../core/suggest.js'
import { createRegistry } from '../families/registry.js'
import type { Profile, RouteRow } from './schema.js'

type Paths = NonNullable<Profile['paths']>

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
  placeOf: (path: Path) => string,
): Diagnostic[] => {
  const known = [...new Set(createRegistry(before).operations.map(({ route }) => firstSegment(route.path)))]
  const unknown = Object.keys(paths)
    .filter((prefix) => !known.includes(prefix))
    .map((prefix) => ({
      path: ['paths', prefix],
      isKey: true,
      message: `no path of the service begins with ${prefix}${suggestion(prefix, known)}`,
    }))
  const { owners, conflicts } = ownersOf(before, after)
  return [...unknown, ...conflicts, ...routeDiagnostics(routes, owners, placeOf)]
}

/** The operation that answers each route, and routes that two operations would answer which did not share one before. */
const ownersOf = (before: readonly AnyFamily[], after: readonly AnyFamily[]) => {
  const originals = new Map(createRegistry(before).operations.map(({ id, route }) => [id, shapeOf(route)]))
  const owners = new Map<string, string>()
  const conflicts: Diagnostic[] = []
  for (const { id, route, also = [] } of createRegistry(after).operations)
    for (const one of [route, ...also]) {
      const other = owners.get(shapeOf(one))
      if (other === undefined) owners.set(shapeOf(one), id)
      else if (originals.get(other) !== originals.get(id)) {
        const message = `${other} and ${id} would both answer ${one.method} ${one.path}: give one of them another prefix`
        conflicts.push({ path: ['paths'], isKey: true, message })
      }
    }
  return { owners, conflicts }
}

const routeDiagnostics = (
  routes: readonly RouteRow[],
  owners: ReadonlyMap<string, string>,
  placeOf: (path: Path) => string,
): Diagnostic[] => {
  const taken = new Map<string, number>()
  return routes.flatMap(({ id, method, path, answer = {} }, index): Diagnostic[] => {
    const at = ['routes', index, 'path']
    const shape = shapeOf({ method, path })
    const owner = owners.get(shape)
    const other = taken.get(shape)
    taken.set(shape, other ?? index)
    const problems = [
      owner !== undefined && `${method} ${path} is answered by ${owner} already`,
      other !== undefined &&
        `${method} ${path} stands at ${placeOf(['routes', other, 'path'])} too, so that ${id} would never answer`,
      /^\/(_backlot|results)(\/|$)/.test(path) &&
        'paths under /_backlot and /results are those of the emulator',
    ].filter((problem) => problem !== false)
    const hasBody = answer.body !== undefined || answer.text !== undefined || answer.file !== undefined
    const isBodiless = [204, 304].includes(answer.status ?? 200)
    return [
      ...problems.map((message) => ({ path: at, message })),
      ...(isBodiless && hasBody
        ? [
            {
              path: ['routes', index, 'answer'],
              message: `an answer with status ${answer.status} has no body`,
            },
          ]
        : []),
    ]
  })
}

/** A route by what it matches: the names of its parameters do not count. */
const shapeOf = ({ method, path }: Route): string => `${method} ${path.replace(/\{\w+\}/g, '{}')}`
