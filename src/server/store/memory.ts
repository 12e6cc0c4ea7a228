import type { Account } from '../../core/account/account.js'
import { settingsSchema } from '../../core/settings.js'
import { type AccountUsage, createAccountUsage } from '../bounds/census.js'
import type { Counted } from '../bounds/counted.js'
import { noPersistence, type Persistence } from '../state/keeping.js'
import { createOwners } from './owners.js'
import type { Store } from './store.js'

export interface MemoryStoreParts {
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
