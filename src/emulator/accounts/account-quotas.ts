import { DEFAULT_KEY, isIdle } from '../core/account/account.js'
import { removeTask } from '../core/account/apply.js'
import { bytesOfTask } from '../core/account/task-table.js'
import { counted } from '../core/count-words.js'
import type { Account } from '../core/model/account.js'
import type { Task } from '../core/model/task.js'
import { type QuotaExceeded, type QuotaName, type QuotaReporter, quotaSpecs } from '../core/quotas.js'
import { readClock } from '../core/schedule/time.js'
import type { Settings } from '../core/settings.js'
import { createUsage } from './usage.js'

export type AccountQuotas = ReturnType<typeof createAccountQuotas>

interface CountedAccount {
  readonly account: Account
  requests: number
  evictedCallbacks: number
}

/** Settings of a replica without the quotas of all accounts together: a replica has only some of the accounts in memory. */
export const withoutTotals = (settings: Settings): Settings => ({
  ...settings,
  maxAccounts: Number.MAX_SAFE_INTEGER,
  tasksInAll: Number.MAX_SAFE_INTEGER,
  taskBytes: Number.MAX_SAFE_INTEGER,
  assetsInAll: Number.MAX_SAFE_INTEGER,
  callbacksLoggedInAll: Number.MAX_SAFE_INTEGER,
})

/** Unreachable tasks of smaller accounts are kept, since the control API lists them. */
const MIN_CLEANED = 1_000

/**
 * Quotas of accounts: evicts what is over a quota after each change, one for one, and says what is refused where nothing
 * can be evicted. Unreachable tasks are evicted first, silently; then ended tasks and idle accounts; live ones never are.
 */
