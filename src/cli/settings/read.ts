import { resolve } from 'node:path'
import { readSettings } from '../../core/read-settings.js'
import type { Settings } from '../../core/settings.js'
import type { Given } from '../command.js'
import { sentences, usageError } from '../failure.js'
import { withFilesRead } from './accounts.js'
import { findConfigFile, fromConfigFile } from './config-file.js'
import { type Environment, fromEnvironment, misspeltVariables } from './environment.js'
import { fromFlags } from './flags.js'
import type { GivenSetting } from './given-setting.js'
import { problemsOf } from './problems.js'

export interface Sources {
  /** Where the configuration file is looked for, and what the paths of account files count from. */
  readonly folder: string
  readonly environment: Environment
  readonly options: Given['options']
}

export interface ReadSettings {
  readonly settings: Settings
  readonly json: boolean
  readonly quiet: boolean
  /** What the user should know and need not mend. */
  readonly warnings: readonly string[]
}

export interface Reading {
  /** The port is a free one, whatever the configuration and the environment say, unless a flag names one. */
  readonly isPortFree?: boolean
}

/**
 * The settings of all sources, in rising order of strength: configuration file, environment, flags.
 * @throws EmulatorError `wrong-usage`, which names every wrong value by its source
 */
export const readCommandSettings = async (sources: Sources, reading: Reading = {}): Promise<ReadSettings> => {
  const { folder, environment, options } = sources
  const shared = [...(await fromFile(sources)), ...fromEnvironment(environment)]
  const given = [...(reading.isPortFree ? freed(shared) : shared), ...fromFlags(options)]
  const problems = given.flatMap(problemsOf)
  if (problems.length > 0)
    throw usageError(sentences(problems), 'docs/settings.md lists every setting with what it may be.')
  const { json = false, quiet = false, account, ...rest } = merged(given)
  const accounts = await withFilesRead((account ?? []) as Settings['account'], folder)
  return {
    settings: readSettings({ ...rest, account: accounts }),
    json: json as boolean,
    quiet: quiet as boolean,
    warnings: misspeltVariables(environment),
  }
}

const fromFile = async ({ folder, environment, options }: Sources): Promise<GivenSetting[]> => {
  const named = options.config ?? environment.BACKLOT_CONFIG
  const isNamed = typeof named === 'string' && named !== ''
  const path = isNamed ? resolve(folder, named) : await findConfigFile(folder)
  return path === undefined ? [] : fromConfigFile(path)
}

const freed = (given: readonly GivenSetting[]): GivenSetting[] => [
  ...given.filter(({ name }) => name !== 'port'),
  { name: 'port', value: 0, saidAs: 'port' },
]

// A stronger source stands later and replaces the value as a whole, lists too.
const merged = (given: readonly GivenSetting[]): Record<string, unknown> =>
  Object.fromEntries(given.map(({ name, value }) => [name, value]))
