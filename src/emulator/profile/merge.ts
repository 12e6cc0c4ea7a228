import type { Path } from '../core/diagnostics.js'
import { isRecord } from '../core/request.js'
import type { ProfileSource } from './read.js'
import type { Profile } from './schema.js'

/** Where a value of a profile comes from. */
interface Origin {
  readonly source: ProfileSource
  /** Its path in that source. */
  readonly path: Path
}

/** Several profiles as one, and the source of each of its values. */
export interface MergedProfile {
  readonly profile: Profile
  readonly sources: readonly ProfileSource[]
  /** The source of a value, or of the nearest thing around it. Undefined where no source has any of it. */
  originOf(path: Path): Origin | undefined
  /** Every value that is not an object, with its path and source, in the order of the sources. */
  readonly leaves: readonly (Origin & { readonly at: Path; readonly value: unknown })[]
}

// What describes a file and not the service.
const OF_FILE = ['$schema', 'description', 'writtenBy']

/** Merges profiles: objects key by key, of everything else the later one wins. Routes are told apart by their ids. */
export const mergeProfiles = (sources: readonly ProfileSource[]): MergedProfile => {
  const profile: Record<string, unknown> = {}
  const origins = new Map<string, Origin & { readonly at: Path; readonly value?: unknown }>()
  const forget = (at: Path): void => {
    const inside = `${keyOf(at).slice(0, -1)},`
    for (const key of origins.keys()) if (key.startsWith(inside)) origins.delete(key)
  }
  const merge = (
    into: Record<string, unknown>,
    key: string,
    value: unknown,
    at: Path,
    origin: Origin,
  ): void => {
    if (isRecord(value)) {
      const before = into[key]
      const inner: Record<string, unknown> = isRecord(before) ? before : {}
      if (!isRecord(before)) forget(at)
      into[key] = inner
      origins.set(keyOf(at), { ...origin, at })
      for (const [name, part] of Object.entries(value))
        merge(inner, name, part, [...at, name], { ...origin, path: [...origin.path, name] })
      return
    }
    forget(at)
    into[key] = value
    origins.delete(keyOf(at))
    origins.set(keyOf(at), { ...origin, at, value })
  }
  const routes: Record<string, unknown>[] = []
  const mergeRoutes = (source: ProfileSource): void => {
    for (const [index, route] of (source.profile.routes ?? []).entries()) {
      const known = routes.findIndex(({ id }) => id === route.id)
      const position = known < 0 ? routes.length : known
      forget(['routes', position])
      routes[position] = {}
      const origin = { source, path: ['routes', index] }
      origins.set(keyOf(['routes', position]), { ...origin, at: ['routes', position] })
      for (const [key, value] of Object.entries(route))
        merge(routes[position], key, value, ['routes', position, key], {
          source,
          path: ['routes', index, key],
        })
    }
  }
  for (const source of sources) {
    for (const [key, value] of Object.entries(source.profile))
      if (key !== 'routes' && !OF_FILE.includes(key) && value !== undefined)
        merge(profile, key, value, [key], { source, path: [key] })
    mergeRoutes(source)
  }
  if (routes.length > 0) profile.routes = routes
  return {
    profile: profile as Profile,
    sources,
    originOf: (path) => {
      for (let length = path.length; length > 0; length -= 1) {
        const origin = origins.get(keyOf(path.slice(0, length)))
        if (origin !== undefined)
          return { source: origin.source, path: [...origin.path, ...path.slice(length)] }
      }
      return undefined
    },
    leaves: [...origins.values()].flatMap((origin) =>
      'value' in origin ? [{ ...origin, value: origin.value }] : [],
    ),
  }
}

const keyOf = (path: Path): string => JSON.stringify(path)

/** Place of an origin as messages write it: `my-service.yaml:3:5`, or the name of a document in code. */
export const placeText = ({ source, path }: Origin, isKey = false): string => {
  if (source.placeOf === undefined) return source.name
  const { line, column } = source.placeOf(path, isKey)
  return `${source.name}:${line}:${column}`
}
