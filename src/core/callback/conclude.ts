import type { Account } from '../account/account.js'
import type { Happening } from '../account/settle.js'
import { SECOND } from '../time/duration.js'
import type { Instant } from '../time/timeline.js'
import { type Correspondence, update } from './book.js'
import type { Attempt, Callback } from './callback.js'
import { returnsChallenge } from './challenge.js'
import { happened } from './happened.js'
import type { Posting } from './posting.js'
import { close, moveOn, schedule, skipped } from './report.js'

/** How long to wait before the second, third and fourth attempt, on the account's clock (defaults F10, B17). */
const RETRY_WAITS_MS: readonly number[] = [1 * SECOND, 2 * SECOND, 4 * SECOND]

const MOST_KEPT_CHARACTERS = 1_000

const ADDRESS_REFUSED =
  'The address was refused when the challenge was to be sent, so that nothing is sent for this task.'

/** How an attempt ended, with the whole of what was read and what was sent. */
export interface Outcome extends Omit<Attempt, 'at'> {
  readonly sent: unknown
}

/** Writes down how an attempt ended and what follows: the next in turn, another attempt, or nothing more. */
export const conclude = (account: Account, posting: Posting, outcome: Outcome, now: Instant): Happening[] => {
  if (posting.isExtra) return concludeExtra(account, posting, outcome, now)
  const correspondence = account.callbacks.correspondences.get(posting.callback.taskId)
  if (correspondence?.waiting[0]?.id !== posting.callback.id) return []
  const tried = withAttempt(correspondence.waiting[0], posting.at, outcome)
  if (isGood(tried, outcome)) return [delivered(account, correspondence, tried, now)]
  const wait = waitAfter(tried, outcome)
  if (wait === undefined) return failed(account, correspondence, tried, outcome, now)
  correspondence.waiting[0] = tried
  update(account.callbacks, tried)
  schedule(account, correspondence, now + wait)
  return [happened(tried, now, 'retrying')]
}

const withAttempt = (callback: Callback, at: Instant, { sent, ...outcome }: Outcome): Callback => {
  const answer = outcome.answer?.slice(0, MOST_KEPT_CHARACTERS)
  const attempt: Attempt = { at, ...outcome, ...(answer === undefined ? {} : { answer }) }
  return { ...callback, body: sent, attempts: [...callback.attempts, attempt] }
}

const isGood = ({ kind, task }: Callback, { outcome, status, answer }: Outcome): boolean => {
  const isAccepted = outcome === 'answered' && status !== undefined && status >= 200 && status < 300
  if (kind === 'delivery') return isAccepted
  return isAccepted && returnsChallenge(answer ?? '', task.callback?.challenge ?? '')
}

// A challenge is sent once, and an address that is refused now will be refused again.
const waitAfter = ({ kind, attempts }: Callback, { outcome }: Outcome): number | undefined =>
  kind === 'challenge' || outcome === 'refused-address' ? undefined : RETRY_WAITS_MS[attempts.length - 1]

const delivered = (
  account: Account,
  correspondence: Correspondence,
  tried: Callback,
  now: Instant,
): Happening => {
  if (tried.kind === 'challenge') correspondence.way = 'open'
  const done: Callback = { ...tried, state: 'delivered' }
  if (done.copiesLeft !== undefined && done.copiesLeft > 0) return again(account, correspondence, done, now)
  moveOn(account, correspondence, done, now)
  return happened(done, now, done.kind === 'challenge' ? 'passed' : 'delivered')
}

/** A scenario has it sent once more: it stays the first in turn. */
const again = (account: Account, correspondence: Correspondence, done: Callback, now: Instant): Happening => {
  correspondence.waiting[0] = { ...done, copiesLeft: (done.copiesLeft ?? 0) - 1 }
  update(account.callbacks, done)
  schedule(account, correspondence, now)
  return happened(done, now, 'delivered')
}

const failed = (
  account: Account,
  correspondence: Correspondence,
  tried: Callback,
  outcome: Outcome,
  now: Instant,
): Happening[] => {
  // What has arrived once stays delivered, whatever became of a further copy.
  const done: Callback =
    tried.state === 'delivered' ? tried : { ...tried, state: 'failed', reason: reasonOf(tried, outcome) }
  const others = tried.kind === 'challenge' ? closeWay(account, correspondence, tried) : []
  moveOn(account, correspondence, done, now)
  return [happened(done, now, 'failed'), ...others.map((other) => happened(other, now, 'skipped'))]
}

/** Why a callback is given up after its last attempt, in a sentence. */
const reasonOf = ({ kind, attempts, task }: Callback, { error, status, answer = '' }: Outcome): string => {
  const problem = error ?? `The receiver answered ${status}.`
  if (kind === 'delivery')
    return attempts.length === 1 ? problem : `${problem} It was tried ${attempts.length} times.`
  if (error !== undefined) return error
  return returnsChallenge(answer, task.callback?.challenge ?? '')
    ? `The receiver returned the challenge, but answered ${status} instead of a 2xx status.`
    : `The receiver answered ${status} and did not return the challenge.`
}

const closeWay = (account: Account, correspondence: Correspondence, challenge: Callback): Callback[] => {
  const unsent = [...correspondence.waiting.splice(1), ...correspondence.held.splice(0)]
  const isRefused = challenge.attempts.at(-1)?.outcome === 'refused-address'
  close(correspondence, isRefused ? ADDRESS_REFUSED : undefined)
  const others = unsent.map((callback) => skipped(callback, correspondence.closedFor))
  for (const other of others) update(account.callbacks, other)
  return others
}

// What was delivered once stays delivered. A challenge that passes now opens the way for the changes to come.
const concludeExtra = (
  account: Account,
  { callback, at }: Posting,
  outcome: Outcome,
  now: Instant,
): Happening[] => {
  const tried = withAttempt(account.callbacks.log.get(callback.id) ?? callback, at, outcome)
  const wasGood = isGood(tried, outcome)
  const { reason: _, ...rest } = tried
  const done: Callback =
    wasGood || tried.state === 'delivered'
      ? { ...rest, state: 'delivered' }
      : { ...rest, state: 'failed', reason: reasonOf(tried, outcome) }
  const correspondence = account.callbacks.correspondences.get(callback.taskId)
  if (wasGood && callback.kind === 'challenge' && correspondence !== undefined) correspondence.way = 'open'
  update(account.callbacks, done)
  return [happened(done, now, wasGood ? (callback.kind === 'challenge' ? 'passed' : 'delivered') : 'failed')]
}
