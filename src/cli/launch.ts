import { execFile } from 'node:child_process'
import { constants } from 'node:os'
import { promisify } from 'node:util'
import { EmulatorError } from '../core/errors.js'
import { formatDuration } from '../core/schedule/duration.js'
import type { Settings } from '../core/settings.js'
import type { Emulator } from '../emulator.js'
import { type Listening, listen } from '../listen.js'
import { openEmulator } from '../open-emulator.js'
import { type Arguments, type CliOption, formatError, joinLines, textOption } from './command.js'
import { follow, type Reporter, type Started } from './output/reporter.js'
import { watchScenarioFiles } from './scenario-files.js'

export const recordOption: CliOption = {
  flags: '--record <file>',
  description: 'write everything that happens into a file that `backlot replay` runs again',
}

/**
 * Starts an emulator in this process, reports what it does, and records it where the options say so.
 * @throws EmulatorError when the port is taken or cannot be opened
 */
export const launch = async (
  settings: Settings,
  reporter: Reporter,
  options: Arguments['options'],
): Promise<Started & Pick<Listening, 'close'>> => {
  const emulator = await openEmulator(settings, {
    onInternalError: (error) => void process.stderr.write(`${formatError(error)}\n`),
  })
  // On standard error in every mode: what reads standard output may be a program that looks for something else.
  emulator.events.on('trouble', ({ says, hint }) =>
    process.stderr.write(`${joinLines(`backlot: ${says}`, hint)}\n`),
  )
  // A recording begins before the first call can come.
  const endRecording = await record(emulator, textOption(options.record))
  const { url, port, close } = await listen(emulator).catch((error) => blamed(error, settings))
  const started = { emulator, url, port }
  reporter.started(started)
  follow(emulator.events, reporter)
  const endWatching = watchScenarioFiles(emulator)
  // Loaded while no call waits for it, so that the first call need not.
  setImmediate(() => void emulator.app.load())
  const stop = async (): Promise<void> => {
    endWatching()
    await close()
    await endRecording()
  }
  return { ...started, close: stop }
}

const record = async (emulator: Emulator, file: string | undefined): Promise<() => Promise<void>> => {
  if (file === undefined) return async () => {}
  const { recordTo } = await import('../recording/record.js')
  return recordTo(emulator, file)
}

/** What shells answer for a process that a signal has ended: 128 and the signal's number. */
export const exitCodeOfSignal = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

const blamed = async (error: unknown, { host, port }: Settings): Promise<never> => {
  if (!(error instanceof EmulatorError) || error.code !== 'port-taken') throw error
  const owner = await portOwner(host, port)
  if (owner === undefined) throw error
  throw new EmulatorError(`Port ${port} on ${host} is taken by ${owner}.`, {
    code: error.code,
    hint: 'Stop it, choose another port with --port, or let --port 0 pick a free one.',
    cause: error,
  })
}

const PROBE_TIMEOUT_MS = 2_000

/** Owner of a port, as far as it can be found out: `another Backlot (version 0.1.0, …)`, `node (process 123)`. */
const portOwner = async (host: string, port: number): Promise<string | undefined> => {
  const [emulator, program] = await Promise.all([backlotAt(host, port), listener(port)])
  if (emulator === undefined) return program
  return program === undefined ? emulator : `${emulator}, ${program}`
}

const backlotAt = async (host: string, port: number): Promise<string | undefined> => {
  const named = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  try {
    const response = await fetch(`http://${named}:${port}/_backlot/health`, {
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    })
    const { version, uptime_ms } = (await response.json()) as { version?: unknown; uptime_ms?: unknown }
    if (typeof version !== 'string' || typeof uptime_ms !== 'number') return undefined
    return `another Backlot (version ${version}, running for ${formatDuration(uptime_ms)})`
  } catch {
    return undefined
  }
}

// lsof is on every Mac and on some Linux machines, ss on most of the others.
const listener = async (port: number): Promise<string | undefined> =>
  (await programIn(
    'lsof',
    ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'],
    /^p(?<id>\d+)\nc(?<name>.+)$/m,
  )) ?? (await programIn('ss', ['-ltnpH', `sport = :${port}`], /\("(?<name>[^"]+)",pid=(?<id>\d+)/))

const programIn = async (tool: string, args: string[], pattern: RegExp): Promise<string | undefined> => {
  try {
    const { stdout } = await promisify(execFile)(tool, args, { timeout: PROBE_TIMEOUT_MS })
    const { name, id } = pattern.exec(stdout)?.groups ?? {}
    return name === undefined ? undefined : `the program ${name} (process ${id})`
  } catch {
    return undefined
  }
}
