import {
  type ControlRecord,
  type InitialState,
  type JournalEntry,
  type Medium,
  mapTexts,
  redaction,
  withoutMedia,
} from '../emulator/surface/journal.js'
import { documentOfAccount, secretOfSeed } from '../emulator/surface/persistence.js'
import {
  type Account,
  accountIdOf,
  type Callback,
  type Instant,
  isoOf,
  keyKindOf,
  rendering,
  type Task,
  version,
  viewAt,
} from '../emulator/surface/records.js'
import { familiesFromOutside, type Registry, resultUrls } from '../emulator/surface/registry.js'
import { documentOf, type Scenario } from '../emulator/surface/scenarios.js'
import { isRecorded, type Settings } from '../emulator/surface/starting.js'
import type {
  AccountLine,
  CallbackLine,
  CallLine,
  ControlLine,
  Head,
  RecordedAnswer,
  RecordedRequest,
  TaskLine,
} from '../traffic/format.js'
import { renameAccounts } from './keys.js'
import {
  ACCOUNT_PLACEHOLDER,
  createSanitizers,
  EMULATOR_ORIGIN,
  type Resign,
  type Sanitizer,
  type SanitizerFor,
} from './sanitise.js'

/**
 * Serializer of what happens into the lines of one recording. Keys that a scenario names become account ids. Result URLs are
 * signed as those of a replay, whose secret follows from the seed: `signingSecret`, with which they were signed, opens them.
 */
export class Serializer {
  readonly #settings: Settings
  readonly #registry: Registry
  readonly #resign: Resign
  readonly #sanitizerFor: SanitizerFor

  constructor(settings: Settings, signingSecret: string, registry: Registry) {
    this.#settings = settings
    this.#registry = registry
    const replaySecret = secretOfSeed(settings.seed)
    this.#resign = (path, query) =>
      signingSecret === replaySecret ? query : resultUrls.resign(path, query, signingSecret, replaySecret)
    this.#sanitizerFor = createSanitizers(this.#resign)
  }

