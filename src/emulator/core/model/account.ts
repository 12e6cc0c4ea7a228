import type { TaskTable } from '../account/task-table.js'
import type { Asset } from '../asset.js'
import type { Attempt } from '../callback/delivery.js'
import { redactedText } from '../journal/redact.js'
import type { Moment } from '../retry-after.js'
import type { CallbackFault } from '../scenario/effects/index.js'
import type { Scenario } from '../scenario/schema.js'
import type { Schedule } from '../schedule/schedule.js'
import type { ClockState, Instant } from '../schedule/time.js'
import type { Limits } from '../settings.js'
import type { State, Task } from './task.js'

export { type Attempt, attemptOutcomes } from '../callback/delivery.js'

/** Account: everything that belongs to one API key. */
export interface Account {
  readonly key: string
  /** Account id: replaces the key where it must not be shown, in result URLs, ids and listings. */
  readonly id: string
  clock: ClockState
  /** Sequence number of the latest accepted create or upload (gap Z19). */
  sequence: number
  /** Number of calls so far; request ids come from it. */
  requests: number
  /** Paid in, in the account's currency; the balance is this less what was spent. */
  credit: number
  spent: number
  agreementAccepted: boolean
  limits: Limits
  readonly tasks: TaskTable
  readonly assets: Map<string, Asset>
  /** Asset ids of upload jobs, by job id. */
  readonly jobs: Map<string, string>
  readonly schedule: Schedule
  /** When creates were accepted, oldest first: those of the last minute, and perhaps some before them. */
  recentCreates: Instant[]
  imagesMade: number
  readonly callbacks: CallbackLog
  /** Runs of the scenarios that apply, the first to be asked first. */
  playing: readonly ScenarioRun[]
}

/** Account event: something that happened on an account's clock. */
export interface AccountEvent {
  readonly at: Instant
  readonly kind: 'task' | 'asset' | 'callback'
  readonly id: string
  /** What it became: `running`, `succeeded`, `delivered`. */
  readonly detail: string
  /** Undefined for other kinds. */
  readonly task?: Task
  /** As it is now; undefined for other kinds. */
  readonly callback?: Callback
}

/** Effects of a transaction: what happened, for observers, and the callbacks to send. */
export interface Effects {
  readonly events: AccountEvent[]
  readonly jobs: DeliveryJob[]
  /** Lines of JSON that other processes have to know, or undefined where no other process writes the account. */
  readonly notes?: string[]
}

/** `waiting`: still to be sent, or between two attempts. `skipped`: never sent, for the reason given. */
export const callbackStates = ['waiting', 'delivered', 'failed', 'skipped'] as const

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
  readonly state: (typeof callbackStates)[number]
  /** Why it failed or was skipped. */
  readonly reason?: string
  /** What scenarios had to do with it; undefined where none was about it. */
  readonly scenario?: ScenarioResult
}

/** The stored record: with the task as it was when its status changed, and the moment of its timeline that is reported. */
export interface Callback extends CallbackRecord {
  readonly task: Task
  /** Counts the moments of the task's timeline from 0. */
  readonly moment: number
  /** What a scenario does to it; undefined where none does. */
  readonly fault?: CallbackFault
  /** The earliest instant at which it is sent, where a scenario has it late. */
  readonly notBefore?: Instant
  /** How many copies follow once the present one is accepted. Default: none; those that are sent at once are not counted. */
  readonly copiesLeft?: number
}

