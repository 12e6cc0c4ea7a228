import type { EventEmitter } from 'node:events'
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { QuotaStatus, Quotas } from '../accounts/quotas.js'
import type { Store } from '../accounts/store.js'
import type { Events, Served } from '../core/model/event.js'
import { viewAt } from '../core/model/task.js'
import { readClock } from '../core/schedule/clock.js'
import type { Renderer, RendererStats } from '../media/render/renderer.js'
import { version } from '../version.js'
import { counter, exposition, gauge, histogram, type Metric, type Sample, samplesBy } from './prometheus.js'

/** Counts calls as they are answered: some additions for each. */
interface Calls {
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

const createCalls = (): Calls => {
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

/** Counts what comes about on accounts, and what goes wrong. */
interface EventCounts {
  /** By what became of them. */
  callbacks(): Readonly<Record<string, number>>
  errors(): number
  metrics(): Metric[]
}

const countEvents = (events: EventEmitter<Events>): EventCounts => {
  const changes = new Map<string, number>()
  const callbacks = new Map<string, number>()
  let bugs = 0
  events.on('happening', ({ kind, detail, task }) => {
    if (kind === 'callback') add(callbacks, detail)
    else if (task !== undefined) add(changes, `${task.family} ${detail}`)
  })
  events.on('bug', () => {
    bugs += 1
  })
  const metrics = (): Metric[] => [
    counter(
      'task_changes_total',
      'Status changes of tasks after their creation.',
      [...changes].map(([name, value]) => ({ labels: familyAndState(name), value })),
    ),
    counter(
      'callbacks_total',
      'What became of callbacks: passed (a challenge), delivered, retrying, failed, skipped.',
      samplesBy('outcome', callbacks),
    ),
    counter('errors_total', 'What failed in the emulator itself and should not have.', bugs),
  ]
  return { callbacks: () => Object.fromEntries(callbacks), errors: () => bugs, metrics }
}

const add = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

const familyAndState = (name: string): { family: string; state: string } => {
  const [family = '', state = ''] = name.split(' ')
  return { family, state }
}

/** Every task by what it is at its account's now. One account after the other, so that calls are answered in between. */
const tasksByState = async (store: Store, wall: () => number): Promise<Metric> => {
  const counts = new Map<string, number>()
  for (const key of await store.keys()) {
    await store.run(key, ({ tasks, clock }) => {
      const now = readClock(clock, wall())
      for (const task of tasks.values()) {
        const name = `${task.family} ${viewAt(task, now).phase.state}`
        counts.set(name, (counts.get(name) ?? 0) + 1)
      }
    })
    await nextTurn()
  }
  const samples = [...counts].map(([name, value]) => ({ labels: familyAndState(name), value }))
  return gauge('tasks', 'Tasks that are kept, by family and state.', samples)
}

const rendererMetrics = (stats: RendererStats): Metric[] => [
  gauge('renders_running', 'Media that are being drawn.', stats.running),
  gauge('renders_waiting', 'Media that wait to be drawn.', stats.waiting),
  counter(
    'renders_total',
    'Media that were drawn to their end, or failed.',
    samplesBy('outcome', [
      ['done', stats.renders],
      ['failed', stats.failures],
    ]),
  ),
  counter('render_seconds_total', 'How long drawing took, all of it together.', stats.renderMs / 1_000),
  counter('media_cache_hits_total', 'Results that had been drawn before.', stats.hits),
  counter('media_cache_misses_total', 'Results that had to be drawn.', stats.misses),
  gauge(
    'media_cache_bytes',
    'Drawn media on disk, and cut pictures in memory.',
    samplesBy('place', [
      ['disk', stats.diskBytes],
      ['memory', stats.memoryBytes],
    ]),
  ),
]

const boundMetrics = (readings: readonly QuotaStatus[]): Metric[] => {
  const ofEach = (value: (reading: QuotaStatus) => number | null): Sample[] =>
    samplesBy(
      'bound',
      readings.flatMap((reading) => {
        const found = value(reading)
        return found === null ? [] : [[reading.name, found] as const]
      }),
    )
  return [
    counter(
      'bound_hits_total',
      'How often there was no room for one more.',
      ofEach(({ hits }) => hits),
    ),
    counter(
      'bound_refusals_total',
      'In how many of these cases somebody was refused.',
      ofEach(({ refused }) => refused),
    ),
    gauge(
      'bound_size',
      'How much there is; where a bound is per account, of the account with most.',
      ofEach(({ size }) => size),
    ),
    gauge(
      'bound_limit',
      'How much there may be.',
      ofEach(({ most }) => most),
    ),
  ]
}

/** The process: memory, processor, and how late its event loop is. */
interface ProcessWatch {
  metrics(): Metric[]
  stop(): void
}

const RESOLUTION_MS = 20
const NANOSECONDS = 1e9

/** Looks at the event loop from the first time on that somebody asks: it takes a timer of its own. */
const watchProcess = (): ProcessWatch => {
  let delay: IntervalHistogram | undefined
  return {
    metrics: () => {
      if (delay === undefined) {
        delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
        delay.enable()
      }
      const late = lagMetric(delay)
      delay.reset()
      return [memoryMetric(), processorMetric(), late]
    },
    stop: () => void delay?.disable(),
  }
}

const memoryMetric = (): Metric => {
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage()
  const kinds = { resident: rss, heap: heapTotal, heap_used: heapUsed, external }
  return gauge('memory_bytes', 'Memory of the process.', samplesBy('kind', Object.entries(kinds)))
}

const processorMetric = (): Metric => {
  const { user, system } = process.cpuUsage()
  const seconds = { user: user / 1e6, system: system / 1e6 }
  return counter(
    'cpu_seconds_total',
    'Time that processors worked for the process.',
    samplesBy('mode', Object.entries(seconds)),
  )
}

const lagMetric = (delay: IntervalHistogram): Metric => {
  // Nothing has been measured yet where it was only just asked for.
  const secondsOf = (nanoseconds: number) =>
    delay.count === 0 ? 0 : Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1_000)
  const lags = {
    mean: secondsOf(delay.mean),
    p99: secondsOf(delay.percentile(99)),
    max: secondsOf(delay.max),
  }
  return gauge(
    'event_loop_lag_seconds',
    'How late the event loop was since it was last asked for.',
    samplesBy('of', Object.entries(lags)),
  )
}

/** What the emulator counts. Almost all of it is looked up when somebody asks. */
export interface Metrics {
  /** A call has been answered. */
  served(call: Served): void
  /** Callbacks by what became of them: passed, delivered, retrying, failed, skipped. */
  callbacks(): Readonly<Record<string, number>>
  /** What failed in the emulator itself and should not have. */
  errors(): number
  /** In the text format of Prometheus. */
  text(): Promise<string>
  stop(): void
}

interface MetricsParts {
  readonly events: EventEmitter<Events>
  readonly store: Store
  readonly renderer: Renderer
  readonly bounds: Quotas
  readonly wall: () => number
  readonly startedAt: number
}

export const createMetrics = ({
  events,
  store,
  renderer,
  bounds,
  wall,
  startedAt,
}: MetricsParts): Metrics => {
  const calls = createCalls()
  const happened = countEvents(events)
  const processWatch = watchProcess()
  return {
    served: calls.served,
    callbacks: happened.callbacks,
    errors: happened.errors,
    text: async () =>
      exposition([
        info,
        gauge('uptime_seconds', 'Since the emulator was started.', Math.max(0, wall() - startedAt) / 1_000),
        ...calls.metrics(),
        await tasksByState(store, wall),
        ...happened.metrics(),
        ...rendererMetrics(renderer.stats()),
        ...boundMetrics(bounds.read()),
        ...processWatch.metrics(),
      ]),
    stop: processWatch.stop,
  }
}

const info = gauge('info', 'Always 1; says which version runs.', [{ labels: { version }, value: 1 }])
