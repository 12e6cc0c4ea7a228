import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'

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
interface Launched {
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

interface Shell {
  /** Rejects where it cannot be started. */
  readonly begun: Promise<unknown>
  hasEnded(): boolean
  /** Comes back when the program has begun. @throws ShellEnded */
  launch(words: readonly string[], errors: string): Promise<Launched>
}

const SHELL = '/bin/sh'

// A line is a program to be started; what it ends with is written by a shell of its own, which waits for it. `jobs` lets
// go of those that have ended. Lines are read as lines, so that what breaks one is given a name.
const SCRIPT = `n='\n'; while IFS= read -r line; do eval "$line"; jobs >/dev/null 2>&1; done`

/** Opens a shell that starts programs, and ends when `until` is aborted. Without a program that runs it keeps nobody from ending. */
const openShell = (until: AbortSignal): Shell => {
  const child = spawn(SHELL, ['-c', SCRIPT], { stdio: ['pipe', 'pipe', 'ignore'] })
  const begun = once(child, 'spawn')
  // Whoever launches something is told.
  begun.catch(() => {})
  const pipes = [child.stdin, child.stdout].filter(isSocket)
  const hold = () => {
    for (const part of [child, ...pipes]) part.ref()
  }
  const letGo = () => {
    for (const part of [child, ...pipes]) part.unref()
  }
  const jobs = createJobs({ onFirst: hold, onNone: letGo })
  let hasEnded = false
  const end = () => {
    hasEnded = true
    until.removeEventListener('abort', stop)
  }
  // It ends when there is nothing more to read; what it has started says to the last how it ends.
  const stop = () => child.stdin.end()
  until.addEventListener('abort', stop)
  child.once('exit', end).on('error', end)
  child.once('close', () => jobs.end(new ShellEnded()))
  child.stdin.on('error', () => {})
  createInterface(child.stdout).on('line', jobs.told)
  letGo()
  return {
    begun,
    hasEnded: () => hasEnded,
    launch: async (words, errors) => {
      if (hasEnded) throw new ShellEnded()
      const { number, launched } = jobs.begin()
      child.stdin.write(`${lineFor(number, words, errors)}\n`)
      return launched
    },
  }
}

class ShellEnded extends Error {
  override readonly name = 'ShellEnded'
  override readonly message = 'The shell that starts programs has ended.'
}

const isSocket = (part: unknown): part is Socket => part instanceof Socket

const lineFor = (number: number, words: readonly string[], errors: string): string =>
  `{ ${words.map(quoted).join(' ')} </dev/null >/dev/null 2>${quoted(errors)} & ` +
  `echo "${number} began $!"; wait $!; echo "${number} ended $?"; } &`

/** As a single word, whatever is in it. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`).replaceAll('\n', `'"$n"'`)}'`

/** The programs that a shell has been told to start, and what it says of them. */
interface Jobs {
  begin(): { readonly number: number; readonly launched: Promise<Launched> }
  /** A line of the shell: `3 began 4711`, `3 ended 0`. */
  told(line: string): void
  /** The shell has ended: so do they. */
  end(reason: Error): void
}

interface Job {
  /** Its process; undefined until it has begun. */
  process: number | undefined
  readonly began: Deferred<Launched>
  readonly ended: Deferred<number>
}

const createJobs = (on: { readonly onFirst: () => void; readonly onNone: () => void }): Jobs => {
  const jobs = new Map<number, Job>()
  let latest = 0

  const forget = (number: number): void => {
    jobs.delete(number)
    if (jobs.size === 0) on.onNone()
  }

  const kill = (number: number): void => {
    const { process: started } = jobs.get(number) ?? {}
    if (started === undefined) return
    try {
      process.kill(started, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }

  return {
    begin: () => {
      latest += 1
      if (jobs.size === 0) on.onFirst()
      const job: Job = { process: undefined, began: deferred(), ended: deferred() }
      jobs.set(latest, job)
      return { number: latest, launched: job.began.promise }
    },
    told: (line) => {
      const [name, what, value] = line.split(' ')
      const number = Number(name)
      const job = jobs.get(number)
      if (job === undefined) return
      if (what === 'began') {
        job.process = Number(value)
        job.began.resolve({ ended: job.ended.promise, kill: () => kill(number) })
      } else {
        forget(number)
        job.ended.resolve(Number(value))
      }
    },
    end: (reason) => {
      for (const [number, job] of jobs) {
        kill(number)
        forget(number)
        job.began.reject(reason)
        job.ended.reject(reason)
      }
    },
  }
}

interface Deferred<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
  reject(reason: Error): void
}

const deferred = <T>(): Deferred<T> => {
  let [resolve, reject]: [Deferred<T>['resolve'], Deferred<T>['reject']] = [() => {}, () => {}]
  const promise = new Promise<T>((...both) => {
    ;[resolve, reject] = both
  })
  // One that nobody waits for any more is nobody's trouble.
  promise.catch(() => {})
  return { promise, resolve, reject }
}
