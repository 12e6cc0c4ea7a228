import type { CallbackFault } from '../scenario/effects/callback.js'
import type { Instant } from '../schedule/timeline.js'
import type { ScenarioResult } from './scenario-result.js'
import type { State, Task } from './task.js'

/** One try to reach a receiver. */
export interface Attempt {
  /** When it began, on the account's clock. */
  readonly at: Instant
  /** Milliseconds of real time. */
  readonly durationMs: number
  /** `refused-address`: the emulator does not send there, and nothing was sent (gap Z2). */
  readonly outcome: 'answered' | 'timeout' | 'refused-address' | 'failed'
  /** Left out where none came. */
  readonly status?: number
  /** The beginning of the answer's text; left out where none came. */
  readonly answer?: string
  /** A sentence for whoever looks; left out where there was an answer in time. */
  readonly error?: string
}

/** `waiting`: still to be sent, or between two attempts. `skipped`: never sent, for the reason given. */
export type CallbackState = 'waiting' | 'delivered' | 'failed' | 'skipped'

/** A message to a receiver and what became of it, as the callback log shows it. */
export interface CallbackRecord {
  /** The task's id and a number: 0 for the challenge. Sent along as the delivery id, the same on every attempt. */
  readonly id: string
  readonly taskId: string
  readonly kind: 'challenge' | 'delivery'
  /** The status that is reported; null for a challenge. */
  readonly status: State | null
  readonly url: string
  /** What was sent; null before the first attempt has ended. */
  readonly body: unknown
  readonly attempts: readonly Attempt[]
  readonly state: CallbackState
  /** Why it failed or was skipped. */
  readonly reason?: string
  /** What scenarios had to do with it; left out where none was about it. */
  readonly scenario?: ScenarioResult
}

/** The stored record: with the task as it was when its status changed, and the moment of its life that is reported. */
export interface Callback extends CallbackRecord {
  readonly task: Task
  /** Counts the moments of the task's life from 0. */
  readonly moment: number
  /** What a scenario does to it; left out where none does. */
  readonly fault?: CallbackFault
  /** The earliest instant at which it is sent, where a scenario has it late. */
  readonly notBefore?: Instant
  /** How often it is still to be sent once it has arrived; left out: not again. */
  readonly copiesLeft?: number
}

/** A callback without what is only kept to send it. */
export const shownCallback = ({
  task: _,
  moment: _moment,
  fault: _fault,
  notBefore: _notBefore,
  copiesLeft: _copiesLeft,
  ...record
}: Callback): CallbackRecord => record
