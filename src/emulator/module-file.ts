import { extname } from 'node:path'
import { pathToFileURL } from 'node:url'

const TYPESCRIPT = ['.ts', '.mts', '.cts']
const MODULES = ['.js', '.mjs', '.cjs', ...TYPESCRIPT]

/** Whether a file is a module by its name: JavaScript or TypeScript. */
export const isModuleFile = (path: string): boolean => MODULES.includes(extname(path).toLowerCase())

/**
 * Imports a module of the user: a configuration, a profile, a family. Rejects with what the module throws while it loads.
 * @param virtualModules what a TypeScript file gets for these names, also where nothing is installed beside it. Default: none
 * @param revision of a file that has changed since it was imported; default: as often as it is imported, it is loaded once
 */
export const importModuleFile = async (
  path: string,
  revision?: number,
  virtualModules: Readonly<Record<string, object>> = {},
): Promise<object> => {
  if (!TYPESCRIPT.includes(extname(path).toLowerCase())) {
    const { href } = pathToFileURL(path)
    return import(revision === undefined ? href : `${href}?revision=${revision}`)
  }
  // Node reads TypeScript only from its later versions on.
  const { createJiti } = await import('jiti')
  const moduleCache = revision === undefined
  const options = { fsCache: false, moduleCache, interopDefault: false, virtualModules }
  return createJiti(import.meta.url, options).import(path)
}
