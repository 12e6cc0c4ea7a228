import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

let found: string | undefined

/**
 * Name of the package whose tests run: of the nearest package.json that has one, from the folder of the run upwards. Empty:
 * none has. Read once.
 */
export const packageName = (): string => {
  found ??= nameFrom(process.cwd())
  return found
}

const nameFrom = (folder: string): string => {
  const name = nameIn(join(folder, 'package.json'))
  const above = dirname(folder)
  return name ?? (above === folder ? '' : nameFrom(above))
}

const nameIn = (file: string): string | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).name
  } catch {
    return undefined
  }
}
