import type { QuotaName } from '../../generated/names.js'
import { DEFAULT_KEY, isIdle } from './account/account.js'
import { removeTask } from './account/apply.js'
import { bytesOfTask } from './account/task-table.js'
import { Heap, type HeapEntry } from './collections/heap.js'
import type { QuotaExceeded } from './contract.js'
import { counted } from './count-words.js'
import type { Account } from './model/account.js'
import type { Task } from './model/task.js'
import { type Instant, readClock } from './schedule/time.js'
import type { Settings } from './settings.js'

/** Quota: what is limited, by which settings, and what happens at the limit. */
export interface QuotaSpec {
  readonly of: string
  /** The settings that say how many; the first is the one that matters most. */
  readonly settings: readonly [keyof Settings, ...(keyof Settings)[]]
  /** `account`: the size that is shown is that of the account with most. `call`: nothing is kept, and no size is shown. */
  readonly per: 'account' | 'emulator' | 'call'
  /** What happens there, as long as there is something that can go or wait. */
  readonly kind: 'forgets' | 'waits' | 'refuses'
  /** What happens there, in a sentence without a full stop. */
  readonly atBound: string
}

/** Quota hit: a quota that was reached. */
export interface QuotaHit {
  readonly name: QuotaName
  readonly setting: keyof Settings
  readonly most: number
  /** How often it was met so far. */
  readonly hits: number
  /** A sentence: what is full, which setting says so, and what happens now. */
  readonly says: string
}

/** Quota reporter: where parts say how full they are. */
export interface QuotaReporter {
  /** There was no room for one more: something old is evicted, or something new waits. */
  hit(name: QuotaName): void
  /** There was no room for one more, and a caller is refused. */
  refuse(name: QuotaName): void
  /** The size at this moment; for what is counted where it grows, so that no peak is missed. */
  observe(name: QuotaName, size: number): void
  /** How sizes are measured, when they are asked for. */
  measure(sizes: Readonly<Partial<Record<QuotaName, () => number>>>): void
}

/** Reporter for parts that run on their own. */
export const noQuotaReporter: QuotaReporter = {
  hit: () => {},
  refuse: () => {},
  observe: () => {},
  measure: () => {},
}

interface UsageEntry extends HeapEntry {
  readonly key: string
  amount: number
}

/** Usage of a quota by accounts: an amount for each key, their sum, and the key with the largest (a max-heap). */
export class Usage {
  readonly #entries = new Map<string, UsageEntry>()
  readonly #heap = new Heap<UsageEntry>((one, other) => one.amount > other.amount)
  /** The sum of all amounts. */
  total = 0

  /** Replaces the amount of a key. */
  set(key: string, amount: number): void {
    const known = this.#entries.get(key)
    this.total += amount - (known?.amount ?? 0)
    if (known === undefined) {
      if (amount === 0) return
      const entry: UsageEntry = { key, amount, heapIndex: -1 }
      this.#entries.set(key, entry)
      this.#heap.push(entry)
    } else if (amount === 0) {
      this.#heap.remove(known)
      this.#entries.delete(key)
    } else if (amount !== known.amount) {
      known.amount = amount
      this.#heap.update(known)
    }
  }

