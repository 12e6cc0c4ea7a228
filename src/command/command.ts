import { access, constants, mkdtemp, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { styleText } from 'node:util'
import { EmulatorError, systemReason } from '../emulator/surface/records.js'
import type { Emulator, Settings } from '../emulator/surface/starting.js'

/** Command of the command line: what it takes and what it does. Its module is loaded when it is asked for. */
export interface CliCommand {
  /** Name and operands: `exec [command...]`, `replay <file>`. */
  readonly usage: string
  readonly description: string
  readonly options: readonly CliOption[]
  /** Lines to copy, each with what it does. */
  readonly examples: readonly (readonly [line: string, effect: string])[]
  /** Everything from the first operand on belongs to it, options too. Default: options may stand anywhere. */
  readonly passesOptionsOn?: boolean
  /** Resolves with the exit code. @throws EmulatorError */
  readonly run: (args: Arguments, host: Host) => Promise<number>
}

/** Commands by their names, of one word or two. A module is loaded when its command is asked for. */
export type CommandTable = Readonly<Record<string, () => Promise<{ readonly command: CliCommand }>>>

/** What the program lends to commands, which know nothing of the folders beside their own. */
export interface Host {
  /** Opens an emulator as the package does. @param sweep folder of the run of a sweep that it joins */
  openEmulator(settings: Settings, options: { readonly sweep?: string }): Promise<Emulator>
  /** Runs a command beside an emulator, as `backlot exec` does. */
  execute(args: Arguments): Promise<{ readonly code: number; readonly isMissing: boolean }>
}

export interface CliOption {
  /** `--port <number>`, `-o, --output <file>`, `--wait [duration]`, `--strict`. */
  readonly flags: string
  readonly description: string
  /** May be given several times. Default: the last one holds. */
  readonly repeats?: boolean
}

/** Parsed command line. */
export interface Arguments {
  readonly options: Options
  readonly operands: readonly string[]
}

/** Parsed options, by name in camelCase; a repeatable one as a list, one without value as true. */
export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** Option value as text; undefined where it is not given, or without a value. */
export const textOption = (value: Options[string]): string | undefined =>
  typeof value === 'string' ? value : undefined

/** Values of a repeatable option. */
export const listOption = (value: Options[string]): readonly string[] => (Array.isArray(value) ? value : [])

/** Parsed value of an option; undefined where it is not given. @throws EmulatorError `wrong-usage` where `parse` finds none */
export const parsedOption = <T>(
  flag: string,
  value: Options[string],
  expected: string,
  parse: (text: string) => T | undefined,
): T | undefined => {
  const text = textOption(value)
  if (text === undefined) return undefined
  const parsed = parse(text)
  if (parsed === undefined) throw usageError(`${flag} must be ${expected}, found ${JSON.stringify(text)}.`)
  return parsed
}

/** Parser of numbers that are written like a pattern. */
export const numberLike =
  (pattern: RegExp) =>
  (text: string): number | undefined =>
    pattern.test(text) ? Number(text) : undefined

/** Key of an option among the parsed ones: `controlToken` for `control-token`. */
export const optionKey = (name: string): string =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Long flag of an option that has no short one: `--port`. */
export const flagIn = ({ flags }: CliOption): string => flags.split(' ')[0] as string

/** Flag of the first of some options that was given, or undefined where none was. */
export const givenFlag = (declared: readonly CliOption[], options: Options): string | undefined =>
  declared.map(flagIn).find((flag) => options[optionKey(flag.slice(2))] !== undefined)

/** Options of a command that talks to a running emulator. */
export const remoteOptions: readonly CliOption[] = [
  {
    flags: '--url <url>',
    description: 'of a running emulator; default: $BACKLOT_URL or http://127.0.0.1:4650',
  },
  { flags: '--control-token <token>', description: 'of its control API; default: $BACKLOT_CONTROL_TOKEN' },
]

/** Control token of the emulator that the option `--url` of a command names. */
export const tokenOption: CliOption = {
  flags: '--control-token <token>',
  description: 'control token of that emulator; default: $BACKLOT_CONTROL_TOKEN',
}

/** Hint of commands that need the control token. */
export const TOKEN_HINT = 'Give its token with --control-token or $BACKLOT_CONTROL_TOKEN.'

/** Running emulator that the options name. @throws EmulatorError `wrong-usage` */
export const remoteOf = ({ url, controlToken }: Options) => ({
  url:
    typeof url === 'string'
      ? baseUrl('--url', url)
      : baseUrl('BACKLOT_URL', process.env.BACKLOT_URL || 'http://127.0.0.1:4650'),
  token: textOption(controlToken) ?? process.env.BACKLOT_CONTROL_TOKEN,
})

/** Refuses a control token without the emulator that it is of. @throws EmulatorError `wrong-usage` */
export const checkTokenUsed = ({ url, controlToken }: Options): void => {
  if (url === undefined && controlToken !== undefined)
    throw usageError(
      'Expected --url beside --control-token, found none.',
      'Without --url no emulator is asked.',
    )
}

/** Option of commands that call the real service. */
export const targetOption: CliOption = {
  flags: '--target <url>',
  description: 'the real service: what stands before /provA, /provB, /v1 …',
}

/** Real service that `--target` names. @throws EmulatorError `wrong-usage` */
export const targetOf = ({ target }: Options): string => {
  if (typeof target === 'string') {
    const { username, search, hash, origin, pathname } = new URL(baseUrl('--target', target))
    if (username + search + hash === '') return origin + pathname.replace(/\/+$/, '')
    throw usageError('--target must be a URL without a user, a query and a fragment.')
  }
  throw usageError(
    'Expected the URL of the real service, found none.',
    'Name it: --target https://api.example.com',
  )
}

/** URL without a slash at its end. @throws EmulatorError `wrong-usage` */
const baseUrl = (place: string, url: string): string => {
  if (/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) return url.replace(/\/+$/, '')
  throw usageError(
    `${place} must be a URL that begins with http:// or https://, found ${JSON.stringify(url)}.`,
  )
}

/** Error of a command that cannot run as it was written. */
export const usageError = (message: string, hint?: string): EmulatorError =>
  new EmulatorError(message, { code: 'wrong-usage', hint })

/** Several problems as sentences, a line each. */
export const sentences = (problems: readonly string[]): string =>
  problems.map((problem) => (problem.endsWith('?') ? problem : `${problem}.`)).join('\n')

const USAGE_CODES = [
  'wrong-usage',
  'bad-setting',
  'bad-duration',
  'no-such-file',
  'unknown-scenario',
  'bad-accounts',
  'bad-scenario',
  'bad-profile',
  'bad-family',
  'bad-verified',
  'bad-recording',
  'bad-coverage',
  'cannot-record',
  'cannot-log',
  'bad-state',
  'other-seed',
  'state-unusable',
  'bad-certificate',
  'unreachable',
  'not-an-emulator',
  'token-needed',
]

/** Exit code: 2 for wrong usage, missing and unreadable files included (gap Z28); 1 for every other error. */
export const exitCodeOf = (error: unknown): 1 | 2 =>
  error instanceof EmulatorError && USAGE_CODES.includes(error.code) ? 2 : 1

/** Errors whose message has a line for each problem. */
const MULTI_LINE_CODES = ['bad-setting', 'bad-accounts', 'bad-scenario', 'bad-profile', 'bad-recording']

/** Error as text without a stack: what is wrong on one line (several for files with many mistakes), then what to do. */
export const formatError = (error: unknown): string => {
  if (error instanceof EmulatorError) {
    const message = MULTI_LINE_CODES.includes(error.code) ? error.sentence.split('\n') : [error.sentence]
    const hint = error.code === 'token-needed' ? TOKEN_HINT : error.hint
    return joinLines(`backlot: ${message[0]}`, ...message.slice(1), hint)
  }
  if ((error as NodeJS.ErrnoException | undefined)?.syscall === 'uv_cwd')
    return 'backlot: The working directory is no longer there.\nChange into a folder that is there.'
  const bug = error instanceof Error ? error : new Error(String(error))
  const [place] = /^\s+at .*$/m.exec(bug.stack ?? '') ?? []
  return joinLines(`backlot: This should not have happened: ${bug.name}: ${bug.message}`, place?.trim())
}

/** Text without control characters, which must not reach the terminal from what clients send and files hold. */
export const clean = (text: string, maxLength = Number.POSITIVE_INFINITY): string => {
  const shown = text.replace(/\p{Cc}/gu, '�')
  return shown.length > maxLength ? `${shown.slice(0, maxLength)}…` : shown
}

/** Joins lines, without empty ones; a line break within one becomes a space, any other control character a sign. */
export const joinLines = (...lines: (string | undefined)[]): string =>
  lines
    .flatMap((line) => (line === undefined || line === '' ? [] : [clean(line.replace(/\s*\n\s*/g, ' '))]))
    .join('\n')

export { counted, howOften } from '../emulator/surface/records.js'

/** Prints one line on standard error, since programs read standard output. */
export const warn = (line: string): void => {
  process.stderr.write(`backlot: ${clean(line)}\n`)
}

/**
 * Prints a text that is kept as a file. Resolves with exit code 0, also where the reader has closed its end.
 * @throws EmulatorError `cannot-print`
 */
export const printDocument = (text: string): Promise<0> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (cause: NodeJS.ErrnoException | null | undefined) => {
      if (!cause || cause.code === 'EPIPE') return resolve(0)
      const message = `The output cannot be written: ${systemReason(cause)}.`
      reject(new EmulatorError(message, { code: 'cannot-print', cause }))
    })
  })

