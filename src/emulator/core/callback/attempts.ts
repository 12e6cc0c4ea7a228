import { isRedirect } from '../http.js'
import { detachString, namesSecret, redacted, redactedBodyText } from '../journal/redact.js'
import type {
  Account,
  AccountEvent,
  Attempt,
  Callback,
  CallbackQueue,
  DeliveryJob,
} from '../model/account.js'
import { parseJson } from '../request.js'
import type { Instant } from '../schedule/time.js'
import { defaultDelivery } from './delivery.js'
import { asLogged, callbackEvent, closeQueue, dequeue, save, scheduledAt, updateLog } from './queue.js'

const MAX_ANSWER_CHARACTERS = 1_000
/** How much of an answer is searched for credentials. */
const MAX_SCANNED_CHARACTERS = 8_192

const ADDRESS_REFUSED =
  'The address was refused when the challenge was to be sent, so that nothing is sent for this task.'

/** Result of an attempt, with the whole of what was read and what was sent. */
export interface AttemptResult extends Omit<Attempt, 'at'> {
  readonly sent: unknown
}

/**
 * Records the result of an attempt and what follows: the next callback, a retry, or nothing more.
 * @param retryDelaysMs the backoff of its family. Default: that of gaps F10 and B17
 */
export const completeAttempt = (
  account: Account,
  job: DeliveryJob,
  result: AttemptResult,
  now: Instant,
  retryDelaysMs = defaultDelivery.retryDelaysMs,
): AccountEvent[] => {
  if (job.isResend) return [completeResend(account, job, result, now)]
  const queue = account.callbacks.queues.get(job.callback.taskId)
  const first = queue?.waiting[0]
  if (queue === undefined || first?.id !== job.callback.id) return []
  // Another replica has taken the attempt over, and records its own.
  if (job.entry !== undefined && job.entry !== queue.entry) return []
  const tried = withAttempt(account, asLogged(account.callbacks, first), job.at, result)
  if (isAccepted(tried, result)) return [delivered(account, queue, tried, now)]
  const delay = retryDelay(first, result, retryDelaysMs)
  if (delay === undefined) return failed(account, queue, tried, result, now)
  updateLog(account.callbacks, tried)
  save(account, scheduledAt(account, withFirst(queue, tried), now + delay))
  return [callbackEvent(tried, now, 'retrying')]
}

/**
 * Gives up an attempt whose replica ended before it recorded the answer, and schedules the callback again at once, under the
 * same delivery id. The receiver may get it twice.
 */
export const abandonAttempt = (account: Account, taskId: string, now: Instant): AccountEvent[] => {
  const queue = account.callbacks.queues.get(taskId)
  const first = queue?.waiting[0]
  if (queue === undefined || first === undefined || queue.dueAt !== null) return []
  const attempt: Attempt = { at: now, durationMs: 0, outcome: 'failed', error: ABANDONED }
  const logged = asLogged(account.callbacks, first)
  const tried: Callback = { ...logged, attempts: [...logged.attempts, attempt] }
  updateLog(account.callbacks, tried)
  save(account, scheduledAt(account, withFirst(queue, tried), now))
  return [callbackEvent(tried, now, 'retrying')]
}

/** Whether the log of the account has the result of an attempt already. */
export const isRecorded = (
  account: Account,
  { callback, at }: DeliveryJob,
  result: AttemptResult,
): boolean => {
  const { attempts = [] } = account.callbacks.log.get(callback.id) ?? {}
  const expected = JSON.stringify(attemptOf(account, at, result))
  return attempts.some((attempt) => JSON.stringify(attempt) === expected)
}

const ABANDONED =
  'The replica that sent it ended before it recorded the answer. Another one sends it again, under the same delivery id.'

/** Keeps a callback that was tried as the first of its queue, which has its own attempts alone: retries are counted by them. */
const withFirst = (queue: CallbackQueue, tried: Callback): CallbackQueue => {
  const [first, ...others] = queue.waiting
  const attempts = [...(first?.attempts ?? []), ...tried.attempts.slice(-1)]
  return { ...queue, waiting: [{ ...tried, attempts }, ...others] }
}

const withAttempt = (account: Account, callback: Callback, at: Instant, result: AttemptResult): Callback => ({
  ...callback,
  body: result.sent,
  attempts: [...callback.attempts, attemptOf(account, at, result)],
})

/** Attempt as the log keeps it: the beginning of the answer, without credentials. */
const attemptOf = ({ key }: Account, at: Instant, { sent: _, ...result }: AttemptResult): Attempt => {
  const { answer } = result
  return { at, ...result, ...(answer === undefined ? {} : { answer: keptAnswer(answer, key) }) }
}

const keptAnswer = (answer: string, key: string): string => {
  const text = answer.slice(0, MAX_SCANNED_CHARACTERS)
  const value = namesSecret(text) ? parseJson(text) : undefined
  const shown = value === undefined ? redactedBodyText(text, key) : JSON.stringify(redacted(value, key))
  return detachString(shown.slice(0, MAX_ANSWER_CHARACTERS))
}

const isSuccess = ({ outcome, status }: Pick<Attempt, 'outcome' | 'status'>): boolean =>
  outcome === 'answered' && status !== undefined && status >= 200 && status < 300

const isAccepted = ({ kind, task }: Callback, result: AttemptResult): boolean => {
  if (kind === 'delivery') return isSuccess(result)
  return isSuccess(result) && returnsChallenge(result.answer ?? '', task.callback?.challenge ?? '')
}

/**
 * Retry delay by the backoff, or undefined where there is no retry. A challenge is sent once, and an address that is refused now will be refused
 * again. Each copy has its own retries: what failed before the latest success does not count.
 */
