import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import type { SpawnedCommand } from '../../command/windows-command.js'
import { EmulatorError, LONGEST_TIMER_MS } from '../../emulator/surface/records.js'
import type { Outcome } from './report.js'

interface CommandRun {
  readonly command: SpawnedCommand
  readonly environment: NodeJS.ProcessEnv
  /** File for what it prints. */
  readonly output: string
  readonly timeoutMs: number
  /** Ends it before its time. */
  readonly signal: AbortSignal
}

/** End of a command. */
export interface CommandEnd {
  readonly outcome: Outcome
  /** Undefined where a signal ended it. */
  readonly code: number | undefined
  readonly durationMs: number
  /** Whether it was ended from outside, so that its outcome says nothing. */
  readonly isAborted: boolean
}

const outcomeOf = (code: number | null, signal: NodeJS.Signals | null): Outcome => {
  if (code === 0) return 'pass'
  // Shells exit with 128 and the number of the signal that ended what they ran. On Windows, what an exception ends exits with
  // the number of the exception: 0xC0000005 for an access of memory that is not its own. An exit with -1 is 0xFFFFFFFF.
  const isException = code !== null && code >= 0x8000_0000 && code < 0xf000_0000
  const isCrashCode = isException || (code !== null && code > 128 && code < 160)
  return signal !== null || isCrashCode ? 'crashed' : 'fail'
}

/**
 * Runs a command as a process group of its own, and ends the whole group at the time limit.
 * @throws EmulatorError `wrong-usage` where the command does not exist or cannot be run
 */
export const runCommand = async (run: CommandRun): Promise<CommandEnd> => {
  const begin = performance.now()
  const child = start(run)
  const timeout = AbortSignal.timeout(Math.min(Math.ceil(run.timeoutMs), LONGEST_TIMER_MS))
  const ends = AbortSignal.any([run.signal, timeout])
  const end = () => killGroup(child)
  ends.addEventListener('abort', end)
  // The signal may have been aborted while the run was prepared.
  if (ends.aborted) end()
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    // Processes that the command has left behind would call the next emulator, or hold a port.
    killGroup(child)
    return {
      outcome: timeout.aborted ? 'hung' : outcomeOf(code, signal),
      code: code ?? undefined,
      durationMs: performance.now() - begin,
      isAborted: run.signal.aborted,
    }
  } catch (error) {
    throw notStarted(run.command, error)
  } finally {
    ends.removeEventListener('abort', end)
  }
}

const start = ({ command, environment, output }: CommandRun): ChildProcess => {
  const { program, args, windowsVerbatimArguments = false } = command
  const file = openSync(output, 'w')
  try {
    return spawn(program, args, {
      stdio: ['ignore', file, file],
      env: environment,
      detached: process.platform !== 'win32',
      windowsVerbatimArguments,
    })
  } catch (error) {
    // Some errors of the system are thrown here, and others are events.
    throw notStarted(command, error)
  } finally {
    closeSync(file)
  }
}

const notStarted = ({ program }: SpawnedCommand, cause: unknown): EmulatorError => {
  const { code, message } = cause as NodeJS.ErrnoException
  const problem =
    code === 'ENOENT' ? `There is no command ${program}` : `${program} cannot be run: ${message}`
  const hint = 'Write the command as in a shell: backlot sweep -- npm test'
  return new EmulatorError(`${problem}.`, { code: 'wrong-usage', hint, cause })
}

const killGroup = (child: ChildProcess): void => {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') spawnSync('taskkill', ['/PID', String(child.pid), '/T', '/F'])
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group has ended.
  }
}
