import {
  type AccountHandles,
  number,
  optional,
  text,
  validateArguments,
  validateNamed,
} from '../../emulator/surface/client.js'
import { answerText } from '../../emulator/surface/journal.js'
import { advanceHint, EmulatorError, howOften } from '../../emulator/surface/records.js'
import type {
  CallbackFilter,
  CallbackRecord,
  RequestFilter,
  RequestRecord,
  TaskStatus,
} from '../../generated/control-api.js'
import type { OperationPattern } from '../../generated/names.js'
import { wrongKeyHint } from '../loose-ends.js'
import { validateOptions, validateTimes } from '../options.js'
import { expectationText, holds, listed, type Matching, type Outcome, subjectText } from './outcome.js'

/** Options of `toHaveReceived`: which calls count. */
export interface ReceivedOptions {
  /** The exact number; default: at least one. */
  readonly times?: number | undefined
  /** The HTTP status of the answer. */
  readonly status?: number | undefined
  /** What the body has at least; long texts are cut in the journal. */
  readonly body?: unknown
}

export async function toHaveReceived(
  this: Matching,
  emulator: unknown,
  operation: OperationPattern,
  options: ReceivedOptions = {},
): Promise<Outcome> {
  validateArguments('toHaveReceived', [operation], { operation: text })
  validateOptions('toHaveReceived', options, ['times', 'status', 'body'])
  const { times, status, body } = options
  validateTimes(times)
  validateNamed('toHaveReceived', options, { status: optional(number) })
  const handles = handlesIn(emulator, 'toHaveReceived')
  const { requests } = handles
  const callsOf = (filter: RequestFilter) => allOf((page) => requests.list({ ...filter, ...page }))
  // The emulator refuses an operation and a status that there are not.
  const answered = await callsOf({ operation, status })
  const fitting = answered.filter((call) => body === undefined || holds(call.body, body))
  const named = status === undefined ? answered : await callsOf({ operation })
  const hasNamed = named.length > 0
  const shown = hasNamed ? named : await callsOf({})
  const wanted = [
    status === undefined ? '' : ` answered with ${status}`,
    body === undefined ? '' : ` whose body has ${this.utils.stringify(body)}`,
  ].join('')
  const title = hasNamed ? `Calls of ${operation}:` : 'All calls of this account:'
  const lines = shown.map((call) => callText(call, hasNamed && body !== undefined)).reverse()
  const instead = lines.length === 0 && !this.isNot ? await wrongKeyHint(handles) : undefined
  const others = listed(title, lines, instead ?? NO_CALLS)
  const { evicted } = await requests.count()
  const counted = { count: fitting.length, times, evicted, entries: 'calls (setting journalEntries)' }
  return countOutcome(this, { ...counted, what: `${operation}${wanted}`, deed: 'be received', others })
}

const PAGE = 1_000

/** All entries of a log, however many it has. */
const allOf = async <T>(
  list: (page: { readonly limit: number; readonly offset: number }) => Promise<readonly T[]>,
): Promise<T[]> => {
  const found: T[] = []
  for (let isMore = true; isMore; ) {
    const items = await list({ limit: PAGE, offset: found.length })
    found.push(...items)
    isMore = items.length === PAGE
  }
  return found
}

const NO_CALLS = 'This account has received no calls at all. Is the code under test given its key?'

const NO_CALLBACKS =
  'This account has no callbacks at all. Was a callback address sent, and has the clock moved?'

interface CountedMatch {
  readonly count: number
  /** The wanted number, or undefined for at least one. */
  readonly times: number | undefined
  /** How many entries were evicted, which cannot be counted. */
  readonly evicted: number
  /** What the entries are, and the setting that bounds them. */
  readonly entries: string
  readonly what: string
  /** Infinitive for the message: `be received`. */
  readonly deed: string
  /** Text that says what happened instead. */
  readonly others: string
}

/** @throws EmulatorError `evicted` where what was evicted could change the outcome */
const countOutcome = (
  { isNot }: Matching,
  { count, times, evicted, entries, what, deed, others }: CountedMatch,
): Outcome => {
  if (evicted > 0 && count <= (times ?? 0)) {
    const why = `the account has evicted ${evicted} of its ${entries}`
    throw new EmulatorError(`How often ${what} came cannot be told: ${why}.`, {
      code: 'evicted',
      hint: 'Give the setting a larger number.',
    })
  }
  const asked = times === undefined ? deed : `${deed} ${howOften(times)}`
  const found = count === 0 ? 'and it never was' : `and it was ${howOften(count)}`
  return {
    pass: times === undefined ? count > 0 : count === times,
    message: () => `${expectationText(isNot, what, asked, found)}\n\n${others}`,
  }
}

