import type { Account } from '../core/model/account.js'
import { settingsSchema } from '../core/settings.js'
import { noPersistence, type Persistence } from './persistence/port.js'
import { type AccountUsage, type Counted, createAccountUsage } from './quotas.js'

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

/**
 * Whose the ids are that are asked for without a key: those of asset jobs. Their digits are too few to name an account,
 * so that it is looked up. What is in here follows from the accounts, and can be made again from them.
 */
export interface Owners {
  /** The key of the account that owns an id; `first`, where it is one of several. */
  of(id: string, first?: string): string | undefined
  give(id: string, key: string): void
  drop(id: string, key: string): void
}

export const createOwners = (): Owners => {
  const keysById = new Map<string, readonly string[]>()
  return {
    of: (id, first) => {
      const keys = keysById.get(id) ?? []
      return first !== undefined && keys.includes(first) ? first : keys[0]
    },
    give: (id, key) => {
      keysById.set(id, [...(keysById.get(id) ?? []), key])
    },
    drop: (id, key) => {
      const left = (keysById.get(id) ?? []).filter((one) => one !== key)
      if (left.length === 0) keysById.delete(id)
      else keysById.set(id, left)
    },
  }
}

interface MemoryStoreParts {
  /** Keeps accounts and what they have within bounds; left out, within those that are the default. */
  readonly usage?: AccountUsage
  /** Told of an account that had to make room, once it is gone. */
  readonly onLeft?: (account: Account) => void
  /** Has accounts outlive the process; left out, none does. */
  readonly persistence?: Persistence
}

/** Accounts in this process's memory. `open` makes the ones that are new. */
export const createMemoryStore = (
  open: (key: string) => Account,
  { usage = defaultCensus(), onLeft = () => {}, persistence = noPersistence }: MemoryStoreParts = {},
): Store => {
  const keysByTag = new Map<string, string>()
  const owners = createOwners()
  const countedOf = (key: string): Counted => {
    const known = usage.accounts.get(key)
    if (known !== undefined) return known
    for (const leaver of usage.evictionCandidates()) makeRoom(leaver)
    return enter(persistence.keep(open(key)))
  }
  const enter = (account: Account): Counted => {
    // A key that stands in for another has its tag, and must not take its results away from it.
    if (!keysByTag.has(account.tag)) keysByTag.set(account.tag, account.key)
    for (const id of account.jobs.keys()) owners.give(id, account.key)
    const counted = usage.enter(account)
    usage.count(counted)
    return counted
  }
  const forget = (key: string): void => {
    const account = usage.accounts.get(key)?.account
    if (account === undefined) return
    for (const id of account.jobs.keys()) owners.drop(id, key)
    if (keysByTag.get(account.tag) === key) keysByTag.delete(account.tag)
    usage.leave(key)
    persistence.forgotten(key)
  }
  const makeRoom = (key: string): void => {
    const account = usage.accounts.get(key)?.account
    forget(key)
    if (account !== undefined) onLeft(account)
  }
  for (const account of persistence.accounts) enter(account)
  return {
    run: async (key, act) => {
      const counted = countedOf(key)
      try {
        return act(counted.account, owners)
      } finally {
        usage.count(counted)
        persistence.ran(key)
      }
    },
    put: async (account) => {
      const before = usage.accounts.get(account.key)?.account
      forget(account.key)
      enter(persistence.keep(account))
      return before
    },
    keyOfAccountId: async (tag) => keysByTag.get(tag),
    ownerOf: async (id, first) => owners.of(id, first),
    keys: async () => [...usage.accounts.keys()],
    forget: async (key) => forget(key),
  }
}

const defaultCensus = (): AccountUsage =>
  createAccountUsage({ settings: settingsSchema.parse({}), wall: () => 0 })
