import { EmulatorError } from '../core/errors.js'

/** A command of the command line. Declared as data; what it needs is loaded when it runs. */
export interface CliCommand {
  /** Its name and what it works on, as commander writes them: `exec [command...]`. */
  readonly usage: string
  readonly says: string
  readonly options: readonly CliOption[]
  /** Lines to copy, each with what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[]
  /** Everything behind the first operand belongs to it, options too; left out: options may stand anywhere. */
  readonly passesOptionsOn?: boolean
  /** Answers the exit code. @throws EmulatorError */
  readonly run: (given: Given) => Promise<number>
}

export interface CliOption {
  /** As commander writes it: `--port <number>`. */
  readonly flags: string
  readonly says: string
  /** May be given several times; left out: the last one holds. */
  readonly repeats?: boolean
}

/** What stood on the command line. */
export interface Given {
  /** By name in camelCase; a repeatable option as a list, one without value as true. */
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
  readonly operands: readonly string[]
}

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

/** One line on standard error, where it does not mix with what programs read. */
export const warn = (line: string): void => {
  process.stderr.write(`backlot: ${line}\n`)
}

/** The URL of an emulator without a slash at its end. @throws EmulatorError `wrong-usage` */
export const urlOf = (url: string): string => {
  if (/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) return url.replace(/\/+$/, '')
  throw usageError(`Expected a URL that begins with http:// or https://, found ${JSON.stringify(url)}.`)
}
