import { timeSlice } from '../concurrency.js'
import { runDue } from '../core/account/apply.js'
import type { ExposureOf } from '../core/account/task-table.js'
import { Multimap } from '../core/collections/multimap.js'
import type { Account, Effects } from '../core/model/account.js'
import { type Instant, readClock } from '../core/schedule/time.js'
import type { SetTimer } from '../timers.js'
import type { AccountQuotas } from './account-quotas.js'
import type { Persistence } from './persistence/port.js'
import { type LogStatus, TrackedAccount } from './tracked.js'
import { createWakeTimer, wakeTimeOf } from './wake-timer.js'

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
  /** Access to accounts that other processes change too; undefined: no other process does. */
  readonly shared?: SharedAccess
}

/** Access to what replicas know of each other. */
export interface SharedAccess {
  /** Adds a line of JSON to the log of an account. Resolves once the log has it. */
  note(key: string, note: string): Promise<void>
  /** Applies what other replicas have appended by now. An account whose log has a gap stays as it is, to be reset. */
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
  /** Called with an account that replaces another, before any call can change it. Default: nothing. */
  readonly onReplaced?: (account: Account) => void
  readonly onInternalError: (error: unknown) => void
  /** Default: a timer that does not keep the process running. */
  readonly setTimer?: SetTimer | undefined
}

export const createStore = (parts: StoreParts): Store => {
  const { open, systemNow, accountQuotas, exposureOf, persistence } = parts
  const { onEffects, onEvicted, onReplaced, onInternalError, setTimer } = parts
  const { evictionCandidate } = accountQuotas
  const accounts = new Map<string, TrackedAccount>()
  const keysByAccountId = new Map<string, string>()
  /** Accounts by asset job: a job is asked for without a key, and its digits are too few to name an account. */
  const jobOwners = new Multimap<string, string>()
  const statusOfNew: LogStatus = persistence === undefined ? 'no-log' : 'unlogged'
  /** Keys of accounts with changes that are not in the log yet. A transaction can change other accounts: it may evict one. */
  const changed = new Set<string>()
  const timer = createWakeTimer(systemNow, (keys) => void runDueOf(keys), setTimer)

  /** Runs what is due on accounts, in time slices. */
  const runDueOf = async (keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      await timeSlice()
      if (accounts.has(key)) void transact(key, () => {}).catch(onInternalError)
    }
  }

  const setWakeTime = (account: Account): void => {
    if (account.clock.mode === 'live') timer.set(account.key, wakeTimeOf(account, systemNow()))
  }

  const accountOf = (key: string): TrackedAccount => {
    const known = accounts.get(key)
    if (known !== undefined) return known
    // A lower limit than before, or an import, can have left more than one too many.
    for (let candidate = evictionCandidate(); candidate !== undefined; candidate = evictionCandidate())
      evict(candidate)
    return enter(open(key), statusOfNew)
  }

  const enter = (opened: Account, status: LogStatus): TrackedAccount => {
    const tracked = new TrackedAccount(opened, status, exposureOf, () => void changed.add(opened.key))
    const { account } = tracked
    // A key that stands in for another has its id, and must not take its results away from it.
    if (!keysByAccountId.has(account.id)) keysByAccountId.set(account.id, account.key)
    accounts.set(account.key, tracked)
    for (const jobId of account.jobs.keys()) jobOwners.add(jobId, account.key)
    accountQuotas.enter(account)
    accountQuotas.count(account)
    return tracked
  }

  const leave = (key: string): Account | undefined => {
    const account = accounts.get(key)?.account
    if (account === undefined) return undefined
    for (const jobId of account.jobs.keys()) jobOwners.delete(jobId, key)
    if (keysByAccountId.get(account.id) === key) keysByAccountId.delete(account.id)
    accountQuotas.leave(key)
    accounts.delete(key)
    timer.forget(key)
    return account
  }

  const removeFromLog = async (key: string): Promise<void> => {
    await persistence?.append(key, [['account', '', null]])
  }

  const evict = (key: string): void => {
    const account = leave(key)
    if (account === undefined) return
    void removeFromLog(key)
    onEvicted(account)
  }

  /** Appends what has changed, of any account; undefined: nothing is persistent. */
  const append = (): Promise<unknown> | undefined => {
    if (persistence === undefined) return undefined
    const appended: Promise<unknown>[] = []
    for (const key of changed) {
      const change = accounts.get(key)?.takeChanges(systemNow())
      if (change !== undefined) appended.push(persistence.append(key, persistence.batchOf(change)))
    }
    changed.clear()
    return Promise.all(appended)
  }

  /** Runs a slice of a transaction, and begins to write what it has changed. */
  const runSlice = <T>(key: string, change: Change<T> | undefined) => {
    const tracked = accountOf(key)
    const { account } = tracked
    const effects: Effects = { events: [], jobs: [] }
    const jobsBefore = account.jobs.size
    try {
      const slice = tracked.transact(() => runDueAround(change, account, systemNow, effects))
      for (const jobId of jobsSince(account, jobsBefore)) jobOwners.add(jobId, key)
      accountQuotas.count(account)
      return { tracked, effects, slice, appended: append() }
    } finally {
      setWakeTime(account)
    }
  }

  const transact: Store['transact'] = async <T>(key: string, change: Change<T>) => {
    let done: Slice<T>['done']
    for (;;) {
      const { tracked, effects, slice, appended } = runSlice(key, done === undefined ? change : undefined)
      if (appended !== undefined) await appended
      // It may have been forgotten meanwhile, and everything with it.
      if (hasEffects(effects) && accounts.get(key) === tracked) onEffects(key, effects)
      done ??= slice.done
      if (!slice.isSettled) await timeSlice()
      // What became due of an account that was forgotten is due no more.
      if (done !== undefined && (slice.isSettled || accounts.get(key) !== tracked)) return done.result
    }
  }

  for (const { account, isChanged } of persistence?.accounts ?? [])
    enter(account, isChanged === true ? 'unlogged' : 'logged')
  // Narrower quotas than before can have evicted some of it.
  void append()

  return {
    transact,
    read: async (key, look) => {
      const isNew = !accounts.has(key)
      const { account } = accountOf(key)
      const result = look(account, readClock(account.clock, systemNow()))
      const appended = isNew ? append() : undefined
      if (appended !== undefined) await appended
      return result
    },
    put: async (account) => {
      const before = leave(account.key)
      if (before !== undefined) void removeFromLog(account.key)
      setWakeTime(enter(account, statusOfNew).account)
      onReplaced?.(account)
      await append()
      return before
    },
    keyOfAccountId: async (accountId) => keysByAccountId.get(accountId),
    ownerOf: async (jobId, first) => {
      const owners = jobOwners.get(jobId)
      return owners.find((key) => key === first) ?? owners[0]
    },
    isFree: (jobId) => jobOwners.get(jobId).length === 0,
    keys: async () => [...accounts.keys()],
    forget: async (key) => {
      const account = leave(key)
      if (account !== undefined) await removeFromLog(key)
      return account
    },
    wake: () => {
      const isDue = ({ account }: TrackedAccount) =>
        account.schedule.nextAt <= readClock(account.clock, systemNow())
      for (const { account } of accounts.values()) setWakeTime(account)
      // Clocks that stand still wake for nothing, and a callback that was on its way is due again.
      void runDueOf([...accounts.values()].filter(isDue).map(({ account }) => account.key))
    },
    stop: timer.stop,
  }
}

/** Slice of a transaction: as much of it as takes few milliseconds. */
interface Slice<T> {
  /** Undefined: the change has not been run, since more is due before it. */
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