/** Outbox of one task: its callbacks in the order in which they are sent. Plain data, replaced as a whole when it changes. */
export interface CallbackQueue {
  readonly taskId: string
  /** State of the verification. `closed`: the challenge failed, so that nothing is sent (gap F9). */
  readonly verification: 'challenged' | 'open' | 'closed'
  /** Why nothing is sent, as a sentence, or undefined where the challenge was not returned. */
  readonly closedFor?: string
  /** Callbacks to send, the next one first. */
  readonly waiting: readonly Callback[]
  /** Callbacks that a scenario holds back until the next one of the task has been sent. */
  readonly held: readonly Callback[]
  /** Run of the scenario that the create call named for this task alone, or undefined where it named none. */
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
  /** Entry of its queue under which it was taken, or undefined where it was taken out of turn. */
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

/** Summary of a callback for a line: what it reports, how often it was tried, and what came of it. */
export const callbackFacts = (callback: CallbackRecord, key: string) => {
  const last = callback.attempts.at(-1)
  const reason = callback.reason ?? last?.error
  return {
    /** `challenge`, or the status that is reported. */
    about: callback.status ?? 'challenge',
    attempts: callback.attempts.length,
    /** The receiver's HTTP status at the last attempt; null when it gave none. */
    answer: last?.status ?? null,
    /** Why it did not arrive; undefined when it did, or has yet to. */
    reason: reason && redactedText(reason, key),
  }
}

/** Reasons why a step did not act. `refused`: the call was refused, so that there was nothing to act on. */
// biome-ignore format: two rows
export const reasons = [
  'model', 'account', 'prompt', 'method', 'header', 'status', 'task', 'times', 'count',
  'before', 'after', 'unasked', 'waited', 'chance', 'earlier', 'refused',
] as const
export type Reason = (typeof reasons)[number]

/** Verdict on a step. Null: it is about other operations, or about messages and not calls. */
export type Verdict = Reason | 'acted' | null

/** Match trace: what became of each step of a scenario. Plain data: it is kept with the run and with the journal. */
export interface MatchTrace {
  readonly operation: string
  readonly model: string | undefined
  readonly callback:
    | { readonly kind: 'challenge' | 'delivery'; readonly status: State | undefined }
    | undefined
  /** The status of the task that a call is about, where a step looks at it. */
  readonly state?: State | undefined
  /** Milliseconds since the scenario began. */
  readonly elapsed: number
  /** By step. */
  readonly verdicts: readonly Verdict[]
  /**
   * By step: which of the calls that it selects this one was (`count`), the number of its task (`task`), the wait in milliseconds
   * (`waited`), or what was drawn (`chance`).
   */
  readonly numbers: readonly number[]
}

/** Scenario run: how a scenario stands with one account. Plain data, which is replaced and never changed. */
export interface ScenarioRun {
  readonly scenario: Scenario
  readonly seed: number
  /** When it began on the account's clock. */
  readonly since: Instant
  /** By step: how many calls it selected, and on how many it acted. */
  readonly seen: readonly number[]
  readonly acted: readonly number[]
  /** By task: how many calls about it each step selected, where steps count those. Undefined where none does. */
  readonly perTask?: Readonly<Record<string, readonly number[]>>
  /** The latest call of each kind that steps are about. */
  readonly latest: Readonly<Record<string, MatchTrace>>
  /** The latest `Retry-After` of its answers, one for each operation. Undefined where no answer of it had one. */
  readonly waits?: readonly RetryWait[]
}

/** Retry wait: what an answer of a scenario asks the next call of an operation to wait. */
export interface RetryWait extends Moment {
  readonly operation: string
  /** What `Retry-After` asks for, in milliseconds. */
  readonly ms: number
}

/** Begins a scenario for an account. */
export const beginRun = (scenario: Scenario, seed: number, now: Instant): ScenarioRun => ({
  scenario,
  seed,
  since: now,
  seen: scenario.steps.map(() => 0),
  acted: scenario.steps.map(() => 0),
  latest: {},
})

/** The step that acted, as it is shown and kept. */
export interface ActedStep {
  readonly scenario: string
  /** From 1. */
  readonly step: number
  readonly says: string | null
  /** What it did, as its file names it: `answer.error`, `transport.hang`. */
  readonly effects: readonly string[]
}

/** Scenario result: what scenarios had to do with a call or a message, as it is shown and kept. */
export interface ScenarioResult {
  /** Null: none acted. */
  readonly acted: ActedStep | null
  /** Steps that could have acted, each with the reason why it did not. */
  readonly nearMisses: readonly { readonly scenario: string; readonly step: number; readonly why: string }[]
}
