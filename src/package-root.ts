import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the package: the first above this file that holds the fixtures, in the sources as in the bundle. */
export const packageRoot = (): string => {
  const start = dirname(fileURLToPath(import.meta.url))
  for (let folder = start; dirname(folder) !== folder; folder = dirname(folder))
    if (existsSync(join(folder, 'fixtures', 'media', 'index.json'))) return folder
  return start
}
