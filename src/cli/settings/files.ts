import { access, readdir, readFile } from 'node:fs/promises'
import { basename, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { limitsSchema } from '../../core/account/limits.js'
import { type AccountSettings, accountSettingsSchema, settingsSchema } from '../../core/settings.js'
import { sentences, usageError } from '../command.js'
import { type GivenSetting, settingNamed, shapeProblems, withoutFound } from './schema.js'

const YAML = ['.yaml', '.yml']

/** Whether a name is that of a file of plain data. */
const isDataFile = (path: string): boolean => ['.json', ...YAML].includes(extname(path).toLowerCase())

/**
 * What a JSON or YAML file holds.
 * @throws EmulatorError `wrong-usage` when there is no such file or it cannot be read
 */
const readDataFile = async (path: string): Promise<unknown> => {
  const text = await readText(path)
  try {
    if (!YAML.includes(extname(path).toLowerCase())) return JSON.parse(text)
    const { parse } = await import('yaml')
    return parse(text)
  } catch (error) {
    throw unreadable(path, error)
  }
}

/** @throws EmulatorError `wrong-usage` when there is no such file or it cannot be read */
export const readText = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw isMissing ? noSuchFile(path) : unreadable(path, error)
  }
}

const noSuchFile = (path: string) => usageError(`There is no file ${path}.`)

/** A file that is there and cannot be understood, with the first line of why. */
const unreadable = (path: string, cause: unknown) => {
  const [why = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
  return usageError(`${path} cannot be read: ${why.replace(/[.:]$/, '')}.`)
}

/** Names of the configuration file, which is looked for in the working directory. */
const CONFIG_FILES = ['json', 'yaml', 'yml', 'js', 'mjs', 'ts'].map((ending) => `backlot.config.${ending}`)

/**
 * The path of the configuration file of a folder; undefined when it has none.
 * @throws EmulatorError `wrong-usage` when it has several
 */
export const findConfigFile = async (folder: string): Promise<string | undefined> => {
  const names = await readdir(folder).catch(() => [] as string[])
  const found = CONFIG_FILES.filter((name) => names.includes(name))
  if (found.length > 1)
    throw usageError(
      `There is more than one configuration file: ${found.join(', ')}.`,
      'Name one with --config.',
    )
  return found[0] === undefined ? undefined : join(folder, found[0])
}

/**
 * The settings of a configuration file.
 * @throws EmulatorError `wrong-usage` when there is no such file, or it holds no settings
 */
export const fromConfigFile = async (path: string): Promise<GivenSetting[]> => {
  if (!(await exists(path))) throw noSuchFile(path)
  // A YAML file of comments alone holds nothing.
  const held = (await contentsOf(path)) ?? {}
  if (typeof held !== 'object' || Array.isArray(held))
    throw usageError(
      `${path} must hold an object of settings, found ${Array.isArray(held) ? 'a list' : typeof held}.`,
    )
  return Object.entries(held)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({ name: settingNamed(name), value, saidAs: name, file: basename(path) }))
}

const contentsOf = async (path: string): Promise<unknown> => {
  if (isDataFile(path)) return readDataFile(path)
  try {
    const module = await (isTypeScript(path) ? importTypeScript(path) : import(pathToFileURL(path).href))
    return exportedBy(module as object, path)
  } catch (error) {
    throw error instanceof Error && error.name === 'EmulatorError' ? error : unreadable(path, error)
  }
}

const isTypeScript = (path: string): boolean => ['.ts', '.mts', '.cts'].includes(extname(path))

// Node reads TypeScript only from its later versions on.
const importTypeScript = async (path: string): Promise<unknown> => {
  const { createJiti } = await import('jiti')
  return createJiti(import.meta.url, { fsCache: false, interopDefault: false }).import(path)
}

const exportedBy = (module: object, path: string): unknown => {
  if ('default' in module) return module.default
  throw usageError(`${path} has no default export.`, 'Write `export default { port: 4010 }`.')
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

type Account = string | AccountSettings

/**
 * Accounts with the files among them read (gap Z10): a name that ends in .json, .yaml or .yml is a file that
 * holds a list of keys or of `{key, balance, agreementAccepted, limits}`. Paths count from `folder`.
 * @throws EmulatorError `wrong-usage` when there is no such file, or it holds something else
 */
export const withFilesRead = async (accounts: readonly Account[], folder: string): Promise<Account[]> => {
  const read = accounts.map(async (account) =>
    typeof account === 'string' && isDataFile(account) ? fromFile(resolve(folder, account)) : [account],
  )
  const all = (await Promise.all(read)).flat()
  const unknown = all.flatMap(unknownFields)
  if (unknown.length > 0) throw usageError(sentences(unknown))
  return all
}

const fromFile = async (path: string): Promise<Account[]> => {
  const held = await readDataFile(path)
  const problems = shapeProblems(settingsSchema.shape.account, held, 'accounts')
  if (problems.length === 0) return held as Account[]
  throw usageError(
    `${basename(path)}: ${sentences(problems.map(withoutFound))}`,
    'It holds a list of keys, or of objects with key, balance, agreementAccepted and limits.',
  )
}

const unknownFields = (account: Account): string[] => {
  if (typeof account === 'string') return []
  const inAccount = notAmong(Object.keys(accountSettingsSchema.shape), account, 'an account')
  return [
    ...inAccount,
    ...notAmong(Object.keys(limitsSchema.shape), account.limits ?? {}, 'the limits of an account'),
  ]
}

const notAmong = (known: readonly string[], given: object, where: string): string[] =>
  Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => `${name} is no field of ${where}; there are ${known.join(', ')}`)
