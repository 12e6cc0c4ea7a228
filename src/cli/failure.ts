import { EmulatorError } from '../core/emulator-error.js'

/** The command cannot run as it was written. */
export const usageError = (message: string, hint?: string): EmulatorError =>
  new EmulatorError(message, { code: 'wrong-usage', ...(hint === undefined ? {} : { hint }) })

/** Several things that are wrong, as sentences one behind the other. */
export const sentences = (problems: readonly string[]): string =>
  problems.map((problem) => (problem.endsWith('?') ? problem : `${problem}.`)).join(' ')

const USAGE = [
  'wrong-usage',
  'bad-setting',
  'bad-duration',
  'no-such-file',
  'unknown-scenario',
  'bad-scenario',
  'bad-recording',
  'cannot-record',
  'cannot-log',
  'bad-state',
  'other-seed',
  'state-unusable',
  'unreachable',
  'not-an-emulator',
  'token-needed',
]

/** 2 for wrong usage, missing and unreadable files among it (gap Z28); 1 for everything else. */
export const exitCodeOf = (error: unknown): 1 | 2 =>
  error instanceof EmulatorError && USAGE.includes(error.code) ? 2 : 1

/** What such errors are about is wrong in several places, of which each has a line. */
const IN_LINES = ['bad-scenario', 'bad-recording']

/** An error as one or two lines without a stack: what is wrong, and what to do. Of many mistakes each has a line more. */
export const told = (error: unknown): string => {
  if (error instanceof EmulatorError) {
    const message = IN_LINES.includes(error.code) ? error.message.split('\n') : [error.message]
    return lines(`backlot: ${message[0]}`, ...message.slice(1), error.hint)
  }
  const bug = error instanceof Error ? error : new Error(String(error))
  return lines(`backlot: This should not have happened: ${bug.name}: ${bug.message}`, placeOf(bug))
}

/** Each on a line of its own; what is left out or empty is none. */
export const lines = (...given: (string | undefined)[]): string =>
  given
    .flatMap((line) => (line === undefined || line === '' ? [] : [line.replace(/\s*\n\s*/g, ' ')]))
    .join('\n')

const placeOf = ({ stack = '' }: Error): string | undefined => /^\s+at .*$/m.exec(stack)?.[0].trim()
