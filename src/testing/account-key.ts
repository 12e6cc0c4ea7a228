import { hash } from 'node:crypto'
import type { RunningTest } from './framework.js'

const MOST_WORDS = 40

/**
 * The key of a test's own account. It follows from the test's file and name, so that ids, seeds and pictures, which
 * follow from the key, are the same on every run, whatever else runs.
 * @param prefix what it begins with; `no-balance` and the other reserved ones make the account behave so
 */
export const keyFor = (
  { file, name }: Pick<RunningTest, 'file' | 'name'>,
  prefix = 'test',
  count = 1,
): string => {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, MOST_WORDS)
    .replace(/-$/, '')
  const mark = hash('sha256', `${file}|${name}|${count}`, 'hex').slice(0, 8)
  return [prefix, words, mark].filter((part) => part !== '').join('-')
}
