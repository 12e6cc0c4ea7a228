import type { Served } from '../../core/events.js'
import { counter, histogram, type Metric, type Sample } from './metric.js'

/** Counts calls as they are answered: some additions for each. */
export interface Calls {
  served(call: Served): void
  metrics(): Metric[]
}

/** Upper edges in milliseconds: most answers are there within one, and a scenario can take a minute. */
const EDGES_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000]

interface Counts {
  readonly byStatus: Map<number, number>
  /** By edge, and one for what is above the last. */
  readonly buckets: number[]
  sumMs: number
  total: number
}

export const createCalls = (): Calls => {
  const byOperation = new Map<string, Counts>()

  const countsOf = (operation: string): Counts => {
    const known = byOperation.get(operation)
    if (known !== undefined) return known
    const counts = { byStatus: new Map(), buckets: [...EDGES_MS, 0].map(() => 0), sumMs: 0, total: 0 }
    byOperation.set(operation, counts)
    return counts
  }

  return {
    served: ({ operation = NONE, status, durationMs }) => {
      const counts = countsOf(operation)
      counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1)
      let place = 0
      while (durationMs > (EDGES_MS[place] ?? Number.POSITIVE_INFINITY)) place += 1
      counts.buckets[place] = (counts.buckets[place] ?? 0) + 1
      counts.sumMs += durationMs
      counts.total += 1
    },
    metrics: () => [
      counter(
        'requests_total',
        'Calls of the service by operation and HTTP status; status none where no answer was begun.',
        [...byOperation].flatMap(([operation, counts]) => statusSamples(operation, counts)),
      ),
      histogram(
        'request_duration_seconds',
        'From a call to the end of its answer, delays of scenarios included.',
        [...byOperation].flatMap(([operation, counts]) => durationSamples(operation, counts)),
      ),
    ],
  }
}

/** The operation of a call that no route of the service takes. */
const NONE = 'none'

const statusSamples = (operation: string, { byStatus }: Counts): Sample[] =>
  [...byStatus].map(([status, value]) => ({
    labels: { operation, status: status === 0 ? NONE : String(status) },
    value,
  }))

const durationSamples = (operation: string, { buckets, sumMs, total }: Counts): Sample[] => {
  let sum = 0
  const cumulative = buckets.map((count, place) => {
    sum += count
    const edge = EDGES_MS[place]
    const le = edge === undefined ? '+Inf' : String(edge / 1_000)
    return { suffix: '_bucket', labels: { operation, le }, value: sum }
  })
  return [
    ...cumulative,
    { suffix: '_sum', labels: { operation }, value: sumMs / 1_000 },
    { suffix: '_count', labels: { operation }, value: total },
  ]
}
