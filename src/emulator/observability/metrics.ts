import type { EventEmitter } from 'node:events'
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import type { Store } from '../accounts/store.js'
import { timeSlice } from '../concurrency.js'
import { isStoreError } from '../core/errors.js'
import type { Events, Served } from '../core/events.js'
import type { Renderer, RendererStats } from '../media/render/renderer.js'
import type { QuotaStatus, Quotas } from '../quotas.js'
import { version } from '../version.js'

interface MetricsParts {
  readonly events: EventEmitter<Events>
  readonly store: Store
  readonly renderer: Renderer
  readonly quotas: Quotas
  readonly systemNow: () => number
  readonly startedAt: number
}

/** Metrics of the emulator. Almost all are looked up when they are asked for. */
export interface Metrics {
  /** Callbacks by outcome: passed, delivered, retrying, failed, skipped. */
  callbacks(): Readonly<Record<string, number>>
  /** The number of internal errors. */
  errors(): number
  /** In the text format of Prometheus. */
  text(): Promise<string>
  stop(): void
}

/** Metrics of the parts of an emulator, which are counted from now on. */
export const createMetrics = (parts: MetricsParts): Metrics => {
  const { events, store, renderer, quotas, systemNow, startedAt } = parts
  const calls = createCallMetrics()
  const counts = countEvents(events)
  events.on('served', calls.served)
  const processMetrics = createProcessMetrics()
  const uptime = () => Math.max(0, systemNow() - startedAt) / 1_000
  return {
    callbacks: counts.callbacks,
    errors: counts.errors,
    text: async () =>
      exposition([
        gauge('info', 'Always 1; says which version runs.', [{ labels: { version }, value: 1 }]),
        gauge('uptime_seconds', 'Since the emulator was started.', uptime()),
        ...calls.metrics(),
        await tasksByState(store),
        ...counts.metrics(),
        ...rendererMetrics(renderer.stats()),
        ...quotaMetrics(quotas.read()),
        ...processMetrics.read(),
      ]),
    stop: processMetrics.stop,
  }
}

/** Upper edges of the histogram in milliseconds: most answers take less than one, and a scenario can take a minute. */
const EDGES_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000]

/** Counts of the calls of an operation. */
interface CallCounts {
  readonly byStatus: Map<number, number>
  /** By the upper edge of the bucket, or undefined above the last. */
  readonly byEdge: Map<number | undefined, number>
  sumMs: number
}

const newCounts = (): CallCounts => ({ byStatus: new Map(), byEdge: new Map(), sumMs: 0 })

/** The operation of a call that no route of the service takes, and the status of one that was not answered. */
const NONE = 'none'

const createCallMetrics = () => {
  const byOperation = new Map<string, CallCounts>()
  return {
    served: ({ operation = NONE, status, durationMs }: Served): void => {
      const counts = byOperation.get(operation) ?? newCounts()
      byOperation.set(operation, counts)
      increment(counts.byStatus, status)
      let nth = 0
      while (nth < EDGES_MS.length && durationMs > (EDGES_MS[nth] as number)) nth += 1
      increment(counts.byEdge, EDGES_MS[nth])
      counts.sumMs += durationMs
    },
    metrics: (): Metric[] => [
      counter(
        'requests_total',
        'Calls of the service by operation and HTTP status; status none where no answer was begun.',
        [...byOperation].flatMap(([operation, { byStatus }]) =>
          Array.from(byStatus, ([status, value]) => ({
            labels: { operation, status: status === 0 ? NONE : String(status) },
            value,
          })),
        ),
      ),
      histogram(
        'request_duration_seconds',
        'From a call to the end of its answer, delays of scenarios included.',
        [...byOperation].flatMap(([operation, counts]) => durationSamples(operation, counts)),
      ),
    ],
  }
}

const durationSamples = (operation: string, { byEdge, sumMs }: CallCounts): Sample[] => {
  let total = 0
  const cumulative = [...EDGES_MS, undefined].map((edge) => {
    total += byEdge.get(edge) ?? 0
    const le = edge === undefined ? '+Inf' : String(edge / 1_000)
    return { suffix: '_bucket', labels: { operation, le }, value: total }
  })
  return [
    ...cumulative,
    { suffix: '_sum', labels: { operation }, value: sumMs / 1_000 },
    { suffix: '_count', labels: { operation }, value: total },
  ]
}

const increment = <K>(counts: Map<K, number>, name: K, by = 1): void =>
  void counts.set(name, (counts.get(name) ?? 0) + by)

const countEvents = (events: EventEmitter<Events>) => {
  const changes = new Map<string, number>()
  // From 0, so that a query for an increase sees the first.
  const outcomes = ['passed', 'delivered', 'retrying', 'failed', 'skipped']
  const callbacks = new Map(outcomes.map((outcome) => [outcome, 0]))
  let errors = 0
  events.on('happening', ({ kind, detail, task }) => {
    if (kind === 'callback') increment(callbacks, detail)
    else if (task !== undefined) increment(changes, `${task.family} ${detail}`)
  })
  events.on('bug', () => {
    errors += 1
  })
  return {
    callbacks: () => Object.fromEntries(callbacks),
    errors: () => errors,
    metrics: (): Metric[] => [
      counter('task_changes_total', 'Status changes of tasks after their creation.', familySamples(changes)),
      counter(
        'callbacks_total',
        'What became of callbacks: passed (a challenge), delivered, retrying, failed, skipped.',
        samplesBy('outcome', Object.fromEntries(callbacks)),
      ),
      counter('errors_total', 'What failed in the emulator itself and should not have.', errors),
    ],
  }
}

