import type { Account } from '../../core/account/account.js'
import { settingsSchema } from '../../core/settings.js'
import { type Census, createCensus } from '../bounds/census.js'
import type { Counted } from '../bounds/counted.js'
import { type Keeping, keepingNothing } from '../state/keeping.js'
import { createOwners } from './owners.js'
import type { Store } from './store.js'

export interface MemoryStoreParts {
  /** Keeps accounts and what they have within bounds; left out, within those that are the default. */
  readonly census?: Census
  /** Told of an account that had to make room, once it is gone. */
  readonly onLeft?: (account: Account) => void
  /** Has accounts outlive the process; left out, none does. */
  readonly keeping?: Keeping
}

/** Accounts in this process's memory. `open` makes the ones that are new. */
export const createMemoryStore = (
  open: (key: string) => Account,
  { census = defaultCensus(), onLeft = () => {}, keeping = keepingNothing }: MemoryStoreParts = {},
): Store => {
  const keysByTag = new Map<string, string>()
  const owners = createOwners()
  const countedOf = (key: string): Counted => {
    const known = census.accounts.get(key)
    if (known !== undefined) return known
    for (const leaver of census.leavers()) makeRoom(leaver)
    return enter(keeping.keep(open(key)))
  }
  const enter = (account: Account): Counted => {
    // A key that stands in for another has its tag, and must not take its results away from it.
    if (!keysByTag.has(account.tag)) keysByTag.set(account.tag, account.key)
    for (const id of account.jobs.keys()) owners.give(id, account.key)
    const counted = census.enter(account)
    census.count(counted)
    return counted
  }
  const forget = (key: string): void => {
    const account = census.accounts.get(key)?.account
    if (account === undefined) return
    for (const id of account.jobs.keys()) owners.drop(id, key)
    if (keysByTag.get(account.tag) === key) keysByTag.delete(account.tag)
    census.leave(key)
    keeping.forgotten(key)
  }
  const makeRoom = (key: string): void => {
    const account = census.accounts.get(key)?.account
    forget(key)
    if (account !== undefined) onLeft(account)
  }
  for (const account of keeping.accounts) enter(account)
  return {
    run: async (key, act) => {
      const counted = countedOf(key)
      try {
        return act(counted.account, owners)
      } finally {
        census.count(counted)
        keeping.ran(key)
      }
    },
    put: async (account) => {
      const before = census.accounts.get(account.key)?.account
      forget(account.key)
      enter(keeping.keep(account))
      return before
    },
    keyOfTag: async (tag) => keysByTag.get(tag),
    ownerOf: async (id, first) => owners.of(id, first),
    keys: async () => [...census.accounts.keys()],
    forget: async (key) => forget(key),
  }
}

const defaultCensus = (): Census => createCensus({ settings: settingsSchema.parse({}), wall: () => 0 })
