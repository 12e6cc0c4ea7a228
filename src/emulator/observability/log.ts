import { type EventEmitter, once } from 'node:events'
import { constants, fstatSync, open as openDescriptor, type Stats } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { URL } from 'node:url'
import { promisify } from 'node:util'
import { waitAtMost } from '../concurrency.js'
import { accountIdOf } from '../core/account/account-id.js'
import { EmulatorError, isDiskFull, systemReason } from '../core/errors.js'
import type { Events, HealthReporter, Served } from '../core/events.js'
import { redactedText } from '../core/journal/redact.js'
import { type AccountEvent, type CallbackRecord, callbackFacts } from '../core/model/account.js'
import type { Settings } from '../core/settings.js'
import { makeFolder } from '../media/files/temporary-folders.js'
import { version } from '../version.js'
import { unblockTerminal } from './terminal.js'

const STANDARD_OUTPUT = 1

/** Where lines of the log go. */
interface Destination {
  write(line: string): void
  /** Writes what is left, and closes it. A reader that takes nothing is not waited for. */
  end(): Promise<void>
}

/** Is told how writing goes. */
interface Watcher {
  readonly onWritten: () => void
  readonly onError: (error: NodeJS.ErrnoException) => void
}

/**
 * Opens a file to append to, a named pipe, or standard output for `-`.
 * @throws EmulatorError `cannot-log`
 */
const openDestination = async (file: string, watcher: Watcher): Promise<Destination> => {
  if (file === '-') {
    unblockTerminal(process.stdout)
    return process.stdout.isTTY || isPipe(fstatSync(STANDARD_OUTPUT))
      ? createPipeDestination(process.stdout, watcher)
      : openFile(STANDARD_OUTPUT, watcher)
  }
  try {
    await makeFolder(dirname(file))
    const stats = await stat(file).catch(() => undefined)
    if (stats?.isFIFO()) return createPipeDestination(await openNamedPipe(file), watcher)
    // Opened once before: a destination that cannot be opened throws again when the process ends.
    await (await open(file, 'a')).close()
  } catch (cause) {
    throw cannotLog(file, cause as Error)
  }
  return openFile(file, watcher)
}

const isPipe = (stats: Stats): boolean => stats.isFIFO() || stats.isSocket()

/** Without O_NONBLOCK, it would wait for a reader. */
const openNamedPipe = async (file: string): Promise<Socket> => {
  const fd = await promisify(openDescriptor)(file, constants.O_WRONLY | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'ENXIO'
        ? new Error('it is a named pipe that no program reads: start its reader first')
        : error
    },
  )
  return new Socket({ fd, readable: false, writable: true })
}

/** File or device: lines are written beside the event loop. */
const openFile = async (file: string | number, { onWritten, onError }: Watcher): Promise<Destination> => {
  const { destination } = await import('pino')
  const stream = destination({ dest: file, sync: false })
  await once(stream, 'ready')
  const { flushSync } = stream
  let isPipeBroken = false
  // A listener for as long as it is open: without one, a full disk would end the process.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    isPipeBroken ||= error.code === 'EPIPE'
    onError(error)
    // pino flushes at the exit of the process, and tries forever to write to a full disk.
    stream.flushSync = () => {}
  })
  stream.on('write', () => {
    onWritten()
    stream.flushSync = flushSync
  })
  return {
    write: (line) => void stream.write(line),
    end: async () => {
      // After a broken pipe, pino's destination ignores `end` and never closes.
      if (isPipeBroken) return
      const closed = once(stream, 'close').catch(() => stream.destroy())
      stream.end()
      await closed
    },
  }
}

/** How much waits for the reader of a pipe, or for a terminal; what comes then is dropped. */
const MAX_BUFFERED_BYTES = 2 ** 20
/** How long an end waits for the reader of a pipe. */
const END_MS = 1_000

/**
 * Pipe or terminal: its writes do not block. A thread that waits in one for a reader that has stalled would keep the process from ending,
 * also by `process.exit`.
 */
const createPipeDestination = (stream: Writable, { onWritten, onError }: Watcher): Destination => {
  stream.on('error', onError)
  const write = (line: string): void => {
    if (stream.destroyed) return
    if (stream.writableLength > MAX_BUFFERED_BYTES)
      onError(new Error('its reader takes nothing, and lines are dropped'))
    else stream.write(line, (error) => (error ? undefined : onWritten()))
  }
  return {
    write,
    end: async () => {
      if (stream.destroyed) return
      await waitAtMost(END_MS, new Promise<void>((resolve) => stream.write('', () => resolve())))
      // Standard output belongs to the process, and its errors are no longer of the log.
      if (stream === process.stdout) stream.off('error', onError)
      else stream.destroy()
    },
  }
}

