/** What a minute came to. */
export interface Minute {
  /** As the system sees it. */
  readonly memoryMib: number
  readonly heapMib: number
  readonly handles: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** What one figure has come to, from the second quarter of the run to the last. */
export interface Finding {
  readonly name: string
  readonly before: number
  readonly after: number
  readonly isFlat: boolean
}

/**
 * Compares the second quarter, when everything is warm, with the last: the medians of each, so that one bad minute says
 * nothing. `may` is how much more the last may have: a share, and as much besides.
 */
export const findings = (minutes: readonly Minute[]): Finding[] => {
  const quarter = Math.max(1, Math.floor(minutes.length / 4))
  const [second, last] = [minutes.slice(quarter, 2 * quarter), minutes.slice(-quarter)]
  const compare = (name: string, of: (minute: Minute) => number, share: number, besides: number): Finding => {
    const [before, after] = [median(second.map(of)), median(last.map(of))]
    return { name, before, after, isFlat: after <= before * (1 + share) + besides }
  }
  return [
    compare('memory in MiB', ({ memoryMib }) => memoryMib, 0.15, 30),
    compare('heap in MiB', ({ heapMib }) => heapMib, 0.25, 20),
    compare('handles', ({ handles }) => handles, 0.1, 10),
    compare('p50 in ms', ({ p50Ms }) => p50Ms, 0.3, 1),
    compare('p99 in ms', ({ p99Ms }) => p99Ms, 0.5, 10),
  ]
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
