import { DEFAULT_KEY } from '../core/account/account.js'
import { isIdle, removeTask } from '../core/account/eviction.js'
import { bytesOfTask } from '../core/account/task-table.js'
import type { Account } from '../core/model/account.js'
import type { Task } from '../core/model/task.js'
import { type QuotaExceeded, type QuotaName, quotaSpecs } from '../core/quotas.js'
import { readClock } from '../core/schedule/time.js'
import type { Settings } from '../core/settings.js'
import type { Quotas } from './quotas.js'
import { createUsage } from './usage.js'

/**
 * Quotas of accounts: evicts what is over a quota after each change, one for one, and says what is refused where nothing
 * can be evicted. Unreachable tasks are evicted first, silently; then ended tasks and idle accounts; live ones never are.
 */
export interface AccountQuotas {
  enter(account: Account): void
  leave(key: string): void
  /** Counts what an account holds and evicts what is over a quota, from any account. Called after each change. */
  count(account: Account): void
  /** The key of the account to forget before one more is opened; undefined: there is room. */
  evictionCandidate(): string | undefined
  /** Why a new task or asset of an account does not fit; undefined: it does. */
  shortageOf(what: Task | 'asset', account: Readonly<Account>): QuotaExceeded | undefined
  /** Why an account that is not open yet cannot be opened; undefined: it can. */
  shortageFor(key: string): QuotaExceeded | undefined
}

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

