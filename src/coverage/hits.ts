/** Kinds of what tests can cover, in the order of reports. */
export const coverageKinds = [
  'operations',
  'rules',
  'errors',
  'statuses',
  'transitions',
  'callbacks',
  'results',
  'limits',
  'scenarios',
] as const
export type CoverageKind = (typeof coverageKinds)[number]

/** Kinds of hits: those of coverage, and the gaps of the specification that tests rely on. No test has to cover a gap. */
export const hitKinds = [...coverageKinds, 'gaps'] as const
type HitKind = (typeof hitKinds)[number]

/**
 * Coverage counters: by kind, how often each item was covered. Items are `b-video-task.create`, `b-video-task.ratio:broken`,
 * `b-video-task/ServerOverloaded`, `b-video-task/queued>running`, `fetched`, `callback-lost#1`, `X9`. 0: known, and not covered.
 */
export type Hits = Readonly<Record<HitKind, Readonly<Record<string, number>>>>

/** Adds to an item. `by` 0 makes it known. */
export type AddHit = (kind: HitKind, item: string, by?: number) => void

/** Hit counter: hits, and a function that adds to them. */
export const createHitCounter = (): { readonly add: AddHit; readonly hits: Hits } => {
  const hits = Object.fromEntries(hitKinds.map((kind) => [kind, {}])) as Record<
    HitKind,
    Record<string, number>
  >
  const add: AddHit = (kind, item, by = 1) => {
    hits[kind][item] = (hits[kind][item] ?? 0) + by
  }
  return { add, hits }
}

/** Sum of hits. */
export const mergeHits = (all: readonly Hits[]): Hits => {
  const { add, hits } = createHitCounter()
  for (const single of all)
    for (const kind of hitKinds)
      for (const [item, count] of Object.entries(single[kind])) add(kind, item, count)
  return hits
}

/** Whether an item was covered. */
export const isHit = (hits: Hits, kind: HitKind, item: string): boolean => (hits[kind][item] ?? 0) > 0