  /** Line with which a recording begins. */
  head(scenarios: readonly Scenario[]): Head {
    return {
      kind: 'recording',
      // The schema of the format is not loaded to record; another number would not compile.
      version: 1,
      emulator: version,
      ...rendering,
      seed: this.#settings.seed,
      families: unlessEmpty(familiesFromOutside(this.#registry)),
      settings: recordedSettings(this.#settings),
      scenarios: unlessEmpty(scenarios.map((scenario) => renameAccounts(documentOf(scenario), accountIdOf))),
    }
  }

  /** Line of an account as it opened, with the numbers of what its journal and its log of callbacks have evicted. */
  account(key: string, initialState: InitialState, evicted = { calls: 0, callbacks: 0 }): AccountLine {
    const { at, clock, balance, agreementAccepted, limits, restored } = initialState
    return {
      kind: 'account',
      account: accountIdOf(key),
      at: isoOf(at),
      clock,
      key: keyKindOf(key, this.#settings),
      balance,
      agreementAccepted,
      limits,
      lacks: evicted.calls || undefined,
      lacksCallbacks: evicted.callbacks || undefined,
      requests: restored?.requests,
      state: restored && stateOf(restored, this.#settings.seed, this.#sanitizerFor),
    }
  }

  /** Line of a call in the journal; undefined where the journal does not say what was sent. */
  call(entry: JournalEntry): CallLine | undefined {
    const { sent } = entry
    if (sent === undefined) return undefined
    const sanitizer = this.#sanitizerFor({
      origin: sent.origin,
      key: sent.hasKey ? entry.account : undefined,
    })
    return {
      kind: 'call',
      account: accountIdOf(entry.account),
      at: isoOf(sent.begunAt),
      sequence: entry.sequence,
      id: entry.id,
      operation: entry.operation,
      task: entry.task,
      request: {
        method: entry.method,
        path: sanitizer.request(entry.path),
        query:
          sanitizer.query(this.#resign(entry.path, sent.query), entry.operation !== undefined) || undefined,
        headers: requestHeadersOf(entry),
        withoutKey: sent.hasKey ? undefined : true,
        ...bodyOf(sent, entry, sanitizer),
      },
      answer: answerOf(entry, sanitizer),
    }
  }

  /** Line of a change by the control API. */
  control(key: string, { at, sequence, action, input }: ControlRecord): ControlLine {
    const sanitizer = this.#sanitizerFor({ origin: EMULATOR_ORIGIN, key })
    const clean = action === 'scenario.play' ? cleanDocument(input, sanitizer) : sanitizer.request(input)
    return {
      kind: 'control',
      account: accountIdOf(key),
      at: isoOf(at),
      sequence,
      action,
      input: clean as ControlLine['input'],
    }
  }

  /** Line of a task that has failed or expired by now; undefined for every other task. */
  task(key: string, task: Task, now: Instant): TaskLine | undefined {
    const { phase, since } = viewAt(task, now)
    if (phase.state !== 'failed' && phase.state !== 'expired') return undefined
    return {
      kind: 'task',
      account: accountIdOf(key),
      at: isoOf(since),
      id: task.id,
      family: task.family,
      createdAt: isoOf(task.createdAt),
      state: phase.state,
      error: phase.state === 'failed' ? phase.error : undefined,
    }
  }

  /** Line of a callback and its delivery, without the receiver's address: addresses can be secrets. */
  callback(key: string, callback: Callback): CallbackLine {
    const { id, taskId, kind, status, state, reason, attempts, body, task, moment } = callback
    const sanitizer = this.#sanitizerFor({ origin: task.callback?.origin ?? EMULATOR_ORIGIN, key })
    return {
      kind: 'callback',
      account: accountIdOf(key),
      changedAt: isoOf(task.timeline[moment]?.at ?? task.createdAt),
      id,
      task: taskId,
      message: kind,
      status: status ?? undefined,
      state,
      reason: sanitizer.answer(reason),
      attempts: attempts.map(({ at, outcome, status }) => ({ at: isoOf(at), outcome, status })),
      body: sanitizer.answer(body),
    }
  }
}

/** Scenario document without secrets. Fields keep their values whatever their names: answers are recorded with them. */
const cleanDocument = (document: unknown, sanitizer: Sanitizer): unknown =>
  mapTexts(renameAccounts(document, accountIdOf), (text) => sanitizer.request(text))

// Empty lists and objects are not written: JSON omits undefined.
const unlessEmpty = <T extends object>(value: T): T | undefined =>
  Object.keys(value).length === 0 ? undefined : value

/** Settings that answers depend on. */
export const recordedSettings = (settings: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => isRecorded(name)))

/** Request headers on which an answer can depend; the one with the key is never recorded. */
const keptHeaders = [
  'range',
  'if-range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  // With `no-cache`, a file is sent although `If-Match` and `If-None-Match` both name it.
  'cache-control',
  'x-backlot-scenario',
]

// The client of a replay writes these itself, or a value that they do not have changes how a request is read.
const OF_TRANSPORT =
  /^(authorization|connection|content-(encoding|length)|expect|host|trailer|transfer-encoding|upgrade)$/

/** Headers of a request on which its answer depends. For a step that asks for a header its name is enough. */
const requestHeadersOf = ({ headers, played }: JournalEntry): Record<string, string> | undefined => {
  const steps = played?.traces.flatMap(({ scenario }) => scenario.steps) ?? []
  const asked = new Set(steps.map(({ when }) => when.header?.toLowerCase()))
  const names = Object.keys(headers).filter((name) => asked.has(name) && !OF_TRANSPORT.test(name))
  return unlessEmpty({
    ...Object.fromEntries(names.map((name) => [name, '(left out)'])),
    ...headersIn(headers, (name) => keptHeaders.includes(name)),
  })
}

const headersIn = (
  headers: Readonly<Record<string, string>>,
  isKept: (name: string, value: string) => boolean,
): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name, value]) => isKept(name.toLowerCase(), value)))

