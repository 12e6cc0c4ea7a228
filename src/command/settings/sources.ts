import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join, resolve } from 'node:path'
import { z } from 'zod'
import { isRecord, parseJson, suggestingRefusals } from '../../emulator/surface/journal.js'
import { EmulatorError, whyUnreadable } from '../../emulator/surface/records.js'
import {
  diagnosticText,
  type Path,
  parseLocated,
  readTextFile,
  type ShapeDiagnostic,
  shapeDiagnostics,
  UNLIMITED,
} from '../../emulator/surface/scenarios.js'
import {
  type AccountSettings,
  formerFirst,
  importModuleFile,
  isModuleFile,
  secretSettings,
  settingAliases,
  settingsSchema,
  unknownSetting,
} from '../../emulator/surface/starting.js'
import { usageError } from '../command.js'

/** Zod schema of the emulator's settings, and of those that only the command line has. */
export const commandSchema = settingsSchema.extend({
  json: z.boolean().default(false).describe('print one JSON event per line'),
  quiet: z.boolean().default(false).describe('print nothing but the URL and errors'),
})

export type SettingName = keyof typeof commandSchema.shape

export const settingNames = Object.keys(commandSchema.shape) as SettingName[]

/** Resolves an alias to the name of its setting; any other name is returned as it is. */
export const settingNamed = (name: string): SettingName => settingAliases.get(name) ?? (name as SettingName)

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(commandSchema.shape, name)

/** `BACKLOT_FETCH_MEDIA` for `fetchMedia` (gap Z9). */
export const variableOf = (name: string): string => `BACKLOT_${words(name).join('_').toUpperCase()}`

/** `--public-url` for `publicUrl`. */
export const flagOf = (name: string): string => `--${words(name).join('-').toLowerCase()}`

const words = (name: string): string[] => name.split(/(?=[A-Z])/)

/** Value of a setting, with its source. */
export interface GivenSetting {
  readonly name: string
  readonly value: unknown
  /** Name in messages: `--port`, `BACKLOT_PORT`, `port`. */
  readonly label: string
  /** The file that sets it, with line and column where they are known, or undefined where `label` is enough. */
  readonly file?: string
}

/**
 * Parses a text as the type of a setting: numbers, booleans and null by their spelling, lists by commas or as JSON, objects
 * as JSON. Any other text is returned as it is, for the schema of the setting to refuse.
 */
export const parseSettingText = (schema: z.core.$ZodType, text: string): unknown => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'default':
    case 'optional':
      return parseSettingText(def.innerType, text)
    case 'nullable':
      return text === 'null' ? null : parseSettingText(def.innerType, text)
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
    case 'boolean':
      if (/^(true|1)$/i.test(text)) return true
      return /^(false|0)$/i.test(text) ? false : text
    case 'array':
      return parseList(def.element, text)
    case 'union':
    case 'record':
      return (text.startsWith('{') ? parseJson(text) : undefined) ?? text
    default:
      return text
  }
}