const retryDelay = (
  { kind, attempts }: Callback,
  { outcome }: AttemptResult,
  delaysMs: readonly number[],
): number | undefined =>
  kind === 'challenge' || outcome === 'refused-address'
    ? undefined
    : delaysMs[attempts.length - 1 - attempts.findLastIndex(isSuccess)]

const delivered = (account: Account, queue: CallbackQueue, tried: Callback, now: Instant): AccountEvent => {
  const done: Callback = { ...tried, state: 'delivered' }
  const verified: CallbackQueue = done.kind === 'challenge' ? { ...queue, verification: 'open' } : queue
  const { copiesLeft = 0 } = done
  if (copiesLeft > 0) {
    // A scenario sends it once more: it stays the first.
    updateLog(account.callbacks, done)
    const again = withFirst(verified, { ...done, copiesLeft: copiesLeft - 1 })
    save(account, scheduledAt(account, again, now))
    return callbackEvent(done, now, 'delivered')
  }
  dequeue(account, verified, done, now)
  return callbackEvent(done, now, done.kind === 'challenge' ? 'passed' : 'delivered')
}

const failed = (
  account: Account,
  queue: CallbackQueue,
  tried: Callback,
  result: AttemptResult,
  now: Instant,
): AccountEvent[] => {
  // What has arrived once stays delivered, even if a duplicate fails.
  const done: Callback =
    tried.state === 'delivered' ? tried : { ...tried, state: 'failed', reason: reasonOf(tried, result) }
  const event = callbackEvent(done, now, 'failed')
  if (tried.kind === 'challenge') {
    const isRefused = tried.attempts.at(-1)?.outcome === 'refused-address'
    return [event, ...closeQueue(account, queue, done, now, isRefused ? ADDRESS_REFUSED : undefined)]
  }
  dequeue(account, queue, done, now)
  return [event]
}

/** Why a callback is given up after its last attempt, as a sentence. */
const reasonOf = (
  { kind, attempts, task }: Callback,
  { error, status, answer = '' }: AttemptResult,
): string => {
  const problem = error ?? answeredWith(status)
  if (kind === 'delivery')
    return attempts.length === 1 ? problem : `${problem} It was tried ${attempts.length} times.`
  return challengeReason(task.callback?.challenge ?? '', { error, status, answer })
}

/** What is wrong with the answer to a challenge, as a sentence, or undefined where it has passed. */
export const challengeProblem = (challenge: string, result: AttemptResult): string | undefined =>
  isSuccess(result) && returnsChallenge(result.answer ?? '', challenge)
    ? undefined
    : challengeReason(challenge, result)

const challengeReason = (
  challenge: string,
  { error, status, answer = '' }: Pick<AttemptResult, 'error' | 'status' | 'answer'>,
): string => {
  if (error !== undefined) return error
  if (returnsChallenge(answer, challenge))
    return `The receiver returned the challenge, but answered ${status} instead of a 2xx status.`
  if (isRedirect(status)) return answeredWith(status)
  const difference = challengeDifference(answer, challenge)
  return difference === undefined
    ? `The receiver answered ${status} and did not return the challenge.`
    : `The receiver answered ${status} and did not return the challenge exactly: ${difference}.`
}

const answeredWith = (status: number | undefined): string =>
  isRedirect(status)
    ? `The receiver answered ${status}: redirects are not followed, so the callback URL has to be the final one.`
    : `The receiver answered ${status}.`

// What was delivered once stays delivered. A challenge that passes now opens the queue for the changes to come.
const completeResend = (
  account: Account,
  { callback, at }: DeliveryJob,
  result: AttemptResult,
  now: Instant,
): AccountEvent => {
  const tried = withAttempt(account, account.callbacks.log.get(callback.id) ?? callback, at, result)
  const passes = isAccepted(tried, result)
  const { reason: _, ...rest } = tried
  const queue = account.callbacks.queues.get(callback.taskId)
  // A copy can be sent at once with the first one of the queue, which has yet to be answered or to be tried again.
  const isPending = queue?.waiting[0]?.id === callback.id
  const unaccepted: Callback = isPending
    ? tried
    : { ...rest, state: 'failed', reason: reasonOf(tried, result) }
  const done: Callback = passes || tried.state === 'delivered' ? { ...rest, state: 'delivered' } : unaccepted
  if (passes && callback.kind === 'challenge' && queue !== undefined)
    save(account, { ...queue, verification: 'open' })
  updateLog(account.callbacks, done)
  const passed = callback.kind === 'challenge' ? 'passed' : 'delivered'
  return callbackEvent(done, now, passes ? passed : 'failed')
}

/** Number of characters of a challenge (gap F8). */
export const CHALLENGE_LENGTH = 32

/** Whether a receiver returned the challenge: as `challenge` of its JSON, or as its whole text (gap F8). */
export const returnsChallenge = (answer: string, challenge: string): boolean =>
  answer === challenge || (parseJson(answer) as { challenge?: unknown } | null)?.challenge === challenge

/** What an answer has that is nearly the challenge, as a clause, or undefined where it is not near. */
export const challengeDifference = (answer: string, challenge: string): string | undefined => {
  if (answer.startsWith('\uFEFF') && returnsChallenge(answer.slice(1), challenge))
    return 'a byte order mark is before it'
  if (answer.trim() === challenge) return 'white space is around it'
  const value = parseJson(answer)
  if (value === challenge) return 'it is a JSON string, with quotes around it'
  const entries = Object.entries(value ?? {}) as [string, unknown][]
  const [key, text] = entries.find(([name]) => name.toLowerCase() === 'challenge') ?? []
  if (typeof text !== 'string' || text.trim() !== challenge) return undefined
  return key === 'challenge' ? 'white space is around it' : `its key is ${key} instead of challenge`
}
