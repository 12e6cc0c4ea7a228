import { mapTexts, redaction } from '../emulator/surface/journal.js'
import { rendering, requestIdOf } from '../emulator/surface/records.js'
import { builtIn, resultUrls } from '../emulator/surface/registry.js'
import { type CallbackHttpClient, type CallResult, DELIVERY_ID_HEADER } from '../emulator/surface/starting.js'
import type {
  AccountLine,
  CallbackLine,
  CallLine,
  ControlLine,
  NumberedLine,
  RecordedRequest,
  Recording,
} from '../traffic/format.js'
import { type Comparison, compareAnswers, type Difference } from './diff.js'
import { type HttpResponse, type ReplayHttpClient, replayRequestOf } from './http-client.js'
import { hasAllMedia } from './media.js'
import { createSanitizers, hasUrl } from './sanitise.js'
import {
  createReplaySessions,
  type ReplayMismatch,
  type ReplaySession,
  type SessionTarget,
} from './session.js'

/** Emulator that a recording is run against. */
interface Target extends SessionTarget {
  readonly httpClient: ReplayHttpClient
  /** Origin of absolute URLs in its answers. */
  readonly origin: string
  readonly readFixture: (name: string) => Promise<Uint8Array | undefined>
  /** Operations of which no answer can be compared, since a host or a file gives it. Default: none. */
  readonly foreign?: readonly string[]
  /** Operations whose answer is a file. Default: those of the built-in families. */
  readonly fileOperations?: readonly string[]
  /** Called before each request. */
  readonly begin?: (request: RecordedRequest) => Promise<void>
  readonly onReset?: (accountId: string) => void
}

/** Report of a replay. */
export type Report = Awaited<ReturnType<typeof replay>>

const ANSWER_TIMEOUT_MS = 60_000
/** Time limit of calls that got no answer when they were recorded. */
const SILENCE_TIMEOUT_MS = 250

/**
 * Replays a recording: makes every call again, in order, each at its instant on its account's clock, and between them
 * performs what was done to the accounts. Reports each line whose outcome differs.
 */
export const replay = async (
  recording: Recording,
  target: Target,
  onMismatch: (mismatch: ReplayMismatch) => void = () => {},
) => {
  const { head, lines } = recording
  const sessions = createReplaySessions(recording, target)
  const comparison: Comparison = {
    fileOperations: target.fileOperations ?? builtIn.fileOperations,
    // Recordings of before have signatures in hex.
    sanitizer: createSanitizers((_, query) => resultUrls.reencode(query))({ origin: target.origin }),
    areFilesComparable:
      head.platform === rendering.platform &&
      head.renderer === rendering.renderer &&
      (await hasAllMedia(recording, target.readMedium)),
  }
  const rewritten = rewrittenTasks(lines)
  const comparisonOf = ({ account, task }: CallLine): Comparison =>
    rewritten.has(`${account} ${task}`) ? { ...comparison, areFilesComparable: false } : comparison
  const isForeign = ({ operation = '' }: CallLine) => target.foreign?.includes(operation) === true
  const mismatches: ReplayMismatch[] = []
  let callbacks = 0
  const report = (mismatch: ReplayMismatch) => {
    if (mismatch.differences.length === 0) return
    mismatches.push(mismatch)
    onMismatch(mismatch)
  }
  const checkCallbacks = async (session: ReplaySession) => {
    if (!target.isOwn) return
    const checked = await session.checkCallbacks(comparison)
    callbacks += checked.compared
    checked.mismatches.forEach(report)
  }

  for (const { lineNumber, line } of sortByTime(lines)) {
    if (line.kind === 'task') continue
    const session = sessions.of(line.account, lineNumber)
    let differences: readonly Difference[]
    switch (line.kind) {
      case 'account':
        await session.open(line)
        break
      case 'call':
        await session.setTo(line.at, (count) => requestIdOf(head.seed, line.account, count) === line.id)
        differences = await repeat(line, session.key, target, comparisonOf(line))
        if (isForeign(line)) break
        report({ place: { lineNumber, line }, differences })
        // One difference is not to give all later calls of the account another request id.
        if (line.request.withoutKey || differences.some(({ path }) => path === 'headers.x-request-id'))
          session.forgetCount()
        break
      case 'control':
        report({ place: { lineNumber, line }, differences: await session.control(line) })
        break
      case 'callback':
        session.expectCallback({ lineNumber, line })
        break
      default:
        await checkCallbacks(session)
        await session.reset()
        target.onReset?.(line.account)
    }
  }
  for (const session of sessions.all) await checkCallbacks(session)
  const calls = lines.map(({ line }) => line).filter((line) => line.kind === 'call')
  return {
    calls: calls.length,
    callbacks,
    mismatches,
    /** Calls that were not compared, since a host or a file had answered them. */
    foreign: calls.filter(isForeign).length,
    /** Calls of which only the status could be compared. */
    statusOnly: calls.filter((call) => call.request.lost !== undefined && !isForeign(call)).length,
  }
}

/**
 * Tasks, with their accounts, whose request had a key in it or a URL in its prompt: a replay can draw their media from a text with
 * other words there.
 */
const rewrittenTasks = (lines: Recording['lines']): ReadonlySet<string> =>
  new Set(
    lines.flatMap(({ line }) =>
      line.kind === 'call' && line.task && isRewritten(line.request.json)
        ? [`${line.account} ${line.task}`]
        : [],
    ),
  )

const isRewritten = (json: unknown): boolean => {
  let isFound = false
  mapTexts(json, (text, name) => {
    isFound ||= text.includes(redaction.keyPlaceholder) || (/^(prompt|text)$/.test(name) && hasUrl(text))
    return text
  })
  return isFound
}

