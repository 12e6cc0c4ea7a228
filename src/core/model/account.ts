import type { Limits } from '../account/limits.js'
import type { TaskTable } from '../account/task-table.js'
import type { ClockState } from '../schedule/clock.js'
import type { Schedule } from '../schedule/schedule.js'
import type { Instant } from '../schedule/timeline.js'
import type { Asset } from './asset.js'
import type { Callback, CallbackLog, DeliveryJob } from './callback.js'
import type { ScenarioRun } from './scenario-run.js'
import type { Task } from './task.js'

/** Account: everything that belongs to one API key. */
export interface Account {
  readonly key: string
  /** Account id: replaces the key where it must not be shown, in result URLs, ids and listings. */
  readonly tag: string
  clock: ClockState
  /** Sequence number of the latest accepted create or upload (gap Z19). */
  ordinal: number
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
  /** Lines of JSON that other replicas have to know; undefined: there are no others. */
  readonly notes?: string[]
}
