import type { EventEmitter } from 'node:events'
import type { JournalEntry } from '../../core/journal/entry.js'
import { redactedText } from '../../core/journal/redact.js'
import { accountIdOf } from '../../core/model/account.js'
import type { CallbackRecord } from '../../core/model/callback.js'
import type { Events } from '../../core/model/event.js'
import type { Emulator } from '../../emulator.js'
import { version } from '../../version.js'

/** An emulator that listens, as the output speaks of it. */
export interface Started {
  readonly emulator: Emulator
  readonly url: string
  readonly port: number
}

/** Says what an emulator does: to people or to programs. */
export interface Reporter {
  started(started: Started): void
  /** What to write for each event of the emulator; left out where nothing is. */
  readonly events?: { readonly [Name in keyof Events]?: (...told: Events[Name]) => void }
  stopped(): void
}

/** Tells a reporter of everything that happens from now on. */
export const follow = (events: EventEmitter<Events>, reporter: Reporter): void => {
  for (const [name, tell] of Object.entries(reporter.events ?? {}))
    events.on(name as keyof Events, tell as (...told: unknown[]) => void)
}

/** Takes lines, without their ends. */
export type Print = (line: string) => void

export const printerOf =
  (stream: NodeJS.WritableStream): Print =>
  (line) => {
    stream.write(`${line}\n`)
  }

/** One JSON event per line, for programs. The first one says where the emulator is. */
export const jsonLines = (print: Print, { isQuiet = false } = {}): Reporter => {
  const tell = (event: object) => print(JSON.stringify(event))
  return {
    started: (started) => tell(readyEvent(started)),
    ...(isQuiet
      ? {}
      : {
          events: {
            request: (entry) => tell(requestEvent(entry)),
            happening: (happening) => tell(happeningEvent(happening)),
            bound: (hit) => tell({ event: 'bound', ...hit }),
            trouble: (trouble) => tell({ event: 'trouble', ...trouble }),
          },
        }),
    stopped: () => tell({ event: 'stopped' }),
  }
}

const readyEvent = ({ url, port, emulator }: Started) => ({
  event: 'ready',
  url,
  port,
  pid: process.pid,
  version,
  seed: emulator.settings.seed,
  // One that was given is known to whoever gave it.
  ...(emulator.madeToken === undefined ? {} : { controlToken: emulator.madeToken }),
})

const isoOf = (at: number): string => new Date(at).toISOString()

// Keys are never printed: an account is named by its tag.
const requestEvent = (entry: Events['request'][0]) => ({
  event: 'request',
  at: isoOf(entry.at),
  id: entry.id,
  account: accountIdOf(entry.account),
  method: entry.method,
  path: redactedText(entry.path, entry.account),
  status: entry.status,
  operation: entry.operation ?? null,
  task: entry.task ?? null,
  problem: problemMessage(entry) ?? null,
})

const happeningEvent = ({ at, kind, id, detail, account, task, callback }: Events['happening'][0]) => ({
  event: kind,
  at: isoOf(at),
  id,
  account: accountIdOf(account),
  status: detail,
  ...(task === undefined ? {} : { family: task.family, model: task.model }),
  ...(callback === undefined ? {} : callbackFacts(callback)),
})

/** What a line or an event says of a callback. */
interface CallbackFacts {
  readonly task: string
  /** `challenge`, or the status that is reported. */
  readonly about: string
  /** Without user, password and query: receivers are told who calls by them. */
  readonly url: string
  /** How often it was sent. */
  readonly attempts: number
  /** The receiver's HTTP status at the last attempt; null when it gave none. */
  readonly answer: number | null
  /** Why it did not arrive; null when it did, or has yet to. */
  readonly reason: string | null
}

export const callbackFacts = (callback: CallbackRecord): CallbackFacts => {
  const last = callback.attempts.at(-1)
  return {
    task: callback.taskId,
    about: callback.status ?? 'challenge',
    url: withoutSecrets(callback.url),
    attempts: callback.attempts.length,
    answer: last?.status ?? null,
    reason: callback.reason ?? last?.error ?? null,
  }
}

const withoutSecrets = (url: string): string => {
  if (!URL.canParse(url)) return '(no URL)'
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

/** Why a call was refused, in one sentence: the first rule's words, else those of the answer; undefined when it was not. */
export const problemMessage = ({
  status,
  refusedBy,
  responseBody,
  account,
}: JournalEntry): string | undefined => {
  if (status < 400) return undefined
  const message = refusedBy[0]?.message ?? messageIn(responseBody)
  // It may quote what was sent.
  return message === undefined ? undefined : redactedText(message, account)
}

// Every family has its own place for it (defaults A to F).
const messageIn = (body: unknown): string | undefined => {
  if (body === null || typeof body !== 'object') return undefined
  const { message, msg, error } = body as Record<string, unknown>
  if (typeof message === 'string') return message
  return typeof msg === 'string' ? msg : messageIn(error)
}
