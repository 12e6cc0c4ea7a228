import type { Account } from '../model/account.js'
import type { AccountSettings, Limits, Settings } from '../settings.js'

/** What an account begins with. */
interface InitialAccount {
  readonly balance: number
  readonly agreementAccepted: boolean
  readonly limits: Limits
}

/**
 * The terms of a key: the settings', what the list of accounts says of this key, and what reserved keys always are
 * (gap X1).
 */
export const initialAccount = (key: string, settings: Settings): InitialAccount => {
  const given = listedAs(key, settings)
  const limits = {
    requestsPerMinute: settings.requestsPerMinute,
    tasksInFlight: settings.tasksInFlight,
    imageQuota: settings.imageQuota,
  }
  const terms: InitialAccount = {
    balance: given.balance ?? settings.balance,
    agreementAccepted: given.agreementAccepted ?? true,
    limits: { ...limits, ...given.limits },
  }
  return reserved(key, terms)
}

const listedAs = (key: string, settings: Settings): Partial<AccountSettings> => {
  const listed = settings.account.find((account) => typeof account === 'object' && account.key === key)
  return typeof listed === 'object' ? listed : {}
}

const reserved = (key: string, terms: InitialAccount): InitialAccount => {
  if (key.startsWith('no-balance'))
    return { ...terms, balance: 0, limits: { ...terms.limits, imageQuota: 0 } }
  if (key.startsWith('no-agreement')) return { ...terms, agreementAccepted: false }
  if (key.startsWith('rate-limited')) return { ...terms, limits: { ...terms.limits, requestsPerMinute: 0 } }
  return terms
}

/** Whether a key opens an account at all. */
export const isKnownKey = (key: string, settings: Settings): boolean => {
  if (key === 'invalid' || key.startsWith('invalid-')) return false
  if (settings.account.length === 0) return true
  return settings.account.some((account) => (typeof account === 'string' ? account : account.key) === key)
}

/** What of an account is to be otherwise; what is not named stays as it is. */
interface AccountChange {
  readonly balance?: number | undefined
  readonly agreementAccepted?: boolean | undefined
  /** A limit of null is no limit (gap Z8). */
  readonly limits?: { readonly [Name in keyof Limits]?: Limits[Name] | undefined } | undefined
}

/** Changes what an account is worth and allowed, from now on. */
export const changeAccountSettings = (
  account: Account,
  { balance, agreementAccepted, limits }: AccountChange,
): void => {
  // The balance is what was paid in less what was spent, so setting it sets what was paid in.
  if (balance !== undefined) account.credit = balance + account.spent
  if (agreementAccepted !== undefined) account.agreementAccepted = agreementAccepted
  if (limits !== undefined) account.limits = { ...account.limits, ...limits }
}
