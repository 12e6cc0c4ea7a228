import type { Account } from '../../core/account/account.js'
import type { Owners } from './owners.js'

/**
 * Where accounts live. Its one verb runs something against one account, all or nothing; it is asynchronous, so that a
 * store behind a network can take its place.
 */
export interface Store {
  /** Runs `act` on the account of a key, opened if it is new. `act` must not wait for anything. */
  run<T>(key: string, act: (account: Account, owners: Owners) => T): Promise<T>
  /** Puts an account in the place of the one that there is under its key, and answers that one. */
  put(account: Account): Promise<Account | undefined>
  /** The key of the account that a tag stands for. */
  keyOfAccountId(tag: string): Promise<string | undefined>
  /** The key of the account that owns an id; that of `first`, where several do. */
  ownerOf(id: string, first?: string): Promise<string | undefined>
  /** The keys of all accounts, in the order in which they were opened. */
  keys(): Promise<readonly string[]>
  /** Forgets an account; a later call opens it anew. */
  forget(key: string): Promise<void>
}
