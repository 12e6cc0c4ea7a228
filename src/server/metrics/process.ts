import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metric } from './exposition.js'

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
  return {
    name: 'memory_bytes',
    type: 'gauge',
    help: 'Memory of the process.',
    samples: Object.entries(kinds).map(([kind, value]) => ({ labels: { kind }, value })),
  }
}

const processorMetric = (): Metric => {
  const { user, system } = process.cpuUsage()
  return {
    name: 'cpu_seconds_total',
    type: 'counter',
    help: 'Time that processors worked for the process.',
    samples: [
      { labels: { mode: 'user' }, value: user / 1e6 },
      { labels: { mode: 'system' }, value: system / 1e6 },
    ],
  }
}

const lagMetric = (delay: IntervalHistogram): Metric => {
  // Nothing has been measured yet where it was only just asked for.
  const secondsOf = (nanoseconds: number) =>
    delay.count === 0 ? 0 : Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1_000)
  const kinds = { mean: delay.mean, p99: delay.percentile(99), max: delay.max }
  return {
    name: 'event_loop_lag_seconds',
    type: 'gauge',
    help: 'How late the event loop was since it was last asked for.',
    samples: Object.entries(kinds).map(([of, value]) => ({ labels: { of }, value: secondsOf(value) })),
  }
}
