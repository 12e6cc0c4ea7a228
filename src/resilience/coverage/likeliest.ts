import type { Point } from './points.js'
import { type Hits, isHit, type PointSpec } from './spec.js'

/** Number of gaps that a report names first. */
const MAX_LIKELIEST = 10

/** A gap beside what its rank needs to know of it. */
interface Gap {
  readonly point: Point
  /** HTTP status of an error, or 0 where the point is about none. */
  readonly status: number
}

const isRule =
  (...names: readonly string[]) =>
  ({ point: { kind, item } }: Gap): boolean =>
    kind === 'rules' && names.some((name) => item.endsWith(`.${name}:broken`))
const isOfKind =
  (kind: Point['kind'], ...names: readonly string[]) =>
  ({ point }: Gap): boolean =>
    point.kind === kind && names.includes(point.item.slice(point.item.indexOf('/') + 1))

/** What a service does to its clients now and then, the likeliest first. */
const ranks: readonly ((gap: Gap) => boolean)[] = [
  isOfKind('statuses', 'failed'),
  ({ status }) => status === 429 || status === 529,
  isOfKind('results', 'expired'),
  ({ status }) => status >= 500 && status !== 529,
  isRule('prompt-passes-moderation'),
  isOfKind('callbacks', 'duplicate'),
  isRule('balance-is-positive', 'images-within-quota'),
  isOfKind('callbacks', 'refused'),
  isOfKind('callbacks', 'late'),
  isRule('credentials'),
  isOfKind('statuses', 'expired'),
  isRule('task-exists'),
]

/**
 * The likeliest gaps of the operations that tests call: what happens to most clients of the service, and to none of the tests.
 * At most one of each rank and family, and no error of a family whose status the tests have seen.
 */
export const likeliestOf = (uncovered: readonly Point[], spec: PointSpec, hits: Hits): Point[] => {
  const gaps = uncovered
    .filter((point) => isOfUsed(point, spec, hits))
    .map((point) => ({ point, status: statusOf(point, spec) }))
    .filter(({ point, status }) => status === 0 || !hasSeenStatus(familyOf(point), status, spec, hits))
  return ranks
    .flatMap((fits) => firstOfEachFamily(gaps.filter(fits).map(({ point }) => point)))
    .slice(0, MAX_LIKELIEST)
}

const firstOfEachFamily = (points: readonly Point[]): Point[] =>
  points.filter((point, index) => points.findIndex((other) => familyOf(other) === familyOf(point)) === index)

const familyOf = ({ kind, item }: Point): string =>
  (kind === 'results' ? kind : item.split(/[./]/, 1)[0]) ?? ''

const errorOf = ({ item }: Point): string => item.slice(item.indexOf('/') + 1)

const statusOf = (point: Point, { families }: PointSpec): number => {
  if (point.kind !== 'errors') return 0
  return families.find(({ id }) => id === familyOf(point))?.errorStatuses[errorOf(point)] ?? 0
}

/** Whether tests have seen an error of a family with a status. */
const hasSeenStatus = (family: string, status: number, { families }: PointSpec, hits: Hits): boolean => {
  const { errorStatuses = {} } = families.find(({ id }) => id === family) ?? {}
  return Object.entries(errorStatuses).some(
    ([error, other]) => other === status && isHit(hits, 'errors', `${family}/${error}`),
  )
}

/** Whether a point is about an operation that was called, or about callbacks of a family that were received. */
const isOfUsed = (point: Point, { operations }: PointSpec, hits: Hits): boolean => {
  const { kind, item } = point
  const family = familyOf(point)
  const called = operations.filter(({ id }) => isHit(hits, 'operations', id))
  const hasCallbacks = Object.keys(hits.callbacks).some((hit) => hit.startsWith(`${family}/`))
  if (kind === 'callbacks') return hasCallbacks
  if (kind === 'results') return called.some(({ id }) => /\.(download|content)$/.test(id))
  const own = called.filter((operation) => operation.family === family)
  if (kind === 'statuses') return hasCallbacks || own.some(({ id }) => /\.(read|list)$/.test(id))
  if (kind === 'errors') return own.some(({ possibleErrors }) => possibleErrors.includes(errorOf(point)))
  return own.some(({ rules }) => rules.some(({ id }) => item.startsWith(`${id}:`)))
}