/** Samples of counts by family and state, with a space between the two. */
const familySamples = (counts: ReadonlyMap<string, number>): Sample[] =>
  Array.from(counts, ([name, value]) => {
    const [family = '', state = ''] = name.split(' ')
    return { labels: { family, state }, value }
  })

/** Samples of tasks by state; none while the shared store is away. */
const tasksByState = async (store: Store): Promise<Metric> => {
  const counts = await taskCounts(store).catch((error) => {
    if (!isStoreError(error)) throw error
    return new Map<string, number>()
  })
  return gauge('tasks', 'Tasks that are kept, by family and state.', familySamples(counts))
}

// One account after the other, so that calls are answered in between.
const taskCounts = async (store: Store): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>()
  for (const key of await store.keys()) {
    await timeSlice()
    await store.read(key, ({ tasks }) => {
      for (const { facts, size } of tasks.counts()) increment(counts, `${facts.family} ${facts.state}`, size)
    })
  }
  return counts
}

const rendererMetrics = (stats: RendererStats): Metric[] => [
  gauge('renders_running', 'Media that are being rendered.', stats.running),
  gauge('renders_waiting', 'Media that wait to be rendered.', stats.waiting),
  counter(
    'renders_total',
    'Media that were rendered, or failed.',
    samplesBy('outcome', { done: stats.renders, failed: stats.failures }),
  ),
  counter('render_seconds_total', 'How long rendering took, all of it together.', stats.renderMs / 1_000),
  counter('media_cache_hits_total', 'Results that had been rendered before.', stats.hits),
  counter('media_cache_misses_total', 'Results that had to be rendered.', stats.misses),
  gauge(
    'media_cache_bytes',
    'Rendered media on disk, and cut pictures in memory.',
    samplesBy('place', { disk: stats.diskBytes, memory: stats.memoryBytes }),
  ),
]

const quotaMetrics = (quotas: readonly QuotaStatus[]): Metric[] => {
  const samplesOf = (field: 'hits' | 'refused' | 'size' | 'most'): Sample[] =>
    quotas.flatMap(({ name, [field]: value }) => (value === null ? [] : [{ labels: { bound: name }, value }]))
  return [
    counter('bound_hits_total', 'How often there was no room for one more.', samplesOf('hits')),
    counter('bound_refusals_total', 'In how many of these cases a call was refused.', samplesOf('refused')),
    gauge(
      'bound_size',
      'How much there is; where a bound is per account, of the account with most.',
      samplesOf('size'),
    ),
    gauge('bound_limit', 'How much there may be.', samplesOf('most')),
  ]
}

const RESOLUTION_MS = 20

/** Metrics of the process. Watches the event loop from the first reading on, since that takes a timer of its own. */
const createProcessMetrics = () => {
  let delay: IntervalHistogram | undefined
  return {
    read: (): Metric[] => {
      delay ??= monitorEventLoopDelay({ resolution: RESOLUTION_MS })
      delay.enable()
      const { rss, heapTotal, heapUsed, external } = process.memoryUsage()
      const { user, system } = process.cpuUsage()
      const memory = { resident: rss, heap: heapTotal, heap_used: heapUsed, external }
      const lag = lagOf(delay)
      delay.reset()
      return [
        gauge('memory_bytes', 'Memory of the process.', samplesBy('kind', memory)),
        counter(
          'cpu_seconds_total',
          'Time that processors worked for the process.',
          samplesBy('mode', { user: user / 1e6, system: system / 1e6 }),
        ),
        gauge(
          'event_loop_lag_seconds',
          'How late the event loop was since it was last asked for.',
          samplesBy('of', lag),
        ),
      ]
    },
    stop: () => void delay?.disable(),
  }
}

const lagOf = (delay: IntervalHistogram) => {
  // Nothing is measured yet at the first reading.
  const secondsOf = (nanoseconds: number) =>
    delay.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1_000)
  return { mean: secondsOf(delay.mean), p99: secondsOf(delay.percentile(99)), max: secondsOf(delay.max) }
}

interface Sample {
  /** Follows the name of the metric: `_bucket`. Default: nothing. */
  readonly suffix?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

interface Metric {
  /** Without the prefix: `requests_total`. */
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly samples: readonly Sample[]
}

/** Makes metrics of a type, of one number or of several with labels. */
const metricsOf =
  (type: Metric['type']) =>
  (name: string, help: string, values: number | readonly Sample[]): Metric => ({
    type,
    name,
    help,
    samples: typeof values === 'number' ? [{ value: values }] : values,
  })

const counter = metricsOf('counter')
const gauge = metricsOf('gauge')
/** Its samples have the suffixes `_bucket`, `_sum` and `_count`. */
const histogram = metricsOf('histogram')

const samplesBy = (label: string, values: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }))

/** Metrics in the text format of Prometheus, version 0.0.4. Metrics without a sample are omitted. */
export const exposition = (metrics: readonly Metric[]): string =>
  metrics
    .filter(({ samples }) => samples.length > 0)
    .map(written)
    .join('')

const written = ({ name, type, help, samples }: Metric): string =>
  [
    `# HELP backlot_${name} ${help}`,
    `# TYPE backlot_${name} ${type}`,
    ...samples.map(
      ({ suffix = '', labels = {}, value }) => `backlot_${name}${suffix}${labelText(labels)} ${value}`,
    ),
    '',
  ].join('\n')

const labelText = (labels: Readonly<Record<string, string>>): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
