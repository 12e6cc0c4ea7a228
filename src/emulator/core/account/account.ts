import { assetPhaseAt } from '../asset.js'
import { type Account, beginRun } from '../model/account.js'
import type { Scenario } from '../scenario/schema.js'
import { Schedule } from '../schedule/schedule.js'
import { type ClockState, type Instant, MINUTE, SECOND } from '../schedule/time.js'
import type { AccountChange, AccountSettings, Limits, Settings } from '../settings.js'
import { accountIdOf } from './account-id.js'
import { TaskTable } from './task-table.js'

/** The key of calls that carry none: control calls, and calls that are refused for it. */
export const DEFAULT_KEY = 'default'

/** Hint about an account without calls where others have some. The helpers for tests recognize it by its text. */
export const OTHERS_ARE_CALLED =
  'This account has had no calls at all, and others have: is the code given the key of this one?'

/** What reserved keys begin with: their accounts always behave in one way (gap X1). */
export const RESERVED_KEYS = ['invalid', 'no-balance', 'no-agreement', 'rate-limited'] as const

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
    schedule: new Schedule(),
    recentCreates: [],
    imagesMade: 0,
    callbacks: { queues: new Map(), log: new Map(), max: settings.callbackLogEntries, evicted: 0 },
    playing: scenarios.map((scenario) => beginRun(scenario, settings.seed, clock.now)),
  }
}

/** Where paused and on-poll clocks begin, so that ids and dates repeat. */
export const STOPPED_CLOCK_START = Date.UTC(2026, 0, 1)

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

/** An amount of money to a billionth. */
export const toBillionth = (sum: number): number => {
  const billionths = Math.round(sum * 1e9)
  // A larger number has no digits behind a billionth, and its billionths may be infinite.
  return Number.isSafeInteger(billionths) ? billionths / 1e9 || 0 : sum
}

/** Initial values for a key: of the settings, then of its entry in the setting `account`, then of the reserved keys (gap X1). */
const initialAccount = (key: string, settings: Settings) => {
  const { requestsPerMinute, tasksInFlight, imageQuota } = settings
  const { balance = settings.balance, agreementAccepted = true, ...own } = listedSettings(key, settings)
  const limits = withLimits({ requestsPerMinute, tasksInFlight, imageQuota }, own.limits)
  const listed = { balance, agreementAccepted, limits }
  if (key.startsWith('no-balance')) return { ...listed, balance: 0, limits: { ...limits, imageQuota: 0 } }
  if (key.startsWith('no-agreement')) return { ...listed, agreementAccepted: false }
  if (key.startsWith('rate-limited')) return { ...listed, limits: { ...limits, requestsPerMinute: 0 } }
  return listed
}

const listedSettings = (key: string, { account: listed }: Settings): Partial<AccountSettings> =>
  listed.filter((account) => typeof account === 'object').find((account) => account.key === key) ?? {}

/** Changes the balance, agreement and limits of an account, from now on. */
export const changeAccountSettings = (
  account: Account,
  { balance, agreementAccepted, limits }: AccountChange,
): void => {
  // The balance is what was paid in less what was spent, so setting it sets what was paid in.
  if (balance !== undefined) account.credit = balance + account.spent
  if (agreementAccepted !== undefined) account.agreementAccepted = agreementAccepted
  if (limits !== undefined) account.limits = withLimits(account.limits, limits)
}

/** Limits with the changed ones; those that are undefined stay. */
const withLimits = (limits: Limits, changed: AccountChange['limits'] = {}): Limits => ({
  ...limits,
  ...Object.fromEntries(Object.entries(changed).filter(([, limit]) => limit !== undefined)),
})

/** Problem of a key that opens no account, or undefined where it opens one. */
export const credentialProblem = (
  key: string | undefined,
  settings: Settings,
  now: Instant,
): string | undefined => {
  if (key === undefined) return 'No API key was provided: send the header Authorization: Bearer <API_KEY>'
  if (!isKnownKey(key, settings)) return 'The API key is invalid'
  const expiry = expiryOfJwt(key)
  return expiry !== undefined && expiry * SECOND <= now ? 'The access token has expired' : undefined
}

