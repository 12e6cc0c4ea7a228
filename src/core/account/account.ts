import { type Account, beginRun } from '../model/account.js'
import type { Scenario } from '../scenario/schema.js'
import { createSchedule } from '../schedule/schedule.js'
import type { ClockState, Instant } from '../schedule/time.js'
import type { AccountChange, AccountSettings, Limits, Settings } from '../settings.js'
import { accountIdOf } from './account-id.js'
import { TaskTable } from './task-table.js'

/** The key of calls that carry none: control calls, and calls that are refused for it. */
export const DEFAULT_KEY = 'default'

/** New account of a key, as the settings say. `scenarios` apply to every account. */
export const openAccount = (
  key: string,
  settings: Settings,
  clock: ClockState,
  scenarios: readonly Scenario[] = [],
): Account => {
  const { balance, agreementAccepted, limits } = initialAccount(key, settings)
  return {
    key,
    id: accountIdOf(key),
    clock,
    sequence: 0,
    requests: 0,
    credit: balance,
    spent: 0,
    agreementAccepted,
    limits,
    tasks: new TaskTable(),
    assets: new Map(),
    jobs: new Map(),
    schedule: createSchedule(),
    recentCreates: [],
    imagesMade: 0,
    callbacks: { queues: new Map(), log: new Map(), max: settings.callbackLogEntries, evicted: 0 },
    playing: scenarios.map((scenario) => beginRun(scenario, settings.seed, clock.now)),
  }
}

/** Where paused and on-poll clocks begin, so that ids and dates repeat. */
const STOPPED_CLOCK_START = Date.UTC(2026, 0, 1)

/** Clock of a new account, as the settings say. */
export const openingClock = ({ clock, speed, startAt }: Settings, systemNow: Instant): ClockState => {
  const usualStart = clock === 'live' ? systemNow : STOPPED_CLOCK_START
  const now = startAt === undefined ? usualStart : Date.parse(startAt)
  return { mode: clock, speed, now, wall: systemNow }
}

/** Balance of an account, to a billionth: ten times 0.1 is 1 to people, and an account that has spent all has 0. */
export const balanceOf = ({ credit, spent }: Readonly<Account>): number => toBillionth(credit - spent)

/** Money spent, to a billionth as the balance. */
export const spentOf = ({ spent }: Readonly<Account>): number => toBillionth(spent)

const toBillionth = (sum: number): number => Math.round(sum * 1e9) / 1e9 || 0

/** Initial values of an account. */
interface InitialAccount {
  readonly balance: number
  readonly agreementAccepted: boolean
  readonly limits: Limits
}

/**
 * Initial values for a key: those of the settings, of its entry in the setting `account`, and of the reserved keys, which
 * come last (gap X1).
 */
const initialAccount = (key: string, settings: Settings): InitialAccount => {
  const given = listedSettings(key, settings)
  const limits = {
    requestsPerMinute: settings.requestsPerMinute,
    tasksInFlight: settings.tasksInFlight,
    imageQuota: settings.imageQuota,
  }
  const initial: InitialAccount = {
    balance: given.balance ?? settings.balance,
    agreementAccepted: given.agreementAccepted ?? true,
    limits: { ...limits, ...given.limits },
  }
  return withReservedKey(key, initial)
}

const listedSettings = (key: string, settings: Settings): Partial<AccountSettings> => {
  const listed = settings.account.find((account) => typeof account === 'object' && account.key === key)
  return typeof listed === 'object' ? listed : {}
}

const withReservedKey = (key: string, initial: InitialAccount): InitialAccount => {
  if (key.startsWith('no-balance'))
    return { ...initial, balance: 0, limits: { ...initial.limits, imageQuota: 0 } }
  if (key.startsWith('no-agreement')) return { ...initial, agreementAccepted: false }
  if (key.startsWith('rate-limited'))
    return { ...initial, limits: { ...initial.limits, requestsPerMinute: 0 } }
  return initial
}

/** Changes the balance, agreement and limits of an account, from now on. */
export const changeAccountSettings = (
  account: Account,
  { balance, agreementAccepted, limits }: AccountChange,
): void => {
  // The balance is what was paid in less what was spent, so setting it sets what was paid in.
  if (balance !== undefined) account.credit = balance + account.spent
  if (agreementAccepted !== undefined) account.agreementAccepted = agreementAccepted
  if (limits !== undefined) account.limits = { ...account.limits, ...limits }
}
