import type { Limits } from '../settings.js'
import type { Account } from './account.js'

/** What of an account is to be otherwise; what is not named stays as it is. */
export interface AccountChange {
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
