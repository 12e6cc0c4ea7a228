import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { usageError } from '../failure.js'

const YAML = ['.yaml', '.yml']

/** Whether a name is that of a file of plain data. */
export const isDataFile = (path: string): boolean => ['.json', ...YAML].includes(extname(path).toLowerCase())

/**
 * What a JSON or YAML file holds.
 * @throws EmulatorError `wrong-usage` when there is no such file or it cannot be read
 */
export const readDataFile = async (path: string): Promise<unknown> => {
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

export const noSuchFile = (path: string) => usageError(`There is no file ${path}.`)

/** A file that is there and cannot be understood, with the first line of why. */
export const unreadable = (path: string, cause: unknown) => {
  const [why = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
  return usageError(`${path} cannot be read: ${why.replace(/[.:]$/, '')}.`)
}
