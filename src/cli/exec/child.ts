import { spawn } from 'node:child_process'
import { exitCodeOfSignal } from '../start/signals.js'
import { warn } from '../start/warn.js'

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** What shells answer for a command that does not exist, and for one that is there and cannot be run. */
const NOT_FOUND = 127
const NOT_RUNNABLE = 126

/** Runs a command with this process's input and output. Answers its exit code; 128 + n when a signal ended it. */
export const runChild = async (
  command: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> => {
  const child = spawn(command, args, { stdio: 'inherit', env: environment })
  const passOn = (signal: NodeJS.Signals) => {
    if (!comesFromTerminal(signal)) child.kill(signal)
  }
  for (const signal of PASSED_ON) process.on(signal, passOn)
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve(notStarted(command, error)))
    child.once('exit', (code, signal) => resolve(signal === null ? (code ?? 1) : exitCodeOfSignal(signal)))
  })
}

// A terminal sends these to the command as well; twice is once too often for commands that end hard at the second.
const comesFromTerminal = (signal: NodeJS.Signals): boolean =>
  process.stdin.isTTY === true && (signal === 'SIGINT' || signal === 'SIGQUIT')

const notStarted = (command: string, error: NodeJS.ErrnoException): number => {
  const isMissing = error.code === 'ENOENT'
  warn(isMissing ? `There is no command ${command}.` : `${command} cannot be run: ${error.message}.`)
  return isMissing ? NOT_FOUND : NOT_RUNNABLE
}