const parseList = (element: z.core.$ZodType, text: string): unknown => {
  const json = parseJson(text)
  if (Array.isArray(json)) return json
  if (isRecord(json)) return [json]
  // Broken JSON is refused rather than split at its commas. `[[moderation]]` is a word.
  if (/^(\[\s*["{]|\{\s*")/.test(text)) return text
  const items = text.split(',').map((item) => item.trim())
  const named = items.filter((item) => item !== '')
  // Nothing, or commas alone, is refused as an empty item: an empty list of accounts would let every key in.
  if (named.length === 0) return ['']
  return named.map((item) => parseSettingText(element, item))
}

/** Problems of the value that a source gives a setting, in the source's own words. Empty where it is valid. */
export const problemsOf = ({ name, value, label, file }: GivenSetting): string[] => {
  const place = file === undefined ? '' : `${file}: `
  if (!isSettingName(name)) return [`${place}${unknownSetting(name, settingNames)}`]
  const body = { [label]: value }
  // Read once: the parser that zod writes for what it expects to read often would cost more.
  const shape = z.object({ [label]: commandSchema.shape[name] }).safeParse(body, { jitless: true })
  // The message of a secret setting does not show the value that was found.
  const isSecret = secretSettings.includes(name)
  return suggestingRefusals(shape.error?.issues ?? [], body).map(
    ({ field, allowed, message }) => place + (isSecret ? `${field} must be ${allowed}` : message),
  )
}

const YAML = ['.yaml', '.yml']

const isDataFile = (path: string): boolean => ['.json', ...YAML].includes(extname(path).toLowerCase())

/** What a file holds, and where each part of it stands. */
interface Located {
  readonly contents: unknown
  /** Place of a value, or of its key: `backlot.config.yaml:3:7`. */
  readonly placeOf: (path: Path, isKey: boolean) => string
}

/**
 * Reads a YAML file, or one in JSON under any other name.
 * @throws EmulatorError `wrong-usage` when there is no such file, or with the places at which it cannot be read
 */
export const readDataFile = async (path: string): Promise<Located> => {
  const text = await readText(path)
  const isJson = !YAML.includes(extname(path).toLowerCase()) && text.trim() !== ''
  // Of a comment the other parser would say that a line is indented wrong.
  if (isJson && foreignSign(text) !== undefined) checkJson(path, text)
  const read = await parseLocated<Located>(text, (contents, placeOf) => ({
    contents,
    placeOf: (part, isKey) => {
      const { line, column } = placeOf(part, isKey)
      return `${basename(path)}:${line}:${column}`
    },
  }))
  if ('diagnostics' in read)
    throw usageError(read.diagnostics.map((found) => diagnosticText(path, found)).join('\n'))
  // JSON is a part of YAML, and more than JSON is none under this name.
  if (isJson) checkJson(path, text)
  return read
}

/** @throws EmulatorError `wrong-usage` for what YAML has beyond JSON: comments, a comma at the end */
const checkJson = (path: string, text: string): void => {
  const why = jsonError(text)
  if (why === undefined) return
  const at = endOfJson(text)
  const before = text.slice(0, at).split('\n')
  const place = { line: before.length, column: (before.at(-1) ?? '').length + 1 }
  const message = foreignSign(text) ?? `this is no JSON: ${jsonWords(why)}`
  throw usageError(diagnosticText(path, { ...place, message }))
}

const notInJson: Readonly<Record<string, string>> = {
  '/': 'JSON has no comments: remove it, or write the file as YAML or JavaScript',
  '#': 'JSON has no comments: remove it, or write the file as YAML or JavaScript',
  "'": 'JSON has texts in double quotes',
}

/** What a text has that other formats have and JSON has not, or undefined where it is JSON, or wrong in another way. */
const foreignSign = (text: string): string | undefined =>
  jsonError(text) === undefined ? undefined : notInJson[text.charAt(endOfJson(text))]

/** Without the place, which is given as a line and a column, and without the piece of the text that it quotes. */
const jsonWords = (why: string): string =>
  why.replace(/(?: in JSON)? at position .*/s, '').replace(/, (?:\.\.\.)?".*/s, '')

const jsonError = (text: string): string | undefined => {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Where a text ceases to be JSON. The parser does not say it of every mistake: of a beginning it says whether more could follow. */
const endOfJson = (text: string): number => {
  const couldGoOn = (length: number): boolean => {
    const why = jsonError(text.slice(0, length)) ?? ''
    return why === '' || /end of JSON|^Unterminated/.test(why) || why.includes(` at position ${length}`)
  }
  let [good, bad] = [0, text.length]
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (couldGoOn(middle)) good = middle
    else bad = middle
  }
  return good
}

/**
 * Reads a text file.
 * @throws EmulatorError `wrong-usage` when there is no such file or it cannot be read
 */
export const readText = async (path: string): Promise<string> => {
  try {
    return await readTextFile(path)
  } catch (error) {
    throw usageError(whyUnreadable(path, error), error instanceof RangeError ? TOO_LONG_HINT : undefined)
  }
}

const TOO_LONG_HINT =
  'The first lines of a recording are a recording too: `head -n 100000 FILE > part.jsonl` writes such a one.'

/** Error of a module that cannot be loaded, with the first line of the cause and its place in the file, if it has one. */
const notLoaded = async (path: string, cause: unknown) => {
  const text = cause instanceof Error ? `${cause.message}\n${cause.stack}` : String(cause)
  const [why = ''] = text.split('\n')
  const source = await readTextFile(path).catch(() => '')
  const broken =
    cause instanceof SyntaxError || why.startsWith('ParseError: ')
      ? await syntaxErrorOf(path, source)
      : undefined
  const isMissing = /^Cannot find (module|package) 'backlot/.test(why)
  return usageError(
    `${path}${broken?.place ?? placeIn(path, text, source)} cannot be read: ${(broken?.why ?? why).replace(/[\s.:]+$/, '')}.`,
    isMissing
      ? 'It imports this package, which is to be installed in its folder or above: npm install --save-dev backlot.'
      : undefined,
  )
}

/**
 * `:3:7`, where a message or a stack names the file with a line and a column; '' where it does not. TypeScript runs as JavaScript
 * whose lines are those of the file: a column that the line does not have is left away.
 */
const placeIn = (path: string, text: string, source: string): string => {
  const [, ...others] = text.split(path)
  const [, line = '', column = ''] =
    others.map((rest) => /^:(\d+):(\d+)/.exec(rest)).find((place) => place !== null) ?? []
  if (line === '') return ''
  const { length } = source.split('\n')[Number(line) - 1] ?? ''
  return Number(column) <= length ? `:${line}:${column}` : `:${line}`
}

/**
 * Where the syntax of a module is wrong, and why, which Node does not say. The parser of jiti does, and runs nothing here: its result
 * is code that holds the error. Undefined where it finds none.
 */
const syntaxErrorOf = async (
  path: string,
  source: string,
): Promise<{ place: string; why: string } | undefined> => {
  const { createJiti } = await import('jiti')
  const code = createJiti(import.meta.url, { fsCache: false }).transform({ source, filename: path, ts: true })
  const found = /^exports\.__JITI_ERROR__ = (\{.*\});?$/.exec(code.trim())?.[1]
  const error = parseJson(found ?? '') as { line: number; column: number; message: string } | undefined
  return error && { place: `:${error.line}:${error.column + 1}`, why: error.message }
}

const CONFIG_ENDINGS = ['json', 'yaml', 'yml', 'js', 'mjs', 'cjs', 'ts', 'mts', 'cts']
// Configurations by their name, which would otherwise be passed over without a word.
const OTHER_ENDINGS = ['toml', 'jsonc', 'json5', 'ini']

/**
 * Path of the configuration file of a folder; undefined when it has none.
 * @throws EmulatorError `wrong-usage` when it has several, or one in a format that is not read
 */
export const findConfigFile = async (folder: string): Promise<string | undefined> => {
  const names = await readdir(folder).catch(() => [] as string[])
  const files = [...CONFIG_ENDINGS, ...OTHER_ENDINGS]
    .map((ending) => `backlot.config.${ending}`)
    .filter((name) => names.includes(name))
  if (files.length > 1)
    throw usageError(
      `There is more than one configuration file: ${files.join(', ')}.`,
      'Name one with --config.',
    )
  return files[0] && join(folder, files[0])
}

/**
 * Settings of a configuration file.
 * @throws EmulatorError `wrong-usage` when there is no such file, or it holds no settings
 */
export const fromConfigFile = async (path: string): Promise<GivenSetting[]> => {
  const status = await stat(path).catch((error) => {
    throw usageError(whyUnreadable(path, error))
  })
  if (status.isDirectory()) throw usageError(whyUnreadable(path, { code: 'EISDIR' }))
  // A YAML file of comments alone holds nothing.
  const read = await contentsOf(path)
  const contents = read.contents ?? {}
  const type = Array.isArray(contents) ? 'a list' : typeof contents
  if (type !== 'object') throw usageError(`${path} must hold an object of settings, found ${type}.`)
  return formerFirst(Object.entries(contents))
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({
      name: settingNamed(name),
      // As in code, one scenario or profile may stand without a list.
      value: name === 'scenario' || name === 'profile' ? [value].flat() : value,
      label: name,
      file: read.placeOf([name], !isSettingName(settingNamed(name))),
    }))
}

const contentsOf = async (path: string): Promise<Located> => {
  if (isDataFile(path)) return readDataFile(path)
  if (!isModuleFile(path))
    throw usageError(
      `${path} is no configuration file by its name.`,
      'Give it a name that ends in .json, .yaml, .js or .ts.',
    )
  try {
    const module = await importModuleFile(path)
    if ('default' in module) return { contents: module.default, placeOf: () => basename(path) }
  } catch (error) {
    throw error instanceof Error && error.name === 'EmulatorError' ? error : await notLoaded(path, error)
  }
  throw usageError(`${path} has no default export.`, 'Write `export default { port: 4650 }`.')
}

type Account = string | AccountSettings

/**
 * Accounts, with those of account files in place of the files (gap Z10): a name that ends in .json, .yaml or .yml is a file that
 * holds a list of keys or of `{key, balance, agreementAccepted, limits}`. Paths count from `folder`. What looks like another file
 * is refused: taken for a key, it would be the only one that there is.
 * @throws EmulatorError `wrong-usage` when there is no such file, `bad-accounts` with all that is wrong with one
 */
export const readAccountFiles = async (accounts: readonly Account[], folder: string): Promise<Account[]> => {
  const read = accounts.map(async (account) =>
    typeof account === 'string' && isFileName(account) ? fromFile(account, folder) : [account],
  )
  return (await Promise.all(read)).flat()
}

/** Whether a text is meant as a file: a key has no slash, and no ending of files that hold text. */
const isFileName = (text: string): boolean => /[/\\]|\.(json|ya?ml|txt|csv|toml|env|[cm]?[jt]s)$/i.test(text)

const fromFile = async (file: string, folder: string): Promise<Account[]> => {
  const text = await readText(resolve(folder, file))
  if (!isDataFile(file))
    throw usageError(
      `${file} is no account file by its name.`,
      'Give it a name that ends in .json, .yaml or .yml. A key with a slash or such an ending is given as {"key": "…"}.',
    )
  const read = await parseLocated<Accounts>(text, validateAccounts, UNLIMITED)
  if ('accounts' in read) return read.accounts
  const lines = read.diagnostics.map((diagnostic) => diagnosticText(file, diagnostic))
  throw new EmulatorError(`The accounts cannot be read.\n${lines.join('\n')}`, {
    code: 'bad-accounts',
    hint: 'The file holds a list of keys, or of objects with key, balance, agreementAccepted and limits.',
  })
}

interface Accounts {
  readonly accounts: Account[]
}

const validateAccounts = (held: unknown): Accounts | { diagnostics: ShapeDiagnostic[] } => {
  // An empty list would let every key in.
  const schema = settingsSchema.shape.account.unwrap().min(1)
  const read = schema.safeParse(held)
  if (read.success) return { accounts: read.data }
  // Keys are secret, and an item that is no object may be meant as one.
  const isSecret = (path: Path) => path.length < 2 || path.at(-1) === 'key'
  return { diagnostics: shapeDiagnostics({ schema, isSecret }, read.error.issues, held) }
}
