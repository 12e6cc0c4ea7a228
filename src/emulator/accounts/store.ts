import { timeSlice } from '../concurrency.js'
import { runDue } from '../core/account/apply.js'
import type { ExposureOf } from '../core/account/task-table.js'
import { Multimap } from '../core/collections/multimap.js'
import type { Account, Effects } from '../core/model/account.js'
import type { AccountQuotas } from '../core/quotas.js'
import { type Instant, readClock } from '../core/schedule/time.js'
import type { SetTimer } from '../timers.js'
import type { Persistence } from './persistence/port.js'
import { type LogStatus, TrackedAccount } from './tracked.js'
import { createWakeTimer, type WakeTimer, wakeTimeOf } from './wake-timer.js'

/**
 * Change of one account. It must not wait for anything. What it adds to `effects` is handed out with the rest.
 * @param now what the account's clock says
 */
type Change<T> = (account: Account, now: Instant, effects: Effects) => T

/** Store of the accounts at run time. */
export interface Store {
  /**
   * Transaction on the account of a key, which is opened if it is new: reads its clock, runs what is due, runs the
   * change, runs what became due, appends what changed to the log, and only then hands out events and jobs and resolves.
   * If the change throws, nothing has changed, and the promise rejects with its error. Where much is due, it is run in
   * transactions of its own before and after, in time slices.
   */
  transact<T>(key: string, change: Change<T>): Promise<T>
  /**
   * Transaction of a call that changes nothing but how many there were, such as a query: like `transact`, without a savepoint
   * where nothing is due. What `count` changes all the same is logged, and stays if it throws.
   */
  query<T>(key: string, count: Change<T>): Promise<T>
  /** Reads an account as it stands, opened if it is new. Nothing that is due is run. */
  read<T>(key: string, look: (account: Account, now: Instant) => T): Promise<T>
  /** Replaces the account under its key, and returns the one of before. */
  put(account: Account): Promise<Account | undefined>
  /** The key of the account with this id. */
  keyOfAccountId(accountId: string): Promise<string | undefined>
  /** The key of the account that has this asset job; `first`, if it is one of several. */
  ownerOf(jobId: string, first?: string): Promise<string | undefined>
  /** Whether no account has an asset job of this id. */
  isFree(jobId: string): boolean
  /** The keys of all accounts, in the order in which they were opened. */
  keys(): Promise<readonly string[]>
  /** Forgets an account, which a later call opens anew, and returns it. */
  forget(key: string): Promise<Account | undefined>
  /** Sets the wake timer of every account that came out of the log: from now on live clocks run, and what is due is done. */
  wake(): void
  /** Ends the wake timer. */
  stop(): void
  /**
   * Tells other processes that write the same accounts a line of JSON, which `textOf` makes where there can be some. Resolves
   * once the log of the account has it.
   */
  note(key: string, textOf: () => string): Promise<void>
  /** Applies what other processes have appended by now. An account whose log has a gap stays as it is, to be reset. */
  catchUp(key: string): Promise<void>
  /** Applies it again and again, until what is returned is called. Default: of every account in memory. */
  follow(key?: string): () => void
}

export interface StoreParts {
  /** Opens the account of a new key. */
  readonly open: (key: string) => Account
  readonly systemNow: () => number
  readonly accountQuotas: AccountQuotas
  /** Until when a task can be queried. */
  readonly exposureOf: ExposureOf
  /** Default: nothing outlives the process. */
  readonly persistence?: Persistence | undefined
  /** Receives what came of a transaction, once it is durable. */
  readonly onEffects: (key: string, effects: Effects) => void
  /** Called with an account that was evicted, once it is gone. */
  readonly onEvicted: (account: Account) => void
  /** Called with an account that replaces another, before any call of this process can change it. Default: nothing. */
  readonly onReplaced?: (account: Account) => void
  readonly onInternalError: (error: unknown) => void
  /** Default: a timer that does not keep the process running. */
  readonly setTimer?: SetTimer | undefined
}

/** Registry of the accounts in memory: by key, by account id, and by the asset jobs that they have. */
class AccountRegistry {
  readonly #accounts = new Map<string, TrackedAccount>()
  readonly #keysByAccountId = new Map<string, string>()
  /** A job is asked for without a key, and its digits are too few to name an account. */
  readonly #jobOwners = new Multimap<string, string>()

  get(key: string): TrackedAccount | undefined {
    return this.#accounts.get(key)
  }

  has(key: string): boolean {
    return this.#accounts.has(key)
  }