const callText = (call: RequestRecord, hasBody: boolean): string => {
  const answer = answerText(call.status, call.connection)
  const message = call.refusedBy[0]?.message
  return [
    `${call.method} ${call.path} → ${answer} (${call.operation ?? 'no such operation'})`,
    ...(hasBody ? [JSON.stringify(call.body)] : []),
    ...(message === undefined ? [] : [message]),
  ].join(': ')
}

/** Options of `toHaveDeliveredCallback`: which callbacks count. */
export interface DeliveredOptions {
  /** The task that it reports. */
  readonly taskId?: string | undefined
  /** The status that was reported. */
  readonly status?: TaskStatus | undefined
  /** Default: `delivery`. */
  readonly kind?: CallbackRecord['kind'] | undefined
  /** The exact number; default: at least one. */
  readonly times?: number | undefined
  /** What the body has at least. */
  readonly body?: unknown
}

/** Time limit for callbacks that are not accepted yet, in real time. Spent only where the match would fail otherwise. */
const PATIENCE_MS = 1_000

export async function toHaveDeliveredCallback(
  this: Matching,
  emulator: unknown,
  options: DeliveredOptions = {},
): Promise<Outcome> {
  validateOptions('toHaveDeliveredCallback', options, ['taskId', 'status', 'kind', 'times', 'body'])
  const { taskId, status, kind = 'delivery', times, body } = options
  validateTimes(times)
  const handles = handlesIn(emulator, 'toHaveDeliveredCallback')
  const { callbacks } = handles
  // The emulator refuses a status and a kind that there are not.
  const fitting = await deliveredBy(
    callbacks,
    { taskId, status, kind },
    (callback) => body === undefined || holds(callback.body, body),
    this.isNot ? 0 : (times ?? 1),
  )
  const all = await allOf((page) => callbacks.list(page))
  const what =
    kind === 'challenge' ? 'a challenge' : `a callback${status === undefined ? '' : ` of ${status}`}`
  const whose = taskId === undefined ? '' : ` for ${taskId}`
  const wanted = `${what}${whose}${body === undefined ? '' : ` whose body has ${this.utils.stringify(body)}`}`
  const lines = all.map((callback) => callbackText(callback, body !== undefined)).reverse()
  const instead = lines.length === 0 && !this.isNot ? await wrongKeyHint(handles) : undefined
  const listing = listed('Callbacks of this account:', lines, instead ?? NO_CALLBACKS)
  const isMissing = !this.isNot && fitting.length < (times ?? 1)
  const advice = isMissing ? await nextMomentHint(handles) : undefined
  const others = advice === undefined ? listing : `${listing}\n\n${advice}`
  const { evicted } = await callbacks.count()
  const counted = { count: fitting.length, times, evicted, entries: 'callbacks (setting callbackLogEntries)' }
  return countOutcome(this, { ...counted, what: wanted, deed: 'be delivered', others })
}

const nextMomentHint = async ({ clock }: AccountHandles): Promise<string | undefined> => {
  const { mode, now, next } = await clock.read()
  return advanceHint(mode, now, next)
}

/** Delivered callbacks that fit. Waits a short time where there are fewer than wanted and one is still to be delivered. */
const deliveredBy = async (
  callbacks: AccountHandles['callbacks'],
  wanted: CallbackFilter,
  fits: (callback: CallbackRecord) => boolean,
  count: number,
): Promise<readonly CallbackRecord[]> => {
  const list = (state: CallbackRecord['state']) =>
    allOf((page) => callbacks.list({ ...wanted, state, ...page }))
  const deadline = performance.now() + PATIENCE_MS
  for (let isOver = false; ; ) {
    // Before the delivered ones, among which it may be a moment later.
    const isNoneWaiting = (await list('waiting')).length === 0
    const delivered = await list('delivered')
    const fitting = delivered.filter(fits)
    if (isOver || isNoneWaiting || fitting.length >= count) return fitting
    const timeout = Math.max(0, deadline - performance.now())
    await callbacks.waitFor(wanted, { count: delivered.length + 1, timeout }).catch((error) => {
      if (!(error instanceof EmulatorError) || error.code !== 'not-yet') throw error
      isOver = true
    })
  }
}

const callbackText = (callback: CallbackRecord, hasBody: boolean): string => {
  const { taskId, kind, status, state, url, reason, body } = callback
  const why = reason === undefined ? '' : ` (${reason})`
  return `${status ?? kind} of ${taskId} to ${url}: ${state}${why}${hasBody ? `: ${JSON.stringify(body)}` : ''}`
}

const handlesIn = (value: unknown, matcher: string): AccountHandles => {
  const { requests, callbacks } = (value ?? {}) as Partial<AccountHandles>
  if (requests !== undefined && callbacks !== undefined) return value as AccountHandles
  throw new EmulatorError(`${matcher} is said of an emulator or an account, found ${subjectText(value)}.`, {
    code: 'wrong-subject',
    hint: `Write await expect(emulator).${matcher}(…).`,
  })
}
