import { basename, resolve } from 'node:path'
import {
  type AccountSettings,
  accountSettingsSchema,
  limitsSchema,
  settingsSchema,
} from '../../core/settings.js'
import { sentences, usageError } from '../failure.js'
import { isDataFile, readDataFile } from './data-file.js'
import { shapeProblems, withoutFound } from './problems.js'

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
