import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { createJobs } from './jobs.js'
import type { Launched } from './launcher.js'

export interface Shell {
  /** Rejects where it cannot be started. */
  readonly begun: Promise<unknown>
  hasEnded(): boolean
  /** Comes back when the program has begun. @throws ShellEnded */
  launch(words: readonly string[], errors: string): Promise<Launched>
}

export const SHELL = '/bin/sh'

// A line is a program to be started; what it ends with is written by a shell of its own, which waits for it. `jobs` lets
// go of those that have ended. Lines are read as lines, so that what breaks one is given a name.
const SCRIPT = `n='\n'; while IFS= read -r line; do eval "$line"; jobs >/dev/null 2>&1; done`

/** Opens a shell that starts programs, and ends when `until` is aborted. Without a program that runs it keeps nobody from ending. */
export const openShell = (until: AbortSignal): Shell => {
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

export class ShellEnded extends Error {
  override readonly name = 'ShellEnded'
  override readonly message = 'The shell that starts programs has ended.'
}

const isSocket = (part: unknown): part is Socket => part instanceof Socket

const lineFor = (number: number, words: readonly string[], errors: string): string =>
  `{ ${words.map(quoted).join(' ')} </dev/null >/dev/null 2>${quoted(errors)} & ` +
  `echo "${number} began $!"; wait $!; echo "${number} ended $?"; } &`

/** As a single word, whatever is in it. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`).replaceAll('\n', `'"$n"'`)}'`
