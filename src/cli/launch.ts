import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { EmulatorError } from '../core/errors.js'
import { formatDuration } from '../core/schedule/duration.js'
import type { Settings } from '../core/settings.js'
import { type Emulator, openEmulator } from '../emulator.js'
import { type Listening, listen } from '../listen.js'
import { type CliOption, type Given, lines, told } from './command.js'
import { follow, type Reporter, type Started } from './output/reporter.js'

type Launched = Started & Pick<Listening, 'close'>

/**
 * Starts an emulator in this process and lets a reporter tell of it. `prepare` has it before it listens.
 * @throws EmulatorError when the port is taken or cannot be had
 */
export const launch = async (
  settings: Settings,
  reporter: Reporter,
  prepare: (emulator: Emulator) => Promise<void> = async () => {},
): Promise<Launched> => {
  const emulator = await openEmulator(settings, {
    onInternalError: (error) => void process.stderr.write(`${told(error)}\n`),
  })
  // In every mode, since whoever reads standard output may be a program that looks for something else.
  emulator.events.on('trouble', ({ says, hint }) =>
    process.stderr.write(`${lines(`backlot: ${says}`, hint)}\n`),
  )
  await prepare(emulator)
  const { url, port, close } = await listen(emulator).catch((error) => blamed(error, settings))
  const started = { emulator, url, port }
  reporter.started(started)
  follow(emulator.events, reporter)
  // While nobody asks yet, so that the first who does need not wait for it.
  setImmediate(() => void emulator.app.load())
  return { ...started, close }
}

const blamed = async (error: unknown, { host, port }: Settings): Promise<never> => {
  if (!(error instanceof EmulatorError) || error.code !== 'port-taken') throw error
  const { portOwner } = await import('./launch.js')
  const owner = await portOwner(host, port)
  if (owner === undefined) throw error
  throw new EmulatorError(`Port ${port} on ${host} is taken by ${owner}.`, {
    code: error.code,
    hint: 'Stop it, choose another port with --port, or let --port 0 pick a free one.',
    cause: error,
  })
}

export const recordOption: CliOption = {
  flags: '--record <file>',
  says: 'write everything that happens into a file that `backlot replay` runs again',
}

/** Records where the options say so, and nothing otherwise; `end` writes what is left. */
interface Recording {
  begin(emulator: Emulator): Promise<void>
  end(): void
}

export const recordingFor = ({ record }: Given['options']): Recording => {
  let end = () => {}
  return {
    begin: async (emulator) => {
      if (typeof record !== 'string') return
      const { recordTo } = await import('../recording/record.js')
      end = recordTo(emulator, record)
    },
    end: () => end(),
  }
}

const PATIENCE_MS = 2_000

/** Who listens on a port, as far as it can be found out: `another Backlot (version 0.1.0, …)`, `node (process 123)`. */
export const portOwner = async (host: string, port: number): Promise<string | undefined> => {
  const [emulator, program] = await Promise.all([askForBacklot(host, port), listener(port)])
  if (emulator === undefined) return program
  return program === undefined ? emulator : `${emulator}, ${program}`
}

const askForBacklot = async (host: string, port: number): Promise<string | undefined> => {
  const named = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  try {
    const response = await fetch(`http://${named}:${port}/_backlot/health`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
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
  (await asked('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], /^p(?<id>\d+)\nc(?<name>.+)$/m)) ??
  (await asked('ss', ['-ltnpH', `sport = :${port}`], /\("(?<name>[^"]+)",pid=(?<id>\d+)/))

const asked = async (program: string, args: string[], pattern: RegExp): Promise<string | undefined> => {
  try {
    const { stdout } = await promisify(execFile)(program, args, { timeout: PATIENCE_MS })
    const { name, id } = pattern.exec(stdout)?.groups ?? {}
    return name === undefined ? undefined : `the program ${name} (process ${id})`
  } catch {
    return undefined
  }
}
