import type { Account } from '../model/account.js'
import type { Attempt, Callback } from '../model/callback.js'
import { SECOND } from '../schedule/duration.js'
import type { AccountEvent } from '../schedule/run-due.js'
import type { Instant } from '../schedule/timeline.js'
import {
  type CallbackQueue,
  close,
  type DeliveryJob,
  happened,
  moveOn,
  schedule,
  skipped,
  update,
} from './queue.js'

/** How many characters a challenge has (gap F8). */
export const CHALLENGE_LENGTH = 32

/** Whether a receiver gave the challenge back: as `challenge` of its JSON, or as its whole text (gap F8). */
export const returnsChallenge = (answer: string, challenge: string): boolean =>
  answer === challenge || challengeIn(answer) === challenge

const challengeIn = (answer: string): unknown => {
  try {
    return (JSON.parse(answer) as { challenge?: unknown } | null)?.challenge
  } catch {
    return undefined
  }
}

/** How long to wait before the second, third and fourth attempt, on the account's clock (gap F10, B17). */
const RETRY_WAITS_MS: readonly number[] = [1 * SECOND, 2 * SECOND, 4 * SECOND]

const MOST_KEPT_CHARACTERS = 1_000

const ADDRESS_REFUSED =
  'The address was refused when the challenge was to be sent, so that nothing is sent for this task.'

/** How an attempt ended, with the whole of what was read and what was sent. */
export interface Outcome extends Omit<Attempt, 'at'> {
  readonly sent: unknown
}

/** Writes down how an attempt ended and what follows: the next in turn, another attempt, or nothing more. */
export const completeAttempt = (
  account: Account,
  posting: DeliveryJob,
  outcome: Outcome,
  now: Instant,
): AccountEvent[] => {
  if (posting.isExtra) return completeResend(account, posting, outcome, now)
  const queue = account.callbacks.correspondences.get(posting.callback.taskId)
  if (queue?.waiting[0]?.id !== posting.callback.id) return []
  const tried = withAttempt(queue.waiting[0], posting.at, outcome)
  if (isGood(tried, outcome)) return [delivered(account, queue, tried, now)]
  const wait = waitAfter(tried, outcome)
  if (wait === undefined) return failed(account, queue, tried, outcome, now)
  queue.waiting[0] = tried
  update(account.callbacks, tried)
  schedule(account, queue, now + wait)
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

const delivered = (account: Account, queue: CallbackQueue, tried: Callback, now: Instant): AccountEvent => {
  if (tried.kind === 'challenge') queue.way = 'open'
  const done: Callback = { ...tried, state: 'delivered' }
  if (done.copiesLeft !== undefined && done.copiesLeft > 0) return again(account, queue, done, now)
  moveOn(account, queue, done, now)
  return happened(done, now, done.kind === 'challenge' ? 'passed' : 'delivered')
}

/** A scenario has it sent once more: it stays the first in turn. */
const again = (account: Account, queue: CallbackQueue, done: Callback, now: Instant): AccountEvent => {
  queue.waiting[0] = { ...done, copiesLeft: (done.copiesLeft ?? 0) - 1 }
  update(account.callbacks, done)
  schedule(account, queue, now)
  return happened(done, now, 'delivered')
}

const failed = (
  account: Account,
  queue: CallbackQueue,
  tried: Callback,
  outcome: Outcome,
  now: Instant,
): AccountEvent[] => {
  // What has arrived once stays delivered, whatever became of a further copy.
  const done: Callback =
    tried.state === 'delivered' ? tried : { ...tried, state: 'failed', reason: reasonOf(tried, outcome) }
  const others = tried.kind === 'challenge' ? closeWay(account, queue, tried) : []
  moveOn(account, queue, done, now)
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

const closeWay = (account: Account, queue: CallbackQueue, challenge: Callback): Callback[] => {
  const unsent = [...queue.waiting.splice(1), ...queue.held.splice(0)]
  const isRefused = challenge.attempts.at(-1)?.outcome === 'refused-address'
  close(queue, isRefused ? ADDRESS_REFUSED : undefined)
  const others = unsent.map((callback) => skipped(callback, queue.closedFor))
  for (const other of others) update(account.callbacks, other)
  return others
}

// What was delivered once stays delivered. A challenge that passes now opens the way for the changes to come.
const completeResend = (
  account: Account,
  { callback, at }: DeliveryJob,
  outcome: Outcome,
  now: Instant,
): AccountEvent[] => {
  const tried = withAttempt(account.callbacks.log.get(callback.id) ?? callback, at, outcome)
  const wasGood = isGood(tried, outcome)
  const { reason: _, ...rest } = tried
  const done: Callback =
    wasGood || tried.state === 'delivered'
      ? { ...rest, state: 'delivered' }
      : { ...rest, state: 'failed', reason: reasonOf(tried, outcome) }
  const queue = account.callbacks.correspondences.get(callback.taskId)
  if (wasGood && callback.kind === 'challenge' && queue !== undefined) queue.way = 'open'
  update(account.callbacks, done)
  return [happened(done, now, wasGood ? (callback.kind === 'challenge' ? 'passed' : 'delivered') : 'failed')]
}
