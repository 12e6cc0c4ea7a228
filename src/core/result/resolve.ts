import type { MediaSpec } from '../media/spec.js'
import type { Account } from '../model/account.js'
import { SECOND } from '../schedule/duration.js'
import { type Instant, lastOf } from '../schedule/timeline.js'
import { mediaOf } from '../task/timeline.js'
import { hasExpired, type ParsedResultUrl } from './result-url.js'

/**
 * Result that a URL leads to. `forged`: the signature is not that of its path and expiry; `expired`: the URL is no longer
 * valid; `gone`: its task was removed.
 */
export type ResolvedResult =
  | {
      readonly state: 'there'
      readonly spec: MediaSpec
      readonly taskId: string
      readonly account: string
      readonly now: Instant
    }
  | {
      readonly state: 'forged' | 'gone'
      readonly taskId: string
      readonly account: string | undefined
      readonly now: Instant
    }
  | {
      readonly state: 'expired'
      readonly taskId: string
      readonly account: string
      readonly now: Instant
      readonly expiredAt: Instant
    }

/** Looks up the result of a path and query, at the clock of its account; undefined if the path is not a result's. */
export type ResultLookup = (path: string, query: URLSearchParams) => Promise<ResolvedResult | undefined>

/** What a result URL leads to in its account. */
export const resolveResult = (
  account: Readonly<Account>,
  { ticket, isGenuine }: ParsedResultUrl,
  now: Instant,
): ResolvedResult => {
  const about = { taskId: ticket.taskId, account: account.key, now }
  if (!isGenuine) return { state: 'forged', ...about }
  if (hasExpired(ticket, now)) return { state: 'expired', expiredAt: ticket.expires * SECOND, ...about }
  const task = account.tasks.get(ticket.taskId)
  const spec = task === undefined ? undefined : mediaOf(lastOf(task.timeline).value)[ticket.index]
  return spec === undefined ? { state: 'gone', ...about } : { state: 'there', spec, ...about }
}