/**
 * The `exp` of a key that is shaped like a JWT, in Unix seconds; undefined for any other key. Keys are opaque: only such a
 * token is looked into, and one that cannot be read is just a key.
 */
const expiryOfJwt = (key: string): number | undefined => {
  const [, payload, signature, ...more] = key.split('.')
  if (payload === undefined || signature === undefined || more.length > 0) return undefined
  try {
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { exp?: unknown }
    return typeof exp === 'number' ? exp : undefined
  } catch {
    return undefined
  }
}

/** Whether a key opens an account at all. */
export const isKnownKey = (key: string, settings: Settings): boolean => {
  if (key === 'invalid' || key.startsWith('invalid-')) return false
  if (settings.account.length === 0) return true
  return settings.account.some((account) => (typeof account === 'string' ? account : account.key) === key)
}

/** Kind of a key: the default one, one that opens no account, a token with its expiry, a reserved one, or a plain one (gap X1). */
export const keyKindOf = (key: string, settings: Settings): KeyKind => {
  if (key === DEFAULT_KEY) return { is: 'default' }
  if (!isKnownKey(key, settings)) return { is: 'invalid' }
  const expires = expiryOfJwt(key)
  if (expires !== undefined) return { is: 'token', expires }
  return { is: RESERVED_KEYS.find((prefix) => key.startsWith(prefix)) ?? 'plain' }
}

/** Kind of an API key; the kind alone gives no access. */
interface KeyKind {
  readonly is: 'plain' | 'default' | 'token' | (typeof RESERVED_KEYS)[number]
  /** `exp` of a token, in Unix seconds. */
  readonly expires?: number
}

/** Whether an account is idle: no task is in flight, no asset is processed, and no callback waits. */
export const isIdle = ({ tasks, callbacks, assets }: Account, now: Instant): boolean =>
  tasks.usage.ended === tasks.size &&
  // Of tasks that were deleted.
  [...callbacks.queues.values()].every(({ waiting }) => waiting.length === 0) &&
  [...assets.values()].every((asset) => assetPhaseAt(asset, now).state !== 'Processing')

/** Rate limit: whether one create more exceeds it, or undefined where it is accepted. A limit of 0 says to retry in a minute. */
export const exceededRate = (account: Readonly<Account>, now: Instant) => {
  const max = account.limits.requestsPerMinute
  if (max === null) return undefined
  const recent = account.recentCreates.filter((at) => at > now - MINUTE && at <= now)
  if (recent.length < max) return undefined
  return {
    found: recent.length,
    allowed: `${max} request${max === 1 ? '' : 's'} a minute`,
    retryAfterSeconds: secondsUntil(recent[recent.length - max], now),
  }
}

const secondsUntil = (leaves: Instant | undefined, now: Instant): number =>
  leaves === undefined ? MINUTE / SECOND : Math.ceil((leaves + MINUTE - now) / SECOND)

// Without a limit creates are recorded too, since a limit that is set later counts them. No test sets one above this.
const MAX_WITHOUT_LIMIT = 10_000

const MIN_PRUNED = 64

/** Records a create. Those that no limit counts any more are dropped now and then, by a copy: rolling back cuts the array. */
export const recordCreate = (account: Account, now: Instant): void => {
  const { recentCreates, limits } = account
  recentCreates.push(now)
  const { length } = recentCreates
  const isPowerOfTwo = (length & (length - 1)) === 0
  if (length < MIN_PRUNED || !isPowerOfTwo) return
  const max = limits.requestsPerMinute === null ? MAX_WITHOUT_LIMIT : length
  account.recentCreates = recentCreates.filter((at) => at > now - MINUTE).slice(-max)
}
