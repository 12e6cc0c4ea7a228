import type { Account, AccountEvent } from '../../core/model/account.js'
import type { Settings } from '../../core/settings.js'
import type { Store, StoreParts } from '../store.js'
import type { Medium } from './port.js'
import type { Batch } from './records.js'

/** Persistence that several processes write: accounts are loaded when they are called. */
export interface SharedPersistence extends Medium {
  readonly accounts: readonly []
  readonly shared: {
    /** The store's time in milliseconds since 1970. */
    now(): number
    createStore(parts: Omit<SharedStoreParts, 'onLost'>): Store
    /** Token of the control API that all replicas require, or undefined where none was made. */
    readonly controlToken: string | undefined
    /** Keeps an input under its hash for the other replicas. */
    putInput(hash: string, bytes: Uint8Array): Promise<void>
    getInput(hash: string): Promise<Uint8Array | undefined>
  }
}

/** What opening a shared store needs besides its URL. */
export interface SharedStoreOptions {
  readonly settings: Settings
  /** Control token to share and to require where the store has none yet, or undefined where none was made. */
  readonly controlToken: string | undefined
  readonly now: () => number
  readonly onInternalError: (error: unknown) => void
  readonly onWarning: (sentence: string) => void
}

/**
 * Opens the store at a URL, which several processes share.
 * @throws EmulatorError `store-client-missing`, `store-unavailable`, `bad-state` or `other-seed`
 */
export type OpenStore = (url: string, options: SharedStoreOptions) => Promise<SharedPersistence>

/** Parts of a store whose accounts other replicas change too. Its time is that of the log. */
export interface SharedStoreParts extends Omit<StoreParts, 'persistence' | 'onEvicted' | 'systemNow'> {
  readonly maxCallbacks: number
  /** How many accounts are held in memory. */
  readonly maxAccounts: number
  /** Time limit of an attempt to deliver a callback, in milliseconds. */
  readonly attemptMs: number
  /** Called when an account came out of the store, with what builds it again as it is now. */
  readonly onLoaded: (account: Account, rebuild: () => Account) => void
  /** Called with everything that is noted of an account, when that is looked at first. */
  readonly onNotes: (key: string, notes: readonly Note[]) => void
  /** Called with what another replica has appended. */
  readonly onAppended: (key: string, events: readonly AccountEvent[], notes: readonly Note[]) => void
  /** Called when an account left the memory. */
  readonly onUnloaded: (key: string) => void
  /** Called when the store has lost entries of an account, which continues from the entries that remain. */
  readonly onLost: () => void
}

/**
 * Position in the log of an account. The number counts batches and never falls; the epoch is a new one where the log of
 * an abandoned account has expired, so that a position never comes back.
 */
export interface Position {
  readonly epoch: number
  readonly n: number
}

/** Note: a line of JSON that belongs to an account and is no part of its state, such as a call of its journal. */
export type Note = string

/** Event as an entry holds it: the task or callback is the account's own. */
export type StoredEvent = readonly [at: number, kind: AccountEvent['kind'], id: string, detail: string]

/** Head of an entry of a shared log. */
export interface EntryHead {
  readonly position: Position
  /** Random mark of the entry; the next entry repeats it, so that two histories are told apart. */
  readonly mark: string
  /** Id of the replica that appended it; empty: not known. */
  readonly writer: string
  /** The store's time by the clock of the writer. */
  readonly at: number
}

/** Entry of a shared log: one batch, with what happened and what is noted beside it. */
export interface LogEntry extends EntryHead {
  /** Mark of the entry before it. */
  readonly previous: string
  readonly batch: Batch
  readonly events: readonly StoredEvent[]
  readonly notes: readonly Note[]
}

/** Log of one account, as the store holds it. */
export interface LoadedLog {
  /** Undefined where the store has no such account. */
  readonly latest: EntryHead | undefined
  /** Batches of everything, in order: their last records hold. The first is the state, of which the writers are not known. */
  readonly batches: readonly Pick<LogEntry, 'batch' | 'writer' | 'at'>[]
}

/** Facts of an entry that the store itself uses. */
interface AppendOptions {
  /** When another replica has to look after the account, by the store's time, null for never, or undefined to leave it as it was. */
  readonly dueAt?: number | null | undefined
  /** Job ids that the account has from now on. */
  readonly jobs?: readonly string[]
  /** Whether the account begins anew with it: notes of before go. */
  readonly isNew?: boolean
  /** Whether the account is forgotten with it: its notes go, and the names under which the store finds it. */
  readonly isGone?: boolean
}

interface ReadOptions {
  /** Mark of the entry at the position, where the store is to be checked for it, or undefined where it is not checked. */
  readonly mark: string | undefined
  /** Whether entries come with their notes. */
  readonly hasNotes: boolean
}

/** Log of batches per account that several processes append to: the order of its entries is the one lock. */
export interface SharedLog {
  /** Id of this replica, new at each start. */
  readonly replica: string
  /** The store's time in milliseconds since 1970, never before that of an entry that was read. */
  now(): number
  /** @throws EmulatorError `store-gap` where a part of the log is missing */
  load(key: string): Promise<LoadedLog>
  /**
   * Entries after a position, oldest first. `gap`: they do not follow it, so that the account has to be loaded; `replaced`:
   * the store has another entry at the position.
   */
  readAfter(
    key: string,
    position: Position,
    options: ReadOptions,
  ): Promise<readonly LogEntry[] | 'gap' | 'replaced'>
  /** Notes of an account up to a position, oldest first. They are read apart: most replicas never show them. */
  notes(key: string, to: Position): Promise<readonly Note[]>
  /**
   * Appends an entry, which is a compare-and-set: false where another entry has its position or a later one, and nothing
   * was appended. @throws EmulatorError `store-unavailable` where the outcome is not known
   */
  append(key: string, entry: LogEntry, options: AppendOptions): Promise<boolean>
  /** Epoch of the log of an account that is new to the store, the same for all that open it now. */
  open(key: string): Promise<number>
  /** Removes the log of an account, under another epoch: it is opened anew. */
  restart(key: string): Promise<void>
  /** Whether an account whose latest entry is of that time can have expired by now. */
  canHaveExpired(at: number): boolean
  keys(): Promise<readonly string[]>
  keyOfAccountId(accountId: string): Promise<string | undefined>
  ownerOf(jobId: string): Promise<string | undefined>
  /** Keys of accounts that a replica had to look after before an instant of the store's time, the longest overdue first. */
  overdue(before: number, page: { readonly skip: number; readonly max: number }): Promise<readonly string[]>
  /** Sets when a replica has to look after an account; null: never. */
  watch(key: string, dueAt: number | null): Promise<void>
  /** Whether a replica has shown itself within its lease. */
  isAlive(replica: string): Promise<boolean>
  /** Number of times that the connection was made; entries that were read in an earlier one may be lost. */
  readonly generation: number
}
