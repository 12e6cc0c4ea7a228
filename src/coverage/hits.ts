/** Kinds of what tests can cover, in the order of reports. */
export const coverageKinds = [
  ...(['operations', 'rules', 'errors', 'statuses', 'transitions'] as const),
  ...(['callbacks', 'results', 'limits', 'scenarios'] as const),
] as const
export type CoverageKind = (typeof coverageKinds)[number]

/** Gaps of the specification that tests rely on are counted beside the kinds: there are none that a test should rely on. */
export const hitKinds = [...coverageKinds, 'gaps'] as const
export type HitKind = (typeof hitKinds)[number]

/**
 * Coverage counters: by kind, how often each item was covered. Items are `b-video-task.create`, `b-video-task.ratio:broken`,
 * `b-video-task/ServerOverloaded`, `b-video-task/queued>running`, `fetched`, `callback-lost#1`, `X9`. 0: known, and not covered.
 */
export type Hits = { readonly [K in HitKind]: Readonly<Record<string, number>> }

/** Hits while they are counted. */
export interface HitCounter {
  /** `by`: default 1; 0 makes the item known. */
  add(kind: HitKind, item: string, by?: number): void
  readonly hits: Hits
}

export const createHitCounter = (): HitCounter => {
  const hits = Object.fromEntries(hitKinds.map((kind) => [kind, {}])) as Record<
    HitKind,
    Record<string, number>
  >
  return {
    add: (kind, item, by = 1) => {
      hits[kind][item] = (Object.hasOwn(hits[kind], item) ? (hits[kind][item] as number) : 0) + by
    },
    hits,
  }
}

/** The sum of hits. */
export const joinedHits = (all: readonly Hits[]): Hits => {
  const counter = createHitCounter()
  for (const hits of all)
    for (const kind of hitKinds)
      for (const [item, count] of Object.entries(hits[kind])) counter.add(kind, item, count)
  return counter.hits
}

/** Whether an item was covered. */
export const isHit = (hits: Hits, kind: HitKind, item: string): boolean =>
  Object.hasOwn(hits[kind], item) && (hits[kind][item] as number) > 0