const cannotLog = (file: string, cause: Error): EmulatorError =>
  new EmulatorError(`The log cannot be written to ${file}: ${systemReason(cause)}.`, {
    code: 'cannot-log',
    hint: 'Name a file in a folder that may be written to (logFile), or - for standard output.',
    cause,
  })

/** Error of lines that could not be written. */
const notWritten = (file: string, cause: NodeJS.ErrnoException): EmulatorError =>
  new EmulatorError(`${file === '-' ? 'standard output' : file}: ${systemReason(cause)}.`, {
    code: isDiskFull(cause) ? 'disk-full' : 'log-unwritten',
    hint: cause.code === 'EPIPE' ? undefined : 'It is tried again with the next line.',
    cause,
  })

// Lines of the log never hold a key, a body, or the query of an address.
const callLine = ({ requestId, operation, account, method, status, durationMs, hints }: Served) => ({
  request: requestId,
  operation: operation ?? null,
  account: accountIdOf(account),
  method,
  status,
  ms: Math.round(durationMs * 1_000) / 1_000,
  ...(hints === undefined ? {} : { hints }),
})

const changeLine = ({ id, detail, task }: AccountEvent, account: string) => ({
  id,
  account: accountIdOf(account),
  status: detail,
  family: task?.family,
  model: task?.model,
})

const callbackLine = (callback: CallbackRecord, outcome: string, key: string) => {
  const { about, ...facts } = callbackFacts(callback, key)
  const { id, url } = callback
  return { id, account: accountIdOf(key), outcome, about, receiver: hostOf(url), ...facts }
}

// Paths and queries tell a receiver who calls.
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '(no URL)')

const errorLine = (error: unknown) => {
  if (!(error instanceof Error)) return { error: redactedText(String(error)) }
  const { name, message, stack = '', cause } = error
  return {
    error: name,
    message: redactedText(error instanceof EmulatorError ? error.sentence : message),
    ...(error instanceof EmulatorError ? { code: error.code, hint: error.hint ?? null } : {}),
    stack: redactedText(stack),
    ...(cause instanceof Error ? { cause: redactedText(cause.message) } : {}),
  }
}

interface Logged {
  readonly events: EventEmitter<Events>
  readonly health: HealthReporter
  readonly settings: Settings
}

/**
 * Structured log: one line of JSON for each call, callback, limit that was met, health issue and error. Resolves with
 * what ends it.
 * @throws EmulatorError `cannot-log`
 */
export const startLog = async (
  { events, health, settings }: Logged,
  file: string,
): Promise<() => Promise<void>> => {
  const { pino, stdTimeFunctions } = await import('pino')
  const destination = await openDestination(file, {
    onWritten: () => health.resolve('log'),
    onError: (error) => health.report('log', notWritten(file, error)),
  })
  const log = pino(
    {
      level: settings.logLevel,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    destination,
  )
  log.info({ version, process: process.pid }, 'started')
  const listeners: { readonly [Name in keyof Events]?: (...args: Events[Name]) => void } = {
    served: (call) => log[call.status >= 500 ? 'warn' : 'info'](callLine(call), 'call'),
    happening: (happening) => {
      const { kind, detail, account, callback } = happening
      if (callback === undefined) log.debug(changeLine(happening, account), kind)
      else log[detail === 'failed' ? 'warn' : 'info'](callbackLine(callback, detail, account), 'callback')
    },
    quota: ({ name, setting, most, hits, says }) =>
      log.warn({ bound: name, setting, most, hits, says }, 'bound'),
    scenario: (change) => log[change.isPlayed ? 'info' : 'warn'](change, 'scenario'),
    profile: (change) => log[change.isInForce ? 'info' : 'warn'](change, 'profile'),
    preflight: (refused) => log.warn(refused, 'preflight'),
    refused: (error) => log.warn(error, 'refused'),
    trouble: (issue) => {
      // The log cannot say that it cannot be written.
      if (issue.need !== 'log') log[issue.state === 'begun' ? 'error' : 'info'](issue, 'trouble')
    },
    bug: (error) => log.error(errorLine(error), 'error'),
  }
  const named = Object.entries(listeners) as [keyof Events, (...args: unknown[]) => void][]
  for (const [name, listener] of named) events.on(name, listener)

  return async () => {
    // A call can end after the emulator has stopped.
    for (const [name, listener] of named) events.off(name, listener)
    log.info('stopped')
    await destination.end()
  }
}
