import type { Account } from '../model/account.js'
import type { RefusedBy } from '../model/call.js'
import type { ScenarioMatch } from '../scenario/match.js'
import type { ClockMode, Instant } from '../schedule/time.js'
import type { Limits } from '../settings.js'
import {
  mapTexts,
  redactedBodyText,
  redactedHeaders,
  redactedQuery,
  redactedText,
  redactedWhole,
  shortenRedacted,
  withoutCredentials,
} from './redact.js'
import type { Sent } from './sent.js'

/** A call and what was decided. It refers to what the call brought, and is made fit to be shown when it is read. */
export interface JournalEntry {
  /** The request id of the answer. */
  readonly id: string
  readonly account: string
  /** On the account's clock. */
  readonly at: Instant
  /** When it was recorded, in Unix milliseconds of real time, or undefined where that is unknown. No answer shows it. */
  readonly wall?: number
  /** When its head had arrived, in Unix milliseconds of real time, or undefined where that is unknown. No answer shows it. */
  readonly begun?: number
  /** Undefined where no operation has such a route. */
  readonly operation?: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** As it was read; cut down where it was larger than the journal keeps. */
  readonly requestBody: unknown
  readonly requestBytes: number
  readonly status: number
  readonly responseBody: unknown
  readonly refusedBy: readonly RefusedBy[]
  readonly ignored: readonly string[]
  readonly warnings: readonly string[]
  /** Those of the warnings that hold no word of the client. Default: none. */
  readonly hints?: readonly string[]
  /** The task that was made, read or cancelled, or whose result was fetched. */
  readonly task?: string
  /** Sequence number of the decision across the journals of all accounts, or undefined where it was not counted. */
  readonly sequence?: number
  /** The request as a replay sends it, or undefined where that is unknown. */
  readonly sent?: Sent
  /** Facts of the answer besides its status and body, or undefined where there is none. */
  readonly answered?: Answered
  /** Scenario match of the call, or undefined where no scenario is about it. */
  readonly played?: ScenarioMatch
}

/** The header by which clients of other services mark a call that they repeat. No specification here has it. */
export const IDEMPOTENCY_KEY = 'idempotency-key'

/** Answer as it went out. */
export interface Answered {
  readonly headers?: Readonly<Record<string, string>>
  /** A body that is not the journal's, as it was sent. */
  readonly text?: string
  /** How many bytes of a file were sent. */
  readonly bytes?: number
  /** `reset`: no answer but the end of the connection; `cut`: less of the body than was said; `silent`: nothing at all. */
  readonly broken?: 'reset' | 'cut' | 'silent'
  /** The client left before the end of a file. Default: it did not, or that is unknown. */
  readonly hasLeft?: true
  /** How a profile changed the answer; the entry itself has what was decided. Undefined where it did not. */
  readonly profile?: ProfiledAnswer
  /** The answer of which a scenario changed fields; the entry itself has what was decided. Undefined where it did not. */
  readonly changed?: SentAnswer
}

/** Answer as it went out, where it is not the one that was decided. */
export interface SentAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Answer that a profile has changed, as it went out. */
export interface ProfiledAnswer extends SentAnswer {
  /** The rows of the profile that changed it, with their places. */
  readonly by: readonly string[]
  /** Fields that its templates name and the answer does not have. */
  readonly missing: readonly string[]
}

const connectionOutcomes = { reset: 'reset', silent: 'no-answer', cut: 'cut-off' } as const

/** What became of a connection whose answer was not sent whole, as the control API calls it. */
export type ConnectionOutcome = (typeof connectionOutcomes)[keyof typeof connectionOutcomes]

/** Connection outcome of a call, or undefined where the answer was sent whole. */
export const connectionOutcomeOf = ({
  answered,
}: Pick<JournalEntry, 'answered'>): ConnectionOutcome | undefined =>
  answered?.broken === undefined ? undefined : connectionOutcomes[answered.broken]

/** Answer of a call in words: its status, or what became of the connection instead. */
export const answerText = (status: number, connection: ConnectionOutcome | undefined): string => {
  if (connection === undefined) return String(status)
  return { reset: 'connection reset', 'no-answer': 'no answer', 'cut-off': `${status}, cut off` }[connection]
}

/** Initial state of an account, with which its journal begins. */
export interface InitialState {
  readonly at: Instant
  readonly clock: ClockMode
  readonly balance: number
  readonly agreementAccepted: boolean
  readonly limits: Limits
  /** Copy of an account that was put back (snapshot, import, state file). Default: it began empty. */
  readonly restored?: Account
}

