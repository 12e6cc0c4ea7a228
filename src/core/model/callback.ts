import type { CallbackFault } from '../scenario/effects/index.js'
import type { Instant } from '../schedule/timeline.js'
import type { ScenarioResult, ScenarioRun } from './scenario-run.js'
import type { State, Task } from './task.js'

/** One try to reach a receiver. */
export interface Attempt {
  /** When it began, on the account's clock. */
  readonly at: Instant
  /** Milliseconds of real time. */
  readonly durationMs: number
  /** `refused-address`: the emulator does not send there, and nothing was sent (gap Z2). */
  readonly outcome: 'answered' | 'timeout' | 'refused-address' | 'failed'
  /** Undefined where none came. */
  readonly status?: number
  /** The beginning of the answer's text; undefined where none came. */
  readonly answer?: string
  /** Error text, a sentence; undefined: an answer came in time. */
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
  /** What scenarios had to do with it; undefined where none was about it. */
  readonly scenario?: ScenarioResult
}

/** The stored record: with the task as it was when its status changed, and the moment of its life that is reported. */
export interface Callback extends CallbackRecord {
  readonly task: Task
  /** Counts the moments of the task's life from 0. */
  readonly moment: number
  /** What a scenario does to it; undefined where none does. */
  readonly fault?: CallbackFault
  /** The earliest instant at which it is sent, where a scenario has it late. */
  readonly notBefore?: Instant
  /** How often it is still to be sent once it has arrived. Default: not again. */
  readonly copiesLeft?: number
}

/** Outbox of one task: its callbacks in the order in which they are sent. Plain data, replaced as a whole when it changes. */
export interface CallbackQueue {
  readonly taskId: string
  /** State of the verification. `closed`: the challenge failed, so that nothing is sent (gap F9). */
  readonly way: 'challenged' | 'open' | 'closed'
  /** Why nothing is sent, as a sentence; undefined: the challenge was not returned. */
  readonly closedFor?: string
  /** Callbacks to send, the next one first. */
  readonly waiting: readonly Callback[]
  /** Callbacks that a scenario holds back until the next one of the task has been sent. */
  readonly held: readonly Callback[]
  /** Run of the scenario that the create call named for this task alone; undefined: it named none. */
  readonly requestRun?: ScenarioRun
  /** When the first of `waiting` is to be sent; null while it is in flight, and when nothing waits. */
  readonly dueAt: Instant | null
  /** Number of the schedule entry that counts; entries with a lower number are stale. */
  readonly entry: number
  /** Whether the task has ended, so that nothing more is enqueued. */
  readonly isOver: boolean
}

/** Callback log of an account, with the queues of the tasks that still report. */
export interface CallbackLog {
  /** By task id. */
  readonly queues: Map<string, CallbackQueue>
  /** By callback id, oldest first, at most `max`. */
  readonly log: Map<string, Callback>
  readonly max: number
  /** How many entries were evicted to stay within `max`. */
  evicted: number
}

/** Delivery job: a callback that is to be sent now. */
export interface DeliveryJob {
  readonly callback: Callback
  readonly at: Instant
  /** Sent again on request, out of turn and once. */
  readonly isResend: boolean
  /** Entry of its queue under which it was taken; undefined: it was taken out of turn. */
  readonly entry?: number
}

/** Callback record: a stored callback without the fields that are only kept to send it. */
export const shownCallback = ({
  task: _,
  moment: _moment,
  fault: _fault,
  notBefore: _notBefore,
  copiesLeft: _copiesLeft,
  ...record
}: Callback): CallbackRecord => record
