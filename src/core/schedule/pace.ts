import type { SeededRandom } from '../account/random.js'
import { SECOND } from './time.js'

export const timings = ['realistic', 'fast', 'instant'] as const
/** How long lives are: as on the service, a few seconds, or over on the first look. */
export type Timing = (typeof timings)[number]

/** How much work a task is on the real service, in milliseconds: the middle of what such a task takes. */
export interface Workload {
  readonly queuedMs: number
  readonly runningMs: number
}

interface Pace {
  readonly queuedMs: number
  readonly runningMs: number
}

const FAST: Workload = { queuedMs: 1 * SECOND, runningMs: 2 * SECOND }

/**
 * How long one task waits and runs. Drawn up to a quarter above or below the middle, so that two tasks of a kind do
 * not end at the same time, and the same ones on every run.
 */
export const paceOf = (timing: Timing, workload: Workload, draw: SeededRandom): Pace => {
  if (timing === 'instant') return { queuedMs: 0, runningMs: 0 }
  const { queuedMs, runningMs } = timing === 'fast' ? FAST : workload
  return {
    queuedMs: around(queuedMs, draw.fraction('queued')),
    runningMs: around(runningMs, draw.fraction('running')),
  }
}

const around = (middle: number, fraction: number): number => Math.round(middle * (0.75 + fraction / 2))
