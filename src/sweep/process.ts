import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { clearTimeout, setTimeout } from 'node:timers'
import { EmulatorError } from '../core/errors.js'
import type { Outcome } from './report.js'

/** Command as `spawn` takes it. */
export interface SpawnedCommand {
  readonly program: string
  readonly args: readonly string[]
  /** Whether the arguments are quoted already. */
  readonly windowsVerbatimArguments?: boolean
}

/** Run of a command, with its limits. */
interface CommandRun {
  readonly command: SpawnedCommand
  readonly environment: NodeJS.ProcessEnv
  /** File for what it prints. */
  readonly output: string
  /** Undefined: without end. */
  readonly timeoutMs: number | undefined
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

// Shells exit with 128 and the number of the signal that ended what they ran.
const isSignalCode = (code: number): boolean => code > 128 && code < 160

const outcomeOf = (code: number | null, signal: NodeJS.Signals | null): Outcome => {
  if (signal !== null || isSignalCode(code ?? 0)) return 'crashed'
  return code === 0 ? 'pass' : 'fail'
}

/**
 * Runs a command as a process group of its own, and ends the whole group at the time limit.
 * @throws EmulatorError `wrong-usage` where the command does not exist or cannot be run
 */
export const runCommand = async (run: CommandRun): Promise<CommandEnd> => {
  const { program, args, windowsVerbatimArguments = false } = run.command
  const output = openSync(run.output, 'w')
  const begin = performance.now()
  const child = spawn(program, args, {
    stdio: ['ignore', output, output],
    env: run.environment,
    detached: process.platform !== 'win32',
    windowsVerbatimArguments,
  })
  closeSync(output)
  let hasTimedOut = false
  const end = () => {
    hasTimedOut = true
    killGroup(child)
  }
  const timer = run.timeoutMs === undefined ? undefined : setTimeout(end, run.timeoutMs)
  const abort = () => killGroup(child)
  run.signal.addEventListener('abort', abort)
  // The signal may have been aborted while the run was prepared.
  if (run.signal.aborted) abort()
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    // Processes that the command has left behind would call the next emulator, or hold a port.
    killGroup(child)
    return {
      outcome: hasTimedOut ? 'hung' : outcomeOf(code, signal),
      code: code ?? undefined,
      durationMs: performance.now() - begin,
      isAborted: run.signal.aborted,
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const problem =
      code === 'ENOENT' ? `There is no command ${program}` : `${program} cannot be run: ${message}`
    const hint = 'Write the command as in a shell: backlot sweep -- npm test'
    throw new EmulatorError(`${problem}.`, { code: 'wrong-usage', hint, cause: error })
  } finally {
    clearTimeout(timer)
    run.signal.removeEventListener('abort', abort)
  }
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