/** Writes each text into the file that the option of its name names, if one is given. @throws EmulatorError `wrong-usage` */
export const writeReports = async (texts: Readonly<Record<string, string>>, options: Options) => {
  for (const [name, text] of Object.entries(texts)) {
    const file = textOption(options[name])
    if (file !== undefined) await writeReport(file, text)
  }
}

/** Makes a new folder for temporary files. @throws EmulatorError where it cannot be made */
export const temporaryFolder = (prefix: string): Promise<string> =>
  mkdtemp(join(tmpdir(), prefix)).catch((cause) => {
    throw new EmulatorError(`No folder can be made in ${tmpdir()}: ${systemReason(cause)}.`, {
      code: 'no-temporary-folder',
      hint: 'Make room there, or set TMPDIR (on Windows TEMP) to a folder that can be written to.',
      cause,
    })
  })

/** Writes a text into a file. @throws EmulatorError `wrong-usage` where it cannot be written */
export const writeReport = (file: string, text: string, mode?: number): Promise<void> =>
  writeFile(file, text, { mode }).catch((error) => {
    throw unwritable(file, systemReason(error))
  })

/** Checks, before what takes long, that the files of options can be written. @throws EmulatorError `wrong-usage` */
export const checkReports = async (names: readonly string[], options: Options): Promise<void> => {
  for (const file of names.flatMap((name) => textOption(options[name]) ?? [])) await checkWritable(file)
}

