import { access, readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { usageError } from '../failure.js'
import { isDataFile, noSuchFile, readDataFile, unreadable } from './data-file.js'
import type { GivenSetting } from './given-setting.js'

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
    .map(([name, value]) => ({ name, value, saidAs: name, file: basename(path) }))
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