export const createAccountQuotas = ({
  settings,
  quotas,
  systemNow,
}: {
  readonly settings: Settings
  readonly quotas: Quotas
  readonly systemNow: () => number
}): AccountQuotas => {
  const { maxAccounts, tasksPerAccount, tasksInAll, taskBytes, assetsInAll, callbacksLoggedInAll } = settings
  /** LRU order: the account that was called longest ago comes first. */
  const accounts = new Map<string, CountedAccount>()
  const configured = new Set([
    DEFAULT_KEY,
    ...settings.account.map((one) => (typeof one === 'string' ? one : one.key)),
  ])
  const tasks = createUsage()
  const ended = createUsage()
  const bytes = createUsage()
  const endedBytes = createUsage()
  const assets = createUsage()
  const logged = createUsage()

  const largest = (size: (account: Account) => number) => () => {
    let found = 0
    for (const { account } of accounts.values()) found = Math.max(found, size(account))
    return found
  }
  quotas.measure({
    accounts: () => accounts.size,
    'tasks-in-all': () => tasks.total,
    'task-bytes': () => bytes.total,
    'assets-in-all': () => assets.total,
    'callback-logs': () => logged.total,
    'tasks-per-account': () => tasks.largest()?.amount ?? 0,
    'assets-per-account': () => assets.largest()?.amount ?? 0,
    'asset-bytes-per-account': largest(bytesOfAssets),
    'callback-log': () => logged.largest()?.amount ?? 0,
    scenarios: largest(({ playing }) => playing.length),
  })

  const countTasks = ({ key, tasks: table }: Account): void => {
    tasks.set(key, table.size)
    ended.set(key, table.ended)
    bytes.set(key, table.bytes)
    endedBytes.set(key, table.endedBytes)
  }

  const evict = (account: Account, task: Task): true => {
    removeTask(account, task)
    countTasks(account)
    return true
  }

  /** Evicts the oldest task that cannot be asked for any more; false: there is none. */
  const evictUnreachable = (account: Account): boolean => {
    const task = account.tasks.oldestUnreachable(readClock(account.clock, systemNow()))
    return task !== undefined && evict(account, task)
  }

  /** Evicts the oldest ended task of an account, unreachable ones first; false: it has none. */
  const evictOldest = (account: Account, quota: QuotaName): boolean => {
    if (evictUnreachable(account)) return true
    const task = account.tasks.oldestEnded()
    if (task === undefined) return false
    quotas.hit(quota)
    return evict(account, task)
  }

  const evictFromLargest = (usage: ReturnType<typeof createUsage>, quota: QuotaName): boolean => {
    const account = accounts.get(usage.largest()?.key ?? '')?.account
    return account !== undefined && evictOldest(account, quota)
  }

  const evictTasks = (account: Account): void => {
    // Two for each change, so that their number falls with time.
    if (account.tasks.size > MIN_CLEANED && evictUnreachable(account)) evictUnreachable(account)
    while (account.tasks.size > tasksPerAccount && evictOldest(account, 'tasks-per-account'));
    while (tasks.total > tasksInAll && evictFromLargest(ended, 'tasks-in-all'));
    while (bytes.total > taskBytes && evictFromLargest(endedBytes, 'task-bytes'));
  }

  const evictCallbacks = (): void => {
    while (logged.total > callbacksLoggedInAll) {
      const account = accounts.get(logged.largest()?.key ?? '')?.account
      const [oldest] = account?.callbacks.log.keys() ?? []
      if (account === undefined || oldest === undefined) return
      account.callbacks.log.delete(oldest)
      account.callbacks.evicted += 1
      logged.add(account.key, -1)
      quotas.hit('callback-logs')
    }
  }

  const countCalls = (counted: CountedAccount): void => {
    const { key, requests } = counted.account
    if (requests === counted.requests) return
    counted.requests = requests
    accounts.delete(key)
    accounts.set(key, counted)
  }

  const isEvictable = ({ account }: CountedAccount): boolean =>
    !configured.has(account.key) && isIdle(account, readClock(account.clock, systemNow()))

  const firstEvictable = (): CountedAccount | undefined => {
    for (const counted of accounts.values()) if (isEvictable(counted)) return counted
    return undefined
  }

  const shortageOfTasks = (account: Readonly<Account>, task: Task): QuotaExceeded | undefined => {
    const { size } = account.tasks
    if (size >= tasksPerAccount && account.tasks.ended === 0)
      return shortage('tasks-per-account', size, `the account has ${size} tasks, none of which has ended`)
    if (tasks.total >= tasksInAll && ended.total === 0)
      return shortage(
        'tasks-in-all',
        tasks.total,
        `all accounts together have ${tasks.total} tasks, none of which has ended`,
      )
    const more = bytesOfTask(task)
    const live = bytes.total - endedBytes.total
    if (live + more <= taskBytes) return undefined
    const why = `the task takes about ${more} bytes, and those of all accounts that have not ended ${live}`
    return shortage('task-bytes', live + more, why)
  }

  /** @param why a clause that says what exists already */
  const shortage = (bound: QuotaName, found: number, why: string): QuotaExceeded => {
    const [setting] = quotaSpecs[bound].settings
    const max = Number(settings[setting])
    const says = `The emulator has no more room: ${why}, and the setting ${setting} is ${max}`
    return { bound, setting, most: max, found, says }
  }

  return {
    enter: (account) => {
      const { requests, callbacks } = account
      accounts.set(account.key, { account, requests, evictedCallbacks: callbacks.evicted })
      quotas.observe('accounts', accounts.size)
    },
    leave: (key) => {
      accounts.delete(key)
      for (const usage of [tasks, ended, bytes, endedBytes, assets, logged]) usage.forget(key)
    },
    count: (account) => {
      const counted = accounts.get(account.key)
      if (counted === undefined) return
      countCalls(counted)
      countTasks(account)
      quotas.observe('tasks-in-all', tasks.total)
      quotas.observe('task-bytes', bytes.total)
      evictTasks(account)
      assets.set(account.key, account.assets.size)
      if (account.callbacks.evicted > counted.evictedCallbacks) quotas.hit('callback-log')
      logged.set(account.key, account.callbacks.log.size)
      evictCallbacks()
      counted.evictedCallbacks = account.callbacks.evicted
    },
    evictionCandidate: () => {
      if (accounts.size < maxAccounts) return undefined
      const counted = firstEvictable()
      if (counted !== undefined) quotas.hit('accounts')
      return counted?.account.key
    },
    shortageOf: (what, account) => {
      if (what !== 'asset') return shortageOfTasks(account, what)
      if (assets.total < assetsInAll) return undefined
      const why = `all accounts together have ${assets.total} assets`
      return shortage('assets-in-all', assets.total, why)
    },
    shortageFor: (key) => {
      const { size } = accounts
      if (size < maxAccounts || accounts.has(key) || configured.has(key)) return undefined
      if (firstEvictable() !== undefined) return undefined
      return shortage('accounts', size, `there are ${size} accounts, and none of them that could go is idle`)
    },
  }
}

const bytesOfAssets = ({ assets }: Account): number => {
  let sum = 0
  for (const { bytes } of assets.values()) sum += bytes
  return sum
}