/** Checks that a file can be written, or made in its folder. @throws EmulatorError `wrong-usage` */
export const checkWritable = async (file: string): Promise<void> => {
  const status = await stat(file).catch(() => undefined)
  if (status?.isDirectory()) throw unwritable(file, 'it is a folder')
  const folder = await stat(dirname(file)).catch(() => undefined)
  if (folder?.isDirectory() === false) throw unwritable(file, systemReason({ code: 'ENOTDIR' }))
  await access(status === undefined ? dirname(file) : file, constants.W_OK).catch((error) => {
    throw unwritable(file, systemReason(error))
  })
}

const unwritable = (file: string, why: string): EmulatorError =>
  usageError(`${file} cannot be written: ${why}.`, 'Name a file in a folder that is there.')

/** Value as the text of a JSON file. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Adds a terminal style to a text, or returns it as it is. */
export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

/** Painter for a stream: colours on terminals only, and not where NO_COLOR is set (no-color.org). */
export const paintFor = (
  stream: { readonly isTTY?: boolean } = process.stdout,
  { NO_COLOR, TERM }: NodeJS.ProcessEnv = process.env,
): Paint => {
  const isColoured = stream.isTTY === true && (NO_COLOR ?? '') === '' && TERM !== 'dumb'
  // The decision is made here, for this stream; styleText would look at standard output.
  return isColoured ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text
}
