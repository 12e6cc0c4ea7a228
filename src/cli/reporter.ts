import type { EventEmitter } from 'node:events'
import type { Writable } from 'node:stream'
import type { Started } from '../command/child-process.js'
import { connectionOutcomeOf, redaction } from '../emulator/surface/journal.js'
import { accountIdOf, callbackFacts, type Events, isoOf, version } from '../emulator/surface/records.js'
import { unblockTerminal } from '../emulator/surface/starting.js'

/** Output of a running emulator: for people or for programs. */
export interface Reporter {
  started(started: Started): void
  /** Printers of the emulator's events. Default: no event is printed. */
  readonly events?: { readonly [Name in keyof Events]?: (...args: Events[Name]) => void }
  stopped(): void
}

/** Subscribes a reporter to the events of an emulator. */
export const subscribe = (events: EventEmitter<Events>, reporter: Reporter): void => {
  for (const [name, report] of Object.entries(reporter.events ?? {}))
    events.on(name as keyof Events, report as (...args: unknown[]) => void)
}

/** Prints a line, given without its end. */
export type Print = (line: string) => void

const MAX_BUFFERED_BYTES = 4 * 2 ** 20

/**
 * Line printer with back-pressure: while a reader that has stopped reading leaves 4 MiB unread, further lines are dropped.
 * Once it reads again it is told how many. The lines of one turn of the event loop go out in one write, at its end: each
 * write is a system call, which costs more than the line. A process that exits waits for a turn before. A terminal that is stopped is
 * such a reader.
 */
export const printerOf = (stream: Writable, droppedLine = textOfDropped): Print => {
  unblockTerminal(stream)
  let dropped = 0
  let pending = ''
  const flush = (): void => {
    stream.write(pending)
    pending = ''
  }
  return (line) => {
    if (stream.writableLength + pending.length > MAX_BUFFERED_BYTES) {
      dropped += 1
      return
    }
    if (pending === '') setImmediate(flush)
    if (dropped > 0) pending += `${droppedLine(dropped)}\n`
    dropped = 0
    pending += `${line}\n`
  }
}

const textOfDropped = (lines: number): string => `(${lines} lines were dropped: nothing read this output)`
/** JSON event that says how many lines were dropped. */
export const eventOfDropped = (lines: number): string => JSON.stringify({ event: 'dropped', lines })

/** JSON Lines reporter: one event per line, for programs. The first one says where the emulator is. */
export const jsonLines = (print: Print, { isQuiet = false } = {}): Reporter => {
  const emit = (event: object) => print(JSON.stringify(event))
  const started: Reporter['started'] = (emulator) => emit(readyEvent(emulator))
  if (isQuiet) return { started, stopped: () => {} }
  return {
    started,
    stopped: () => emit({ event: 'stopped' }),
    events: {
      request: (entry) => emit(requestEvent(entry)),
      happening: (happening) => emit(happeningEvent(happening)),
      quota: (hit) => emit({ event: 'bound', ...hit }),
      scenario: (change) => emit({ event: 'scenario', ...change }),
      profile: (change) => emit({ event: 'profile', ...change }),
      preflight: (refused) => emit({ event: 'preflight', ...refused }),
      refused: (error) => emit({ event: 'refused', ...error }),
      trouble: (trouble) => emit({ event: 'trouble', ...trouble }),
    },
  }
}

const readyEvent = ({ url, port, emulator }: Started) => ({
  event: 'ready',
  url,
  port,
  pid: process.pid,
  instance: emulator.instance,
  version,
  seed: emulator.settings.seed,
  // A token that was given is known to its giver.
  ...(emulator.madeToken === undefined ? {} : { controlToken: emulator.madeToken }),
})

// Keys are never printed: an account is named by its id.
const requestEvent = (entry: Events['request'][0]) => ({
  event: 'request',
  at: isoOf(entry.at),
  id: entry.id,
  account: accountIdOf(entry.account),
  method: entry.method,
  path: redaction.text(entry.path, entry.account),
  status: entry.status,
  connection: connectionOutcomeOf(entry) ?? null,
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
  ...(callback === undefined ? {} : callbackFields(callback, account)),
})

type Callback = NonNullable<Events['happening'][0]['callback']>

const callbackFields = (callback: Callback, account: string) => {
  const { about, reason = null, ...facts } = callbackFacts(callback, account)
  return { task: callback.taskId, about, url: withoutSecrets(callback.url), ...facts, reason }
}

// User, password and query are dropped: receivers know callers by these.
export const withoutSecrets = (url: string): string => {
  if (!URL.canParse(url)) return '(no URL)'
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

/** Reason why a call was refused: the first rule's sentence, else the answer's; undefined when it was not refused. */
export const problemMessage = (entry: Events['request'][0]): string | undefined => {
  const { status, refusedBy, responseBody, account } = entry
  if (status < 400) return undefined
  const message = refusedBy[0]?.message ?? messageIn(responseBody)
  // It may quote the request.
  return message === undefined ? undefined : redaction.text(message, account)
}

// Every family has its own place for it (gaps A to F).
const messageIn = (body: unknown): string | undefined => {
  if (body === null || typeof body !== 'object') return undefined
  const { message, msg, error } = body as Record<string, unknown>
  if (typeof message === 'string') return message
  return typeof msg === 'string' ? msg : messageIn(error)
}
