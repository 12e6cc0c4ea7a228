import { type EventEmitter, once } from 'node:events'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { URL } from 'node:url'
import { accountIdOf } from '../core/account/account-id.js'
import { EmulatorError, isDiskFull, systemReason } from '../core/errors.js'
import type { Events, HealthReporter, Served } from '../core/events.js'
import { redactedText } from '../core/journal/redact.js'
import { type AccountEvent, type CallbackRecord, callbackFacts } from '../core/model/account.js'
import type { Settings } from '../core/settings.js'
import { makeFolder } from '../media/files/temporary-folders.js'
import { version } from '../version.js'

const STANDARD_OUTPUT = 1

/**
 * Opens a file to append to, or standard output for `-`. Lines are written beside the event loop.
 * @throws EmulatorError `cannot-log`
 */
const openDestination = async (file: string) => {
  const { destination } = await import('pino')
  // Opened once before: a destination that cannot be opened throws again when the process ends.
  if (file !== '-')
    await makeFolder(dirname(file))
      .then(() => open(file, 'a'))
      .then((opened) => opened.close())
      .catch((cause) => Promise.reject(cannotLog(file, cause)))
  const stream = destination({ dest: file === '-' ? STANDARD_OUTPUT : file, sync: false })
  await once(stream, 'ready')
  return stream
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
  const destination = await openDestination(file)
  let isPipeBroken = false
  const log = pino(
    {
      level: settings.logLevel,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    { write: (line: string) => void destination.write(line) },
  )
  const { flushSync } = destination
  // A listener for as long as it is open: without one, a full disk would end the process.
  destination.on('error', (error: NodeJS.ErrnoException) => {
    health.report('log', notWritten(file, error))
    isPipeBroken ||= error.code === 'EPIPE'
    // pino flushes at the exit of the process, and tries forever to write to a full disk.
    destination.flushSync = () => {}
  })
  destination.on('write', () => {
    health.resolve('log')
    destination.flushSync = flushSync
  })

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
    // After a broken pipe, pino's destination ignores `end` and never closes.
    if (isPipeBroken) return
    const closed = once(destination, 'close').catch(() => destination.destroy())
    destination.end()
    await closed
  }
}