/** Initial state of an account that has just been opened. */
export const initialStateOf = (
  { clock, credit, agreementAccepted, limits }: Account,
  restored?: Account,
): InitialState => ({
  at: clock.now,
  clock: clock.mode,
  balance: credit,
  agreementAccepted,
  limits,
  ...(restored === undefined ? {} : { restored }),
})

/** Record of a change of an account through the control API, or from the code beside it. */
export interface ControlRecord {
  /** When it was done, on the account's clock. */
  readonly at: Instant
  /** `tasks.force`. */
  readonly action: string
  readonly input: Readonly<Record<string, unknown>>
  /** Its place among everything that the journals of all accounts keep. */
  readonly sequence: number
}

/** A call as it may be shown: no credentials, no Base64, nothing long. */
export const redactedEntry = (entry: JournalEntry): JournalEntry => {
  const { account: key } = entry
  const text = (value: string) => redactedText(value, key)
  const body = (value: unknown) => shortenRedacted(value, key)
  const refusal = (refusedBy: RefusedBy): RefusedBy => ({
    ...refusedBy,
    // A field that the interface does not know has the name that the client gave it.
    ...(refusedBy.field === undefined ? {} : { field: text(refusedBy.field) }),
    ...(refusedBy.message === undefined ? {} : { message: text(refusedBy.message) }),
    ...(refusedBy.found === undefined ? {} : { found: body(refusedBy.found) }),
  })
  return {
    ...entry,
    path: text(entry.path),
    query: redactedQuery(entry.query, key),
    headers: redactedHeaders(entry.headers, key),
    requestBody: body(entry.requestBody),
    responseBody: body(entry.responseBody),
    ...(entry.answered === undefined ? {} : { answered: redactedAnswers(entry.answered, key) }),
    refusedBy: entry.refusedBy.map(refusal),
    ignored: entry.ignored.map(text),
    warnings: entry.warnings.map(text),
  }
}

const redactedAnswers = (answered: Answered, key: string): Answered => {
  const { profile, changed } = answered
  if (profile === undefined && changed === undefined) return answered
  return {
    ...answered,
    ...(profile === undefined ? {} : { profile: redactedAnswer(profile, key) }),
    ...(changed === undefined ? {} : { changed: redactedAnswer(changed, key) }),
  }
}

const redactedAnswer = <T extends SentAnswer>(answer: T, key: string): T => ({
  ...answer,
  ...(answer.headers === undefined ? {} : { headers: redactedHeaders(answer.headers, key) }),
  body: shortenRedacted(answer.body, key),
})

/** A call as it may be shown on its own: no credentials, no Base64, every other text as far as the journal has it. */
export const wholeEntry = (entry: JournalEntry) => {
  const { account: key, sent } = entry
  const text = sent?.body.kind === 'unreadable' ? sent.body.text : undefined
  const shown = {
    path: withoutCredentials(entry.path, key),
    query: redactedQuery(entry.query, key),
    requestBody: redactedWhole(keptBody(entry), key),
    ...(text === undefined ? {} : { requestText: redactedBodyText(text, key) }),
  }
  const { answered, responseBody } = entry
  const answerText = responseBody == null ? answered?.text : undefined
  const isBodyKept = text !== undefined || isJsonKept(sent) || hasNoBody(entry)
  const given = { path: entry.path, query: sent?.query, requestBody: entry.requestBody, requestText: text }
  return {
    ...redactedEntry(entry),
    ...shown,
    responseBody: redactedWhole(responseBody, key),
    responseHeaders: redactedHeaders(answered?.profile?.headers ?? answered?.headers ?? {}, key),
    ...(answerText === undefined ? {} : { responseText: redactedBodyText(answerText, key) }),
    isWhole: isBodyKept && JSON.stringify(shown) === JSON.stringify(given),
  }
}

const isJsonKept = (sent: Sent | undefined): boolean => sent?.body.kind === 'json' && sent.media === undefined

// The body of a call that no operation reads is not looked at.
const hasNoBody = ({ sent, headers }: JournalEntry): boolean =>
  sent?.body.kind === 'none' &&
  Number(headers['content-length'] ?? 0) === 0 &&
  headers['transfer-encoding'] === undefined

/** The body without what was cut of it, where only its media were taken out. */
const keptBody = ({ sent, requestBody }: JournalEntry): unknown => {
  if (sent?.body.kind !== 'json' || sent.media === undefined) return requestBody
  const media = new Set(sent.media.map(({ is }) => is))
  return mapTexts(sent.body.value, (text) =>
    media.has(text) ? text.replace(/\{medium \d+\}$/, '(left out)') : text,
  )
}
