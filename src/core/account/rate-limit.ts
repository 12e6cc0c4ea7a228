import type { Account } from '../model/account.js'
import { MINUTE, SECOND } from '../schedule/duration.js'
import type { Instant } from '../schedule/timeline.js'

/** What one create more would be refused with. */
export interface RateExceeded {
  /** How many were accepted in the last minute. */
  readonly found: number
  readonly allowed: string
  readonly retryAfterSeconds: number
}

/**
 * Whether one create more would go over the account's limit; undefined where it would be accepted. A limit of 0 never
 * opens; it says to come back in a minute.
 */
export const exceededRate = (account: Readonly<Account>, now: Instant): RateExceeded | undefined => {
  const most = account.limits.requestsPerMinute
  if (most === null) return undefined
  const recent = createsInLastMinute(account, now)
  if (recent.length < most) return undefined
  return {
    found: recent.length,
    allowed: `${most} request${most === 1 ? '' : 's'} a minute`,
    retryAfterSeconds: secondsUntil(recent[recent.length - most], now),
  }
}

const secondsUntil = (leaves: Instant | undefined, now: Instant): number =>
  leaves === undefined ? MINUTE / SECOND : Math.max(1, Math.ceil((leaves + MINUTE - now) / SECOND))

/** When the creates of the last minute were accepted, the soonest first. */
const createsInLastMinute = ({ recentCreates }: Readonly<Account>, now: Instant): Instant[] =>
  recentCreates.filter((at) => at > now - MINUTE && at <= now)

// Without a limit creates are remembered too, since one that is set later counts what was done before it. Nobody
// sets one of more than this to see it reached.
const MOST_WITHOUT_LIMIT = 10_000

/** Remembers a create, and forgets those that no limit can count any more. */
export const recordCreate = ({ recentCreates, limits }: Account, now: Instant): void => {
  recentCreates.push(now)
  const most = limits.requestsPerMinute === null ? MOST_WITHOUT_LIMIT : Number.POSITIVE_INFINITY
  while (recentCreates.length > most || (recentCreates[0] ?? now) <= now - MINUTE) recentCreates.shift()
}
