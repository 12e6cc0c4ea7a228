import type { HealthReporter } from '../../core/events.js'
import type { Account } from '../../core/model/account.js'
import type { Task } from '../../core/model/task.js'
import type { Instant } from '../../core/schedule/time.js'
import type { Batch } from './records.js'

/** Change set: what of an account has changed since its last batch; `batchOf` makes the batch from it. */
export interface ChangeSet {
  readonly account: Account
  /** The system's time: what is due by then has happened. */
  readonly systemNow: Instant
  /** Whether anything besides the collections may have changed. */
  readonly isHeadChanged: boolean
  /** Other scenarios run than before, so that the batch holds their documents. */
  readonly areRunsReplaced: boolean
  /** Ids that were set or deleted, by collection. */
  readonly ids: Readonly<Record<'tasks' | 'open' | 'assets' | 'queues' | 'log', ReadonlySet<string>>>
  /** Tasks as they were before they were rewritten or deleted: callbacks that share their record need it now. */
  readonly replacedTasks: readonly Task[]
}

/** Account that was loaded from the log, ready to continue. */
interface LoadedAccount {
  readonly account: Account
  /** What has changed since its latest batch, such as the scenarios that the settings name: to be appended. Default: nothing. */
  readonly isChanged?: boolean
}

/** State of a state file, as the control API shows it. */
interface StateFacts {
  readonly file: string
  readonly bytes: number
  /** When it was last written, in milliseconds since 1970; null: not yet by this process. */
  readonly writtenAt: number | null
  /** Why it cannot be written; null: it can. */
  readonly trouble: string | null
}

/** Storage medium, in which accounts outlive the process. */
export interface Medium {
  /** Secret that signs result URLs since the log was begun. */
  readonly secret: string
  /** Folder of the bytes of inputs, or undefined where they are kept elsewhere. */
  readonly mediaFolder: string | undefined
  /** The accounts that the log held when it was opened. */
  readonly accounts: readonly LoadedAccount[]
  /** Reports write failures from now on. */
  reportTo(health: HealthReporter): void
  /** Notes the URL of this emulator, for the message to other processes that want the log. */
  listening(url: string): Promise<void>
  facts(): StateFacts
  /** Writes what is pending and releases the lease. */
  stop(): Promise<void>
}

/** Persistence port: a log of batches per account, which one process writes at a time. */
export interface Persistence extends Medium {
  readonly shared?: undefined
  /** Makes the batch of a change set. Part of the port because the records need schemas, which load with the log. */
  readonly batchOf: (change: ChangeSet) => Batch
  /**
   * Appends a batch of an account. Resolves once it is durable, in the order of the calls; never rejects (a failed write is
   * a health issue). The record `['account', '', null]` removes the account; the rest of its batch begins it anew.
   */
  append(key: string, batch: Batch): Promise<void>
}