/**
 * Sorts the lines of a recording by the instants at which they were decided. An answer that took long is written at its end, behind
 * calls of the same account that were decided meanwhile: its line goes before these. All other lines stay in their order, so that
 * no call goes past the opening or the reset of another account, whose result it may ask for.
 */
export const sortByTime = (lines: Recording['lines']): Recording['lines'] => {
  // By position in the recording: the lines that go there.
  const slots: Recording['lines'][number][][] = lines.map((line) => [line])
  for (const positions of monotonicRuns(lines)) {
    for (const position of positions) slots[position] = []
    const sorted = positions.toSorted((a, b) => byDecision(lines[a] as Decided, lines[b] as Decided))
    // The last one first: a line goes to its own position, or to that of the next one where this is before it.
    let slot = lines.length
    for (const position of sorted.reverse()) {
      slot = Math.min(slot, position)
      slots[slot]?.unshift(lines[position] as Decided)
    }
  }
  return slots.flat()
}

type Decided = NumberedLine<CallLine | ControlLine>

const byDecision = ({ line: a }: Decided, { line: b }: Decided): number =>
  Date.parse(a.at) - Date.parse(b.at) || (a.sequence ?? 0) - (b.sequence ?? 0)

/** Runs of lines of one account, as positions, in each of which its clock is never set back. */
const monotonicRuns = (lines: Recording['lines']): number[][] => {
  const runs: number[][] = []
  const open = new Map<string, number[]>()
  for (const [position, { line }] of lines.entries()) {
    if (line.kind === 'call' || line.kind === 'control') {
      const run = open.get(line.account) ?? []
      if (run.length === 0) runs.push(run)
      run.push(position)
      open.set(line.account, run)
    }
    // A clock is set only before the first call of its account, so that no call that was decided before such a line is
    // written after it.
    const isSet = line.kind === 'control' && line.action === 'clock.change' && line.input.now !== undefined
    if (isSet || line.kind === 'reset') open.delete(line.account)
  }
  return runs
}

const repeat = async (
  line: CallLine,
  accountKey: string,
  target: Target,
  comparison: Comparison,
): Promise<readonly Difference[]> => {
  const key = line.request.withoutKey === true ? undefined : accountKey
  const timeoutMs = line.answer.broken === 'silent' ? SILENCE_TIMEOUT_MS : ANSWER_TIMEOUT_MS
  await target.begin?.(line.request)
  const request = await replayRequestOf(line.request, target)
  const response = await target.httpClient.send(request, key, AbortSignal.timeout(timeoutMs))
  // Calls without a key share one counter with the calls of other clients.
  const comparable = target.isOwn || key !== undefined ? response : withRequestId(response, line.id)
  return compareAnswers(line, comparable, comparison)
}

const withRequestId = (response: HttpResponse, id: string): HttpResponse => {
  const ownId = response.headers['x-request-id']
  if (ownId === undefined) return response
  const headers = { ...response.headers, 'x-request-id': id }
  return { ...response, headers, text: response.text?.replaceAll(ownId, id) }
}

/** Recorded callback receivers: an HTTP client without a network that answers as they did. What was not recorded is accepted. */
export const createRecordedReceivers = (
  lines: Recording['lines'],
): CallbackHttpClient & { reset(accountId: string): void } => {
  // By account, from reset to reset: task ids, and so the ids of callbacks, repeat after one.
  const periods = new Map<string, ReturnType<typeof newPeriod>[]>()
  const accountsById = new Map<string, string>()
  for (const { line } of lines) {
    const ofAccount = periods.get(line.account) ?? [newPeriod()]
    periods.set(line.account, ofAccount)
    if (line.kind === 'reset') ofAccount.push(newPeriod())
    const { callbacks, tries } = ofAccount.at(-1) ?? newPeriod()
    if (line.kind === 'account')
      for (const { id, attempts } of callbacksOfState(line)) tries.set(id, attempts.length)
    if (line.kind !== 'callback') continue
    callbacks.set(line.id, line)
    accountsById.set(line.id, line.account)
  }
  return {
    send: (_url, headers, text) => {
      const id = headers[DELIVERY_ID_HEADER] ?? ''
      const { callbacks, tries } = periods.get(accountsById.get(id) ?? '')?.[0] ?? newPeriod()
      const nth = tries.get(id) ?? 0
      tries.set(id, nth + 1)
      return { result: Promise.resolve(answerOf(callbacks.get(id), nth, text)), abort: () => {} }
    },
    reset: (accountId) => void periods.get(accountId)?.shift(),
    stop: () => {},
  }
}

/** Callbacks of an account between two resets, and the number of attempts so far, by callback id. */
const newPeriod = () => ({ callbacks: new Map<string, CallbackLine>(), tries: new Map<string, number>() })

const callbacksOfState = ({ state }: AccountLine): readonly Pick<CallbackLine, 'id' | 'attempts'>[] => {
  const [account] = (state?.accounts ?? []) as { callbacks?: CallbackLine[] }[]
  return account?.callbacks ?? []
}

const answerOf = (callback: CallbackLine | undefined, nth: number, text: string): CallResult => {
  const attempt = callback?.attempts[nth]
  if (attempt === undefined) return { outcome: 'answered', status: 200, answer: text, durationMs: 0 }
  const { outcome, status } = attempt
  const error = callback?.reason ?? 'It did not arrive when it was recorded.'
  if (outcome !== 'answered') return { outcome, durationMs: 0, status, error }
  // A challenge passes when its body comes back.
  return { outcome, durationMs: 0, status, answer: callback?.state === 'delivered' ? text : '' }
}
