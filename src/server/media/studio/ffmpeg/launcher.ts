import { existsSync } from 'node:fs'
import { openShell, SHELL, type Shell, ShellEnded } from './shell.js'

/**
 * Starts programs. A process that starts one has its page tables copied, which takes longer the more memory it has, and
 * nothing else is done meanwhile. So a small shell is started once, and starts all others.
 */
export interface Launcher {
  /**
   * Starts a program with nothing to read, and comes back when it has begun. What it prints as errors goes into a file.
   *
   * @throws Error where the shell cannot be started
   */
  launch(program: string, args: readonly string[], errors: string): Promise<Launched>
}

/** A program that was started. */
export interface Launched {
  /**
   * Its exit code, as a shell has it: 127 where there is no such program, 128 and the number of a signal where one has
   * ended it. Rejects where the shell has ended before.
   */
  readonly ended: Promise<number>
  kill(): void
}

/** Whether there is a shell. There is none on Windows, where starting a process copies nothing, and in the barest containers. */
export const canLaunch = (): boolean => existsSync(SHELL)

/** The shell is started with the first program, and again where it has ended; it ends when `until` is aborted. */
export const createLauncher = (until: AbortSignal): Launcher => {
  let shell: Shell | undefined
  const launched = async (words: readonly string[], errors: string): Promise<Launched> => {
    until.throwIfAborted()
    if (shell === undefined || shell.hasEnded()) shell = openShell(until)
    await shell.begun
    return shell.launch(words, errors)
  }
  return {
    launch: async (program, args, errors) => {
      try {
        return await launched([program, ...args], errors)
      } catch (error) {
        // It may have been killed a moment ago.
        if (error instanceof ShellEnded) return launched([program, ...args], errors)
        throw error
      }
    },
  }
}
