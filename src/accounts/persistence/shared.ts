import type { Account, AccountEvent } from '../../core/model/account.js'
import type { Store, StoreParts } from '../store.js'
import type { Medium } from './port.js'
import type { Note } from './shared-log.js'

/** Persistence that several processes write: accounts are loaded when they are called. */
export interface SharedPersistence extends Medium {
  readonly accounts: readonly []
  readonly shared: SharedAccounts
}

/** Accounts that several processes share. */
interface SharedAccounts {
  /** The store's time in milliseconds since 1970. */
  now(): number
  createStore(parts: Omit<SharedStoreParts, 'onLost'>): Store
  /** Token of the control API that all replicas require; undefined: none was made. */
  readonly controlToken: string | undefined
  /** Keeps an input under its hash for the other replicas. */
  putInput(hash: string, bytes: Uint8Array): Promise<void>
  getInput(hash: string): Promise<Uint8Array | undefined>
}

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