  /** In the order in which they were opened. */
  values(): TrackedAccount[] {
    return [...this.#accounts.values()]
  }

  add(tracked: TrackedAccount): void {
    const { id, key, jobs } = tracked.account
    // A key that stands in for another has its id, and must not take its results away from it.
    if (!this.#keysByAccountId.has(id)) this.#keysByAccountId.set(id, key)
    this.#accounts.set(key, tracked)
    this.addJobs(key, jobs.keys())
  }

  addJobs(key: string, jobIds: Iterable<string>): void {
    for (const jobId of jobIds) this.#jobOwners.add(jobId, key)
  }

  /** Removes the account of a key and returns it. */
  remove(key: string): Account | undefined {
    const account = this.#accounts.get(key)?.account
    if (account === undefined) return undefined
    for (const jobId of account.jobs.keys()) this.#jobOwners.delete(jobId, key)
    if (this.#keysByAccountId.get(account.id) === key) this.#keysByAccountId.delete(account.id)
    this.#accounts.delete(key)
    return account
  }

  keyOfAccountId(accountId: string): string | undefined {
    return this.#keysByAccountId.get(accountId)
  }

  ownersOf(jobId: string): readonly string[] {
    return this.#jobOwners.get(jobId)
  }
}

/** Store of one process. Its public methods are fields, so that a copy of it with another method works as it does. */
export class AccountStore implements Store {
  readonly #parts: StoreParts
  readonly #accounts = new AccountRegistry()
  /** Keys of accounts with changes that are not in the log yet. A transaction can change other accounts: it may evict one. */
  readonly #changed = new Set<string>()
  readonly #timer: WakeTimer

  constructor(parts: StoreParts) {
    const { systemNow, persistence, setTimer } = parts
    this.#parts = parts
    this.#timer = createWakeTimer(systemNow, (keys) => void this.#runDueOf(keys), setTimer)
    for (const { account, isChanged } of persistence?.accounts ?? [])
      this.#enter(account, isChanged === true ? 'unlogged' : 'logged')
    // Narrower quotas than before can have evicted some of it.
    void this.#append()
  }

  readonly transact: Store['transact'] = async <T>(key: string, change: Change<T>) => {
    let done: Slice<T>['done']
    for (;;) {
      const tracked = this.#accountOf(key)
      const effects: Effects = { events: [], jobs: [] }
      const { slice, appended } = this.#runSlice(tracked, done === undefined ? change : undefined, effects)
      if (appended !== undefined) await appended
      // It may have been forgotten meanwhile, and everything with it.
      const isThere = this.#accounts.get(key) === tracked
      if (isThere && hasEffects(effects)) this.#parts.onEffects(key, effects)
      done ??= slice.done
      if (!slice.isSettled) await timeSlice()
      // What became due of an account that was forgotten is due no more.
      if (done !== undefined && (slice.isSettled || this.#accounts.get(key) !== tracked)) return done.result
    }
  }

  readonly query: Store['query'] = async (key, count) => {
    const tracked = this.#accountOf(key)
    const { account } = tracked
    const now = readClock(account.clock, this.#parts.systemNow())
    if (account.schedule.nextAt <= now) return this.transact(key, count)
    const result = count(account, now, { events: [], jobs: [] })
    tracked.noteHead()
    this.#parts.accountQuotas.touch(account)
    const appended = this.#append()
    if (appended !== undefined) await appended
    return result
  }

  readonly read: Store['read'] = async (key, look) => {
    const known = this.#accounts.get(key)
    const { account } = known ?? this.#accountOf(key)
    const result = look(account, readClock(account.clock, this.#parts.systemNow()))
    const appended = known === undefined ? this.#append() : undefined
    if (appended !== undefined) await appended
    return result
  }

  readonly put: Store['put'] = async (account) => {
    const before = this.#leave(account.key)
    if (before !== undefined) void this.#removeFromLog(account.key)
    this.#setWakeTime(this.#enter(account, this.#statusOfNew).account)
    this.#parts.onReplaced?.(account)
    await this.#append()
    return before
  }

  readonly forget: Store['forget'] = async (key) => {
    const account = this.#leave(key)
    if (account !== undefined) await this.#removeFromLog(key)
    return account
  }

  readonly keyOfAccountId: Store['keyOfAccountId'] = async (accountId) =>
    this.#accounts.keyOfAccountId(accountId)

  readonly ownerOf: Store['ownerOf'] = async (jobId, first) => {
    const owners = this.#accounts.ownersOf(jobId)
    return owners.find((key) => key === first) ?? owners[0]
  }

  readonly isFree: Store['isFree'] = (jobId) => this.#accounts.ownersOf(jobId).length === 0

  readonly keys: Store['keys'] = async () => this.#accounts.values().map(({ account }) => account.key)

  readonly wake: Store['wake'] = () => {
    const accounts = this.#accounts.values().map(({ account }) => account)
    const isDue = ({ clock, schedule }: Account) =>
      schedule.nextAt <= readClock(clock, this.#parts.systemNow())
    for (const account of accounts) this.#setWakeTime(account)
    // Clocks that stand still wake for nothing, and a callback that was on its way is due again.
    void this.#runDueOf(accounts.filter(isDue).map(({ key }) => key))
  }

  readonly stop: Store['stop'] = () => this.#timer.stop()

  // No other process writes these accounts.
  readonly note: Store['note'] = async () => {}

  readonly catchUp: Store['catchUp'] = async () => {}

  readonly follow: Store['follow'] = () => () => {}

  get #statusOfNew(): LogStatus {
    return this.#parts.persistence === undefined ? 'no-log' : 'unlogged'
  }

  /** Runs what is due on accounts, in time slices. */
  async #runDueOf(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await timeSlice()
      if (this.#accounts.has(key)) void this.transact(key, () => {}).catch(this.#parts.onInternalError)
    }
  }

  #setWakeTime(account: Account): void {
    if (account.clock.mode === 'live')
      this.#timer.set(account.key, wakeTimeOf(account, this.#parts.systemNow()))
  }

  /** The account of a key, which is opened if it is new. */
  #accountOf(key: string): TrackedAccount {
    const known = this.#accounts.get(key)
    if (known !== undefined) return known
    const { accountQuotas, systemNow, open } = this.#parts
    // A lower limit than before, or an import, can have left more than one too many.
    for (;;) {
      const candidate = accountQuotas.evictionCandidate(systemNow)
      if (candidate === undefined) return this.#enter(open(key), this.#statusOfNew)
      this.#evict(candidate)
    }
  }

  #enter(opened: Account, status: LogStatus): TrackedAccount {
    const { exposureOf, accountQuotas, systemNow } = this.#parts
    const tracked = new TrackedAccount(opened, status, exposureOf, () => void this.#changed.add(opened.key))
    this.#accounts.add(tracked)
    accountQuotas.enter(tracked.account)
    accountQuotas.count(tracked.account, systemNow)
    return tracked
  }

  #leave(key: string): Account | undefined {
    this.#parts.accountQuotas.leave(key)
    this.#timer.forget(key)
    return this.#accounts.remove(key)
  }

  #evict(key: string): void {
    const account = this.#leave(key)
    if (account === undefined) return
    void this.#removeFromLog(key)
    this.#parts.onEvicted(account)
  }

  async #removeFromLog(key: string): Promise<void> {
    await this.#parts.persistence?.append(key, [['account', '', null]])
  }

  /** Appends what has changed, of any account, or undefined where nothing is persistent. */
  #append(): Promise<unknown> | undefined {
    const { persistence, systemNow } = this.#parts
    if (persistence === undefined) return undefined
    const appended: Promise<unknown>[] = []
    for (const key of this.#changed) {
      const change = this.#accounts.get(key)?.takeChanges(systemNow())
      if (change !== undefined) appended.push(persistence.append(key, persistence.batchOf(change)))
    }
    this.#changed.clear()
    return Promise.all(appended)
  }

  /** Runs a slice of a transaction, and begins to write what it has changed. */
  #runSlice<T>(tracked: TrackedAccount, change: Change<T> | undefined, effects: Effects) {
    const { systemNow, accountQuotas } = this.#parts
    const { account } = tracked
    const { requests, jobs } = account
    const jobsBefore = jobs.size
    try {
      const slice = tracked.transact(() => runDueAround(change, account, systemNow, effects))
      if (jobs.size > jobsBefore) this.#accounts.addJobs(account.key, jobsSince(account, jobsBefore))
      if (account.requests !== requests) accountQuotas.touch(account)
      if (tracked.hasChanged) accountQuotas.count(account, systemNow)
      return { slice, appended: this.#append() }
    } finally {
      this.#setWakeTime(account)
    }
  }
}

/** Slice of a transaction: as much of it as takes few milliseconds. */
interface Slice<T> {
  /** Undefined where the change has not been run, since more is due before it. */
  readonly done?: { readonly result: T } | undefined
  /** Whether nothing is due now. */
  readonly isSettled: boolean
}

/** Maximum number of due events that a slice runs before the change, and after it. */
const MAX_DUE_AT_ONCE = 25

/** Runs what is due, the change (undefined: it has been run) where nothing more is due, and what became due. */
const runDueAround = <T>(
  change: Change<T> | undefined,
  account: Account,
  systemNow: () => number,
  effects: Effects,
): Slice<T> => {
  const { clock, schedule } = account
  const now = readClock(clock, systemNow())
  if (schedule.nextAt <= now) runDue(account, now, effects, MAX_DUE_AT_ONCE)
  if (schedule.nextAt <= now) return { isSettled: false }
  const done = change && { result: change(account, now, effects) }
  const then = account.clock === clock ? now : readClock(account.clock, systemNow())
  if (schedule.nextAt <= then) runDue(account, then, effects, MAX_DUE_AT_ONCE)
  return { done, isSettled: schedule.nextAt > then }
}

const hasEffects = ({ events, jobs }: Effects): boolean => events.length + jobs.length > 0

/** Ids of the asset jobs that an account has got since it had a number of them. */
export const jobsSince = ({ jobs }: Account, before: number): readonly string[] =>
  jobs.size > before ? [...jobs.keys()].slice(before) : []
