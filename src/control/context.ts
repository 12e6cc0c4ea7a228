import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ClockScheduler } from '../accounts/clock.js'
import type { JournalStore } from '../accounts/journals.js'
import type { Snapshots } from '../accounts/persistence/snapshots.js'
import type { Gate, Quotas } from '../accounts/quotas.js'
import type { Store } from '../accounts/store.js'
import type { AnyTaskFamily, Gap, Operation } from '../core/contract.js'
import type { Events } from '../core/events.js'
import type { HealthIssue } from '../core/health-issue.js'
import type { MediaSpec } from '../core/media/spec.js'
import type { Account } from '../core/model/account.js'
import type { Route } from '../core/model/call.js'
import type { CallbackRecord } from '../core/model/callback.js'
import type { Task } from '../core/model/task.js'
import type { Scenario } from '../core/scenario/schema.js'
import type { Catalogue } from '../core/scenario/selector.js'
import type { Instant } from '../core/schedule/timeline.js'
import type { Settings } from '../core/settings.js'
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

  readonly callbacks: {
    /** Newest first. */
    list(
      key: string,
      filter: {
        readonly taskId?: string
        readonly kind?: CallbackRecord['kind']
        readonly state?: CallbackRecord['state']
      },
    ): Promise<{ readonly items: readonly CallbackRecord[]; readonly evicted: number }>
    get(key: string, id: string): Promise<CallbackRecord | undefined>
    /** @throws EmulatorError `unknown-callback` or `callback-waiting` */
    redeliver(key: string, id: string): Promise<CallbackRecord>
    /** Resolves when no delivery of the account is in flight. */
    idle(key: string): Promise<void>
  }
  readonly inbox: {
    /** The names of the boxes of an account that have messages, and how many each has. */
    boxes(key: string): ReadonlyMap<string, number>
    /** Oldest first. */
    list(
      key: string,
      name: string,
    ): { readonly items: readonly StoredInboxMessage[]; readonly evicted: number }
    /** Receives a message for the box of that name and answers it. */
    receive(request: IncomingMessage, response: ServerResponse, name: string): Promise<void>
  }
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
    check(text: string): Promise<
      | { readonly scenario: Scenario }
      | {
          readonly diagnostics: readonly {
            readonly line: number
            readonly column: number
            readonly message: string
          }[]
        }
    >
  }
  readonly fixtures: { readonly folder: string; list(): Promise<readonly FixtureFacts[]> }
  readonly metrics: {
    text(): Promise<string>
    callbacks(): Readonly<Record<string, number>>
    errors(): number
  }
  readonly renderer: {
    stats(): object
    /** The file that a spec describes, rendered now or before; it stays until it is released. */
    open(
      spec: MediaSpec,
      signal?: AbortSignal,
    ): Promise<{
      readonly path: string
      readonly contentType: string
      release(): void
    }>
  }
  readonly health: { current(): readonly HealthIssue[] }

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
  exportState(accounts: readonly Account[]): Promise<ExportedState>
  /**
   * Puts the accounts of a document in place of those there are; with a key, the only one of the document under that key.
   * @throws EmulatorError
   */
  importState(document: unknown, key: string | undefined): Promise<ImportedState>
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

interface StoredInboxMessage {
  /** On the account's clock. */
  readonly receivedAt: number
  readonly deliveryId: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

interface FixtureFacts {
  readonly name: string
  readonly kind: 'image' | 'video' | 'audio' | 'unreadable'
  readonly facts: object
  readonly note: string
  readonly breaks?: string
}

export interface DiagnosticItem {
  readonly what: string
  readonly isFine: boolean
  readonly detail: string
  readonly hint?: string
}

type ExportedState = Readonly<Record<string, unknown>> & {
  readonly backlot: 'state'
  readonly version: number
  readonly seed: number
  readonly accounts: readonly (Readonly<Record<string, unknown>> & { readonly key: string })[]
}

interface ImportedState {
  readonly keys: readonly string[]
  readonly tasks: number
  readonly missing: readonly string[]
}
