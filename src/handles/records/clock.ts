import type { ClockMode } from '../../core/time/clock.js'

/** What the clock of an account says, and how it goes on. */
export interface ClockReading {
  readonly now: string
  readonly mode: ClockMode
  /** How many times faster than the wall a live clock runs. */
  readonly speed: number
  /** When something next happens; null when nothing is left to happen. */
  readonly next: string | null
}

/** Something that came about on an account's clock. */
export interface Happened {
  readonly at: string
  readonly kind: 'task' | 'asset' | 'callback'
  /** The id of the task, the asset job or the callback. */
  readonly id: string
  /** What it became: `running`, `succeeded`, `delivered`. */
  readonly detail: string
}

/** What moving a clock has brought about. */
export interface Advanced {
  /** What the clock says afterwards. */
  readonly now: string
  /** In order; everything that came about on the way. */
  readonly happened: readonly Happened[]
}
