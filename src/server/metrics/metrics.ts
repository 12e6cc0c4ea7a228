import type { EventEmitter } from 'node:events'
import type { Events, Served } from '../../core/events.js'
import type { Bounds } from '../bounds/bounds.js'
import type { Studio } from '../media/studio/index.js'
import type { Store } from '../store/store.js'
import { version } from '../version.js'
import { createCalls } from './calls.js'
import { exposition } from './exposition.js'
import { countHappenings } from './happened.js'
import { gauge } from './metric.js'
import { boundMetrics, studioMetrics } from './parts.js'
import { watchProcess } from './process.js'
import { tasksByState } from './tasks.js'

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

export interface MetricsParts {
  readonly events: EventEmitter<Events>
  readonly store: Store
  readonly studio: Studio
  readonly bounds: Bounds
  readonly wall: () => number
  readonly startedAt: number
}

export const createMetrics = ({ events, store, studio, bounds, wall, startedAt }: MetricsParts): Metrics => {
  const calls = createCalls()
  const happened = countHappenings(events)
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
        ...studioMetrics(studio.stats()),
        ...boundMetrics(bounds.read()),
        ...processWatch.metrics(),
      ]),
    stop: processWatch.stop,
  }
}

const info = gauge('info', 'Always 1; says which version runs.', [{ labels: { version }, value: 1 }])
