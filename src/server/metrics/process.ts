import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { counter, gauge, type Metric, samplesBy } from './metric.js'

/** The process: memory, processor, and how late its event loop is. */
export interface ProcessWatch {
  metrics(): Metric[]
  stop(): void
}

const RESOLUTION_MS = 20
const NANOSECONDS = 1e9

/** Looks at the event loop from the first time on that somebody asks: it takes a timer of its own. */
export const watchProcess = (): ProcessWatch => {
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
