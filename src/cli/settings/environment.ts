import { nearest } from '../../core/request/nearest.js'
import { commandSchema, settingNames, variableOf } from './command-settings.js'
import type { GivenSetting } from './given-setting.js'
import { typedBy } from './typed.js'

export type Environment = Readonly<Record<string, string | undefined>>

/** The settings of the variables `BACKLOT_…`; an empty one says nothing. */
export const fromEnvironment = (environment: Environment): GivenSetting[] =>
  settingNames.flatMap((name) => {
    const variable = variableOf(name)
    const text = environment[variable]
    if (text === undefined || text === '') return []
    return [{ name, value: typedBy(commandSchema.shape[name], text), saidAs: variable }]
  })

/** Variables that are read elsewhere: by `ready`, by the tests that `exec` runs, for `--config`. */
const OTHERS = ['BACKLOT_URL', 'BACKLOT_CONFIG']

/** What looks like a setting and is none. Only said, not refused: others may have variables that begin so. */
export const misspeltVariables = (environment: Environment): string[] => {
  const known = settingNames.map(variableOf)
  return Object.keys(environment)
    .filter((name) => name.startsWith('BACKLOT_') && !known.includes(name) && !OTHERS.includes(name))
    .flatMap((name) => {
      const meant = nearest(suffix(name), known.map(suffix))
      return meant === undefined
        ? []
        : [`${name} is no setting and was ignored; did you mean BACKLOT_${meant}?`]
    })
}

const suffix = (variable: string): string => variable.slice('BACKLOT_'.length)
