import type { PlayedRecord } from './scenario.js'
import type { TaskStatus } from './task.js'

/** A try to reach a receiver. */
export interface CallbackAttempt {
  readonly at: string
  /** Milliseconds of real time. */
  readonly durationMs: number
  /** `refused-address`: the emulator does not send there, and nothing was sent. */
  readonly outcome: 'answered' | 'timeout' | 'refused-address' | 'failed'
  /** Left out where no answer came, like `answer`, the beginning of its text. */
  readonly status?: number
  readonly answer?: string
  /** Left out where there was an answer in time. */
  readonly error?: string
}

/** A message to a receiver and what became of it. */
export interface CallbackRecord {
  /** The task's id and a number; sent along as `X-Backlot-Delivery-Id`. */
  readonly id: string
  readonly taskId: string
  readonly kind: 'challenge' | 'delivery'
  /** The status that is reported; null for a challenge. */
  readonly status: TaskStatus | null
  readonly url: string
  /** `waiting`: still to be sent, or between two attempts. `skipped`: never sent, for the reason given. */
  readonly state: 'waiting' | 'delivered' | 'failed' | 'skipped'
  readonly reason?: string
  /** What was sent; null before the first attempt has ended. */
  readonly body: unknown
  readonly attempts: readonly CallbackAttempt[]
  /** What scenarios had to do with it; null where none was about it. */
  readonly scenario: PlayedRecord | null
}

/** A message in a box of the built-in receiver. */
export interface InboxMessage {
  readonly receivedAt: string
  /** Null for a message that did not come from the emulator. */
  readonly deliveryId: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}
