import type { EventEmitter } from 'node:events'
import type { ClockScheduler } from '../accounts/clock.js'
import type { JournalStore } from '../accounts/journals.js'
import type { Imported, StateDocument } from '../accounts/persistence/export.js'
import type { Snapshots } from '../accounts/persistence/snapshots.js'
import type { Gate, Quotas } from '../accounts/quotas.js'
import type { Store } from '../accounts/store.js'
import type { Callbacks } from '../callbacks/callbacks.js'
import type { Inbox } from '../callbacks/inbox.js'
import type { AnyTaskFamily, Gap, Operation } from '../core/contract.js'
import type { Events } from '../core/events.js'
import type { Account } from '../core/model/account.js'
import type { Route } from '../core/model/call.js'
import type { Task } from '../core/model/task.js'
import type { Scenario } from '../core/scenario/schema.js'
import type { Catalogue } from '../core/scenario/selector.js'
import type { Instant } from '../core/schedule/timeline.js'
import type { Settings } from '../core/settings.js'
import type { Fixtures } from '../media/fixtures.js'
import type { Renderer } from '../media/render/renderer.js'
import type { DiagnosticItem } from '../observability/diagnostics.js'
import type { HealthIssues } from '../observability/health.js'
import type { Metrics } from '../observability/metrics.js'
import type { Parsed } from '../scenarios/read.js'
import type { DryRun } from '../service/dry-run.js'
import type { RuleRecord } from './rules.js'

/** Context of control actions: the ports of a running emulator that they use. `emulator.ts` fills them. */
export interface ControlContext {
  readonly settings: Settings
  /** A random id of this emulator, which tells it from another one on the same port. */
  readonly instance: string
  readonly systemNow: () => number
  readonly startedAt: number

  readonly store: Store
  readonly clock: ClockScheduler
  readonly journals: JournalStore
  readonly events: EventEmitter<Events>
  readonly bounds: Quotas
  /** Limits calls of `/_backlot/wait`. */
  readonly waiting: Gate
  readonly snapshots: Snapshots
  /** Puts an account in the place of the one under its key. What was under way for that ends; its journal begins anew. */
  replace(account: Account): Promise<void>
  /** Forgets an account and everything that belongs to it. */
  forget(key: string): Promise<void>

  readonly families: readonly AnyTaskFamily[]
  readonly operations: readonly Operation[]
  readonly routes: readonly Route[]
  /** Every name that scenarios and filters may use. */
  readonly catalogue: Catalogue

  readonly callbacks: Callbacks
  readonly inbox: Pick<Inbox, 'boxes' | 'list' | 'receive'>
  readonly scenarios: {
    /** Those that play for every account from the start. */
    readonly given: readonly Scenario[]
    /** @throws EmulatorError `unknown-scenario` */
    named(name: string): Promise<Scenario>
    /** @throws EmulatorError `bad-scenario` */
    fromDocument(document: unknown): Promise<Scenario>
    /** The ready-made ones, with the text of their files. */
    readyMade(): Promise<readonly { readonly scenario: Scenario; readonly text: string }[]>
    /** Reads the text of a file and finds everything that is wrong with it. */
    check(text: string): Promise<Parsed>
  }
  readonly fixtures: Pick<Fixtures, 'folder' | 'list'>
  readonly metrics: Pick<Metrics, 'text' | 'callbacks' | 'errors'>
  readonly renderer: Pick<Renderer, 'stats' | 'open'>
  readonly health: Pick<HealthIssues, 'current'>

  /** Path and query of a result, with its signature; `index` counts the media of its task from 0. */
  resultPath(task: Task, index: number, expiresAt: Instant): string
  /** Decides a call without applying anything. */
  dryRun: DryRun
  /** What happens on accounts from now on. */
  live(): Promise<LiveEvents>
  /** Every rule of every family. */
  rules(): readonly RuleRecord[]
  /** The table of what the specification leaves open. */
  gaps(): Promise<readonly Gap[]>
  /** Checks whether pictures and videos can be made here. */
  diagnose(): AsyncIterable<DiagnosticItem>
  openApiDocument(part: 'service' | 'control' | undefined): Promise<{ readonly openapi: string }>
  /** The journals of accounts as a recording, one JSON value a line. */
  readRecording(keys: readonly string[]): Promise<string>
  /** Accounts as a document. */
  exportState(accounts: readonly Account[]): Promise<StateDocument>
  /**
   * Puts the accounts of a document in place of those there are; with a key, the only one of the document under that key.
   * @throws EmulatorError
   */
  importState(document: unknown, key: string | undefined): Promise<Imported>
}

/** Something that has happened on an account, as text, with its place among all. */
export interface LoggedEvent {
  readonly number: number
  readonly account: string
  /** JSON. */
  readonly text: string
}

/** Ring buffer of events as text, within a number of entries and of characters, from which streams are resumed. */
export interface EventLog {
  /** The number of the latest event; 0: none has come. */
  readonly latest: number
  add(account: string, text: string): void
  /** Drops everything: a reader that has not read so far has to reload. */
  clear(): void
  /** What came after an event, in order; undefined: some of it was evicted, or the number has not been given. */
  after(number: number): readonly LoggedEvent[] | undefined
}

/** Live events: what happens on accounts, written down in batches that streams read. */
export interface LiveEvents {
  readonly log: Pick<EventLog, 'latest' | 'after'>
  /** How many follow at present. */
  readonly followers: number
  /** Follows the emulator from now on; returns what ends that. */
  follow(): () => void
  /** Resolves with true once there is an event after this one, with false after the time or once the signal is aborted. */
  changed(after: number, timeoutMs: number, signal: AbortSignal): Promise<boolean>
}
