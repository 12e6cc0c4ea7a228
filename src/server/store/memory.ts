import type { Account } from '../../core/account/account.js'
import { createOwners } from './owners.js'
import type { Store } from './store.js'

/** Accounts in this process's memory. `open` makes the ones that are new. */
export const createMemoryStore = (open: (key: string) => Account): Store => {
  const accounts = new Map<string, Account>()
  const keysByTag = new Map<string, string>()
  const owners = createOwners()
  const accountOf = (key: string): Account => {
    const known = accounts.get(key)
    if (known !== undefined) return known
    const account = open(key)
    accounts.set(key, account)
    // A key that stands in for another has its tag, and must not take its results away from it.
    if (!keysByTag.has(account.tag)) keysByTag.set(account.tag, key)
    return account
  }
  return {
    run: async (key, act) => act(accountOf(key), owners),
    keyOfTag: async (tag) => keysByTag.get(tag),
    ownerOf: async (id, first) => owners.of(id, first),
    keys: async () => [...accounts.keys()],
    forget: async (key) => {
      for (const id of accounts.get(key)?.jobs.keys() ?? []) owners.drop(id, key)
      const tag = accounts.get(key)?.tag ?? ''
      if (keysByTag.get(tag) === key) keysByTag.delete(tag)
      accounts.delete(key)
    },
  }
}