const bodyOf = (
  { body, found, media }: Sent,
  { responseBody, requestBytes }: JournalEntry,
  sanitizer: Sanitizer,
): Partial<RecordedRequest> => {
  switch (body.kind) {
    case 'json': {
      const detached = media === undefined ? withoutMedia(body.value, found) : { value: body.value, media }
      return jsonBody(detached, responseBody, sanitizer)
    }
    case 'form':
      return {
        form: { fields: sanitizer.request(body.fields), files: sanitizer.request(body.files.map(fileOf)) },
      }
    case 'unreadable':
      return unreadable(body, sanitizer)
    case 'too-large':
      return { declaredBytes: requestBytes }
    case 'unsupported':
      return { contentType: body.contentType }
    case 'lost':
      return { lost: body.why }
    case 'none':
      return {}
    default:
      return { lost: body.detail }
  }
}

const jsonBody = (
  { value, media }: ReturnType<typeof withoutMedia>,
  answer: unknown,
  sanitizer: Sanitizer,
): Partial<RecordedRequest> => {
  const recorded = media
    .filter(({ is }) => !isQuoted(is, answer))
    .map((medium): Medium => ({ ...medium, is: sanitizer.request(medium.is) }))
  return { json: sanitizer.request(value), media: unlessEmpty(recorded) }
}

// An answer that quotes a URL is about the URL itself and not its medium, and has to quote the same URL again.
const isQuoted = (url: string, answer: unknown): boolean =>
  /^https?:/i.test(url) && JSON.stringify(answer ?? '').includes(url.slice(0, 40))

// Errors of a JSON text name positions in it, so that a text that was sanitised would give another answer.
const unreadable = (
  { text, detail }: Extract<Sent['body'], { kind: 'unreadable' }>,
  sanitizer: Sanitizer,
): Partial<RecordedRequest> =>
  text === undefined || redaction.namesSecret(text) || sanitizer.answer(text) !== text
    ? { lost: detail }
    : { text }

const fileOf = ({ field, name, blob, ...rest }: FormFile) => ({ field, name, sha256: blob, ...rest })

// Headers that follow from the rest of the line.
const JSON_TYPE = 'application/json; charset=utf-8'
const ownHeaders = ['x-request-id', 'content-length', 'connection', 'date']

const answerOf = (entry: JournalEntry, sanitizer: Sanitizer): RecordedAnswer => {
  const { status, answered } = entry
  const { headers = {}, text, bytes, broken, changed = { body: entry.responseBody } } = answered ?? {}
  const isKept = (name: string, value: string) => !ownHeaders.includes(name) && value !== JSON_TYPE
  return {
    status: broken === 'silent' || broken === 'reset' ? undefined : status,
    headers: sanitizer.answer(unlessEmpty(headersIn(headers, isKept))),
    bytes,
    text: sanitizer.answer(text),
    json: text === undefined && bytes === undefined ? sanitizer.answer(changed.body) : undefined,
    broken,
  }
}

type Sent = NonNullable<JournalEntry['sent']>
type FormFile = Extract<Sent['body'], { kind: 'form' }>['files'][number]

type RecordedState = NonNullable<AccountLine['state']>

/** State document of an account, without its key. A live clock is paused: the replay moves it. */
const stateOf = (account: Account, seed: number, sanitizerFor: SanitizerFor): RecordedState => {
  const { clock, key, tasks } = account
  const mode = clock.mode === 'live' ? 'paused' : clock.mode
  const paused = { ...account, clock: { ...clock, mode } }
  const { scenarios, accounts, ...document } = documentOfAccount(paused, clock.now, seed)
  const origin = [...tasks.values()].find(({ callback }) => callback !== undefined)?.callback?.origin
  const sanitizer = sanitizerFor({ origin: origin ?? EMULATOR_ORIGIN, key })
  // A key such as `default` is a word of requests too.
  const isKey = (text: string, name: string) => text === key && /^(key|account)$/.test(name)
  const keyless = mapTexts(accounts, (text, name) => (isKey(text, name) ? ACCOUNT_PLACEHOLDER : text))
  const clean = sanitizer.request(keyless) as RecordedState['accounts']
  const documents = Object.entries(scenarios).map(([id, played]) => [id, cleanDocument(played, sanitizer)])
  return {
    ...document,
    scenarios: Object.fromEntries(documents),
    accounts: clean.map((state) => ({ ...state, key: ACCOUNT_PLACEHOLDER })),
  }
}
