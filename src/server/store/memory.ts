import type { Account } from '../../core/account/account.js'
import type { Store } from './store.js'

/** Accounts in this process's memory. `open` makes the ones that are new. */
export const createMemoryStore = (open: (key: string) => Account): Store => {
  const accounts = new Map<string, Account>()
  const keysByTag = new Map<string, string>()
  const accountOf = (key: string): Account => {
    const known = accounts.get(key)
    if (known !== undefined) return known
    const account = open(key)
    accounts.set(key, account)
    keysByTag.set(account.tag, key)
    return account
  }
  return {
    run: async (key, act) => act(accountOf(key)),
    keyOfTag: async (tag) => keysByTag.get(tag),
    keys: async () => [...accounts.keys()],
    forget: async (key) => {
      keysByTag.delete(accounts.get(key)?.tag ?? '')
      accounts.delete(key)
    },
  }
}
