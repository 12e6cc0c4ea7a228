import { access } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EmulatorError } from '../../../../core/emulator-error.js'

/**
 * Where a file of the package's `assets` folder is: that folder is looked for from this file upwards, since the sources
 * are four folders below the package and the build is one.
 */
export const assetPath = async (name: string): Promise<string> => {
  const start = dirname(fileURLToPath(import.meta.url))
  for (const folder of foldersUpFrom(start)) {
    const path = join(folder, 'assets', name)
    if (await exists(path)) return path
  }
  throw new EmulatorError(
    `The package's file assets/${name} was not found in ${start} or any folder above it.`,
    {
      code: 'asset-missing',
      hint: 'Install the package again; a bundler has to leave "backlot" outside of its bundle.',
    },
  )
}

const foldersUpFrom = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...foldersUpFrom(dirname(folder))]

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