export const createAccountQuotas = (settings: Settings, quotas: QuotaReporter, systemNow: () => number) => {
  const { maxAccounts, tasksPerAccount, tasksInAll, taskBytes, assetsInAll, callbacksLoggedInAll } = settings
  /** LRU order: the account that was called longest ago comes first. */
  const accounts = new Map<string, CountedAccount>()
  /** The last of them, which need not be moved: a map that is deleted from and added to is allocated anew every few calls. */
  let newest: CountedAccount | undefined
  const configured = new Set([
    DEFAULT_KEY,
    ...settings.account.map((named) => (typeof named === 'string' ? named : named.key)),
  ])
  const tasks = createUsage()
  const endedTasks = createUsage()
  const bytes = createUsage()
  const endedBytes = createUsage()
  const assets = createUsage()
  const callbacks = createUsage()

  quotas.measure({
    accounts: () => accounts.size,
    'tasks-in-all': () => tasks.total,
    'task-bytes': () => bytes.total,
    'assets-in-all': () => assets.total,
    'callback-logs': () => callbacks.total,
    'tasks-per-account': () => tasks.largest()?.amount ?? 0,
    'assets-per-account': () => assets.largest()?.amount ?? 0,
    'asset-bytes-per-account': () => largestOf(accounts.values(), bytesOfAssets),
    'callback-log': () => callbacks.largest()?.amount ?? 0,
    scenarios: () => largestOf(accounts.values(), ({ playing }) => playing.length),
  })

  /** Adds what an account holds to the usages, in place of what it held. */
  const recount = (account: Account): void => {
    const { key, tasks: table } = account
    tasks.set(key, table.size)
    endedTasks.set(key, table.ended)
    bytes.set(key, table.bytes)
    endedBytes.set(key, table.endedBytes)
    assets.set(key, account.assets.size)
    callbacks.set(key, account.callbacks.log.size)
  }

  const evict = (account: Account, task: Task | undefined): boolean => {
    if (task === undefined) return false
    removeTask(account, task)
    recount(account)
    return true
  }

  /** Evicts the oldest task that cannot be asked for any more; false: there is none. */
  const evictUnreachable = (account: Account): boolean =>
    evict(account, account.tasks.oldestUnreachable(readClock(account.clock, systemNow())))

  /** Evicts the oldest ended task of an account, unreachable ones first; false: it has none. */
  const evictOldest = (account: Account | undefined, quota: QuotaName): boolean => {
    if (account === undefined) return false
    if (evictUnreachable(account)) return true
    const isEvicted = evict(account, account.tasks.oldestEnded())
    if (isEvicted) quotas.hit(quota)
    return isEvicted
  }

  const largestIn = (usage: ReturnType<typeof createUsage>): Account | undefined =>
    accounts.get(usage.largest()?.key ?? '')?.account

  const evictTasks = (account: Account): void => {
    // Two for each change, so that their number falls with time.
    if (account.tasks.size > MIN_CLEANED && evictUnreachable(account)) evictUnreachable(account)
    while (account.tasks.size > tasksPerAccount && evictOldest(account, 'tasks-per-account'));
    while (tasks.total > tasksInAll && evictOldest(largestIn(endedTasks), 'tasks-in-all'));
    while (bytes.total > taskBytes && evictOldest(largestIn(endedBytes), 'task-bytes'));
  }

  const evictCallbacks = (): void => {
    while (callbacks.total > callbacksLoggedInAll) {
      const account = largestIn(callbacks)
      const [oldest] = account?.callbacks.log.keys() ?? []
      if (account === undefined || oldest === undefined) return
      account.callbacks.log.delete(oldest)
      account.callbacks.evicted += 1
      recount(account)
      quotas.hit('callback-logs')
    }
  }

  /** The accounts that may be evicted, the one that was called longest ago first. */
  function* evictable(): Generator<Account, undefined> {
    for (const { account } of accounts.values())
      if (!configured.has(account.key) && isIdle(account, readClock(account.clock, systemNow())))
        yield account
  }

  /** @param why a clause that says what exists already */
  const shortage = (bound: QuotaName, found: number, why: string): QuotaExceeded => {
    const [setting] = quotaSpecs[bound].settings
    const most = Number(settings[setting])
    const says = `The emulator has no more room: ${why}, and the setting ${setting} is ${most}`
    return { bound, setting, most, found, says }
  }

  const shortageOfTasks = (account: Readonly<Account>, task: Task): QuotaExceeded | undefined => {
    const { size, ended } = account.tasks
    if (size >= tasksPerAccount && ended === 0)
      return shortage(
        'tasks-per-account',
        size,
        `the account has ${counted(size, 'task')}, none of which has ended`,
      )
    if (tasks.total >= tasksInAll && endedTasks.total === 0) {
      const why = `all accounts together have ${counted(tasks.total, 'task')}, none of which has ended`
      return shortage('tasks-in-all', tasks.total, why)
    }
    const more = bytesOfTask(task)
    const live = bytes.total - endedBytes.total
    if (live + more <= taskBytes) return undefined
    const why = `the task takes about ${more} bytes, and those of all accounts that have not ended ${live}`
    return shortage('task-bytes', live + more, why)
  }

  return {
    enter: (account: Account): void => {
      newest = { account, requests: account.requests, evictedCallbacks: account.callbacks.evicted }
      accounts.set(account.key, newest)
      quotas.observe('accounts', accounts.size)
    },
    leave: (key: string): void => {
      accounts.delete(key)
      for (const usage of [tasks, endedTasks, bytes, endedBytes, assets, callbacks]) usage.forget(key)
    },
    /** Counts what an account holds and evicts what is over a quota, from any account. Called after each change. */
    count: (account: Account): void => {
      const counted = accounts.get(account.key)
      if (counted === undefined) return
      if (account.requests !== counted.requests && counted !== newest) {
        accounts.delete(account.key)
        accounts.set(account.key, counted)
        newest = counted
      }
      if (account.callbacks.evicted > counted.evictedCallbacks) quotas.hit('callback-log')
      recount(account)
      quotas.observe('tasks-in-all', tasks.total)
      quotas.observe('task-bytes', bytes.total)
      evictTasks(account)
      evictCallbacks()
      counted.requests = account.requests
      counted.evictedCallbacks = account.callbacks.evicted
    },
    /** The key of the account to forget before one more is opened; undefined: there is room. */
    evictionCandidate: (): string | undefined => {
      if (accounts.size < maxAccounts) return undefined
      const candidate = evictable().next().value
      if (candidate !== undefined) quotas.hit('accounts')
      return candidate?.key
    },
    /** Why a new task or asset of an account does not fit; undefined: it does. */
    shortageOf: (what: Task | 'asset', account: Readonly<Account>): QuotaExceeded | undefined => {
      if (what !== 'asset') return shortageOfTasks(account, what)
      if (assets.total < assetsInAll) return undefined
      return shortage(
        'assets-in-all',
        assets.total,
        `all accounts together have ${counted(assets.total, 'asset')}`,
      )
    },
    /** Why an account that is not open yet cannot be opened; undefined: it can. */
    shortageFor: (key: string): QuotaExceeded | undefined => {
      const { size } = accounts
      if (size < maxAccounts || accounts.has(key) || configured.has(key)) return undefined
      // More than one has to go where the control API or a state file has opened accounts beyond the quota.
      let surplus = size - maxAccounts + 1
      for (const _ of evictable()) if (--surplus === 0) return undefined
      return shortage('accounts', size, `there are ${size} accounts, and too few of them can be evicted`)
    },
  }
}

const largestOf = (accounts: Iterable<CountedAccount>, sizeOf: (account: Account) => number): number => {
  let largest = 0
  for (const { account } of accounts) largest = Math.max(largest, sizeOf(account))
  return largest
}

const bytesOfAssets = ({ assets }: Account): number => {
  let sum = 0
  for (const { bytes } of assets.values()) sum += bytes
  return sum
}
