import type { Store } from '../../accounts/store.js'
import type { MediaSpec } from '../media/spec.js'
import type { Account } from '../model/account.js'
import { SECOND } from '../schedule/duration.js'
import { type Instant, lastOf } from '../schedule/timeline.js'
import { mediaOf } from '../task/timeline.js'
import { hasExpired, type ParsedResultUrl, parseResultUrl } from './result-url.js'

/**
 * What a result URL leads to. `forged`: not with the signature of its path and expiry; `expired`: given out, and over;
 * `gone`: its task was removed.
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

/** Looks up what a result's path and query stand for, by the clock of the account it belongs to; undefined for no result's path. */
export type ResolveResult = (path: string, query: URLSearchParams) => Promise<ResolvedResult | undefined>

export const createResolveResult =
  (store: Store, secret: string, wall: () => number): ResolveResult =>
  async (path, query) => {
    const presented = parseResultUrl(path, query, secret)
    if (presented === undefined) return undefined
    const key = await store.keyOfAccountId(presented.ticket.accountTag)
    const { taskId } = presented.ticket
    if (key === undefined) return { state: 'forged', taskId, account: undefined, now: wall() }
    return store.read(key, (account, now) => resolved(account, presented, now))
  }

const resolved = (account: Account, { ticket, isGenuine }: ParsedResultUrl, now: Instant): ResolvedResult => {
  const about = { taskId: ticket.taskId, account: account.key, now }
  if (!isGenuine) return { state: 'forged', ...about }
  if (hasExpired(ticket, now)) return { state: 'expired', expiredAt: ticket.expires * SECOND, ...about }
  const task = account.tasks.get(ticket.taskId)
  const spec = task === undefined ? undefined : mediaOf(lastOf(task.timeline).value)[ticket.index]
  return spec === undefined ? { state: 'gone', ...about } : { state: 'there', spec, ...about }
}
