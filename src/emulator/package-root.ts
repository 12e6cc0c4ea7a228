import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

let found: string | undefined

/** The folder of the package: the first above this file that holds the fixtures, in the sources as in the bundle. */
export const packageRoot = (): string => {
  found ??= search(dirname(fileURLToPath(import.meta.url)))
  return found
}

const search = (start: string): string => {
  for (let folder = start; dirname(folder) !== folder; folder = dirname(folder))
    if (existsSync(join(folder, 'fixtures', 'media', 'index.json'))) return folder
  return start
}