  /** Adds to the amount of a key; a negative number is subtracted. */
  add(key: string, amount: number): void {
    this.set(key, (this.#entries.get(key)?.amount ?? 0) + amount)
  }

  /** The key with the largest amount, or undefined where all amounts are 0. */
  largest(): string | undefined {
    return this.#heap.peek()?.key
  }
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

type SystemNow = () => Instant

/** An account, and what of it is in the sums. */
interface CountedAccount {
  readonly account: Account
  tasks: number
  taskBytes: number
  assets: number
  evictedCallbacks: number
}

/**
 * Quotas of accounts: evicts what is over a quota after each change, one for one, and says what is refused where nothing
 * can be evicted. Unreachable tasks are evicted first, silently; then ended tasks and idle accounts; live ones never are.
 * Every `systemNow` says the time of the system, and is asked where something may have to go.
 */
export class AccountQuotas {
  readonly #settings: Settings
  readonly #quotas: QuotaReporter
  /** LRU order: the account that was called longest ago comes first. */
  readonly #accounts = new Map<string, CountedAccount>()
  /** The last of them, which need not be moved: a map that is deleted from and added to is allocated anew every few calls. */
  #newest: CountedAccount | undefined
  readonly #configured: ReadonlySet<string>
  #tasks = 0
  #taskBytes = 0
  #assets = 0
  readonly #endedTasks = new Usage()
  readonly #endedBytes = new Usage()
  readonly #callbacks = new Usage()

  constructor(settings: Settings, quotas: QuotaReporter) {
    this.#settings = settings
    this.#quotas = quotas
    const listed = settings.account.map((named) => (typeof named === 'string' ? named : named.key))
    this.#configured = new Set([DEFAULT_KEY, ...listed])
    const largest = (sizeOf: (account: Account) => number) => () => {
      let size = 0
      for (const { account } of this.#accounts.values()) size = Math.max(size, sizeOf(account))
      return size
    }
    quotas.measure({
      accounts: () => this.#accounts.size,
      'tasks-in-all': () => this.#tasks,
      'task-bytes': () => this.#taskBytes,
      'assets-in-all': () => this.#assets,
      'callback-logs': () => this.#callbacks.total,
      'tasks-per-account': largest(({ tasks }) => tasks.size),
      'assets-per-account': largest(({ assets }) => assets.size),
      'asset-bytes-per-account': largest(bytesOfAssets),
      'callback-log': largest(({ callbacks: { log } }) => log.size),
      scenarios: largest(({ playing }) => playing.length),
    })
  }

  /** Takes an account in, with what it holds. */
  enter(account: Account): void {
    const { evicted } = account.callbacks
    const entered = { account, tasks: 0, taskBytes: 0, assets: 0, evictedCallbacks: evicted }
    this.#accounts.set(account.key, entered)
    this.#newest = entered
    this.#quotas.observe('accounts', this.#accounts.size)
    this.#recount(entered)
  }

  leave(key: string): void {
    const left = this.#accounts.get(key)
    if (left === undefined) return
    this.#accounts.delete(key)
    this.#tasks -= left.tasks
    this.#taskBytes -= left.taskBytes
    this.#assets -= left.assets
    for (const usage of [this.#endedTasks, this.#endedBytes, this.#callbacks]) usage.set(key, 0)
  }

  /** Moves an account to the end of the LRU order, since it was called. */
  touch({ key }: Account): void {
    if (this.#newest?.account.key === key) return
    const called = this.#accounts.get(key)
    if (called === undefined) return
    this.#accounts.delete(key)
    this.#accounts.set(key, called)
    this.#newest = called
  }

  /** Counts what an account holds after a change, and evicts what is over a quota, from any account. */
  count({ key, callbacks: { evicted } }: Account, systemNow: SystemNow): void {
    const changed = this.#accounts.get(key)
    if (changed === undefined) return
    if (evicted > changed.evictedCallbacks) this.#quotas.hit('callback-log')
    this.#recount(changed)
    this.#quotas.observe('tasks-in-all', this.#tasks)
    this.#quotas.observe('task-bytes', this.#taskBytes)
    const { account } = changed
    const { tasksPerAccount, tasksInAll, taskBytes, callbacksLoggedInAll } = this.#settings
    // Two for each change, so that their number falls with time.
    const { usage } = account.tasks
    if (usage.size > MIN_CLEANED && this.#evictUnreachable(account, systemNow))
      this.#evictUnreachable(account, systemNow)
    while (usage.size > tasksPerAccount && this.#evictTask(account, 'tasks-per-account', systemNow));
    while (this.#tasks > tasksInAll && this.#evictTaskOf(this.#endedTasks, 'tasks-in-all', systemNow));
    while (this.#taskBytes > taskBytes && this.#evictTaskOf(this.#endedBytes, 'task-bytes', systemNow));
    while (this.#callbacks.total > callbacksLoggedInAll && this.#evictCallback());
    changed.evictedCallbacks = account.callbacks.evicted
  }

  /** The key of the account to forget before one more is opened, or undefined where there is room, or all are busy. */
  evictionCandidate(systemNow: SystemNow): string | undefined {
    if (this.#accounts.size < this.#settings.maxAccounts) return undefined
    const candidate = this.#evictable(systemNow).next().value
    if (candidate !== undefined) this.#quotas.hit('accounts')
    return candidate?.key
  }

  /** Why a new task or asset of an account does not fit, or undefined where it does. */
  shortageOf(what: Task | 'asset', { tasks }: Readonly<Account>): QuotaExceeded | undefined {
    const { tasksPerAccount, tasksInAll, taskBytes, assetsInAll } = this.#settings
    if (what === 'asset')
      return this.#assets < assetsInAll
        ? undefined
        : this.#shortage(
            'assets-in-all',
            'assetsInAll',
            this.#assets,
            `all accounts together have ${counted(this.#assets, 'asset')}`,
          )
    const { size, ended } = tasks.usage
    if (size >= tasksPerAccount && ended === 0) {
      const why = `the account has ${counted(size, 'task')}, none of which has ended`
      return this.#shortage('tasks-per-account', 'tasksPerAccount', size, why)
    }
    if (this.#tasks >= tasksInAll && this.#endedTasks.total === 0) {
      const why = `all accounts together have ${counted(this.#tasks, 'task')}, none of which has ended`
      return this.#shortage('tasks-in-all', 'tasksInAll', this.#tasks, why)
    }
    const more = bytesOfTask(what)
    const live = this.#taskBytes - this.#endedBytes.total
    if (live + more <= taskBytes) return undefined
    const why = `the task takes about ${more} bytes, and those of all accounts that have not ended ${live}`
    return this.#shortage('task-bytes', 'taskBytes', live + more, why)
  }

  /** Why an account that is not open yet cannot be opened, or undefined where it is open, or it can. */
  shortageFor(key: string, systemNow: SystemNow): QuotaExceeded | undefined {
    const { size } = this.#accounts
    const { maxAccounts } = this.#settings
    if (size < maxAccounts || this.#accounts.has(key) || this.#configured.has(key)) return undefined
    // More than one has to go where the control API or a state file has opened accounts beyond the quota.
    let surplus = size - maxAccounts + 1
    for (const _ of this.#evictable(systemNow)) if (--surplus === 0) return undefined
    const why = `there are ${size} accounts, and too few of them can be evicted`
    return this.#shortage('accounts', 'maxAccounts', size, why)
  }

  /** @param why a clause that says what exists already */
  #shortage(quota: QuotaName, setting: keyof Settings, found: number, why: string): QuotaExceeded {
    const most = Number(this.#settings[setting])
    const says = `The emulator has no more room: ${why}, and the setting ${setting} is ${most}`
    return { quota, setting, most, found, says }
  }

  /** Puts what an account holds into the sums, in place of what it held. */
  #recount(of: CountedAccount): void {
    const { key, tasks, assets, callbacks } = of.account
    const { size, bytes, ended, endedBytes } = tasks.usage
    this.#tasks += size - of.tasks
    this.#taskBytes += bytes - of.taskBytes
    this.#assets += assets.size - of.assets
    of.tasks = size
    of.taskBytes = bytes
    of.assets = assets.size
    this.#endedTasks.set(key, ended)
    this.#endedBytes.set(key, endedBytes)
    this.#callbacks.set(key, callbacks.log.size)
  }

  /** The accounts that may be evicted, the one that was called longest ago first. */
  *#evictable(systemNow: SystemNow): Generator<Account, undefined> {
    for (const { account } of this.#accounts.values())
      if (!this.#configured.has(account.key) && isIdle(account, readClock(account.clock, systemNow())))
        yield account
  }

  #evict(account: Account, task: Task | undefined): boolean {
    const of = this.#accounts.get(account.key)
    if (task === undefined || of === undefined) return false
    removeTask(account, task)
    this.#recount(of)
    return true
  }

  /** Evicts the oldest task that cannot be asked for any more; false: there is none. */
  #evictUnreachable(account: Account, systemNow: SystemNow): boolean {
    return this.#evict(account, account.tasks.oldestUnreachable(readClock(account.clock, systemNow())))
  }

  /** Evicts the oldest ended task of an account, unreachable ones first; false: it has none. */
  #evictTask(account: Account, quota: QuotaName, systemNow: SystemNow): boolean {
    if (this.#evictUnreachable(account, systemNow)) return true
    const isEvicted = this.#evict(account, account.tasks.oldestEnded())
    if (isEvicted) this.#quotas.hit(quota)
    return isEvicted
  }

  /** The same of the account with the largest usage. */
  #evictTaskOf(usage: Usage, quota: QuotaName, systemNow: SystemNow): boolean {
    const largest = this.#accounts.get(usage.largest() ?? '')
    return largest !== undefined && this.#evictTask(largest.account, quota, systemNow)
  }

  /** Evicts the oldest callback of the longest log. */
  #evictCallback(): boolean {
    const longest = this.#accounts.get(this.#callbacks.largest() ?? '')
    const [oldest] = longest?.account.callbacks.log.keys() ?? []
    if (longest === undefined || oldest === undefined) return false
    longest.account.callbacks.log.delete(oldest)
    longest.account.callbacks.evicted += 1
    this.#recount(longest)
    this.#quotas.hit('callback-logs')
    return true
  }
}

const bytesOfAssets = ({ assets }: Account): number => {
  let sum = 0
  for (const { bytes } of assets.values()) sum += bytes
  return sum
}
