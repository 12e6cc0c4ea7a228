import type { EventEmitter } from 'node:events'
import type { Events, Served } from '../../core/events.js'
import type { Quotas } from '../bounds/bounds.js'
import type { Renderer } from '../media/studio/index.js'
import type { Store } from '../store/store.js'
import { version } from '../version.js'
import { createCalls } from './calls.js'
import { exposition } from './exposition.js'
import { countEvents } from './happened.js'
import { gauge } from './metric.js'
import { boundMetrics, rendererMetrics } from './parts.js'
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
