import { nearest } from '../../core/request/nearest.js'
import { logLevels } from '../../core/settings.js'
import { clockModes } from '../../core/time/clock.js'
import { timings } from '../../core/time/pace.js'
import type { CliOption, Given } from '../command.js'
import { usageError } from '../failure.js'
import { commandSchema, flagOf, isSettingName, type SettingName, settingNames } from './command-settings.js'
import type { GivenSetting } from './given-setting.js'
import { typedBy } from './typed.js'

/** The settings that have a flag of their own, in the order of the help, with what stands behind the flag. */
const flags: Partial<Record<SettingName, string>> = {
  port: '<number>',
  host: '<address>',
  publicUrl: '<url>',
  clock: `<${clockModes.join('|')}>`,
  speed: '<number>',
  startAt: '<time>',
  timing: `<${timings.join('|')}>`,
  seed: '<number>',
  scenario: '<name|file>',
  state: '<file>',
  stateFresh: '',
  account: '<key|file>',
  callbackHosts: '<pattern>',
  controlToken: '<token>',
  logFile: '<file|->',
  logLevel: `<${logLevels.join('|')}>`,
  strict: '',
  json: '',
  quiet: '',
}

/** The flags of settings, by the setting's name. */
export const flagged: ReadonlyMap<SettingName, string> = new Map(
  (Object.keys(flags) as SettingName[]).map((name) => [name, flagOf(name)]),
)

const configOption: CliOption = {
  flags: '--config <file>',
  says: 'the configuration file; left out, backlot.config.* of the working directory',
}

const setOption: CliOption = {
  flags: '--set <key=value>',
  says: 'any setting by its key; docs/settings.md lists them (repeatable)',
  repeats: true,
}

/** The options of a command to which every setting matters. */
export const settingOptions = (): CliOption[] => [
  configOption,
  ...[...flagged.keys()].map(optionOf),
  setOption,
]

/** The options of a command to which few settings matter. */
export const fewSettingOptions: readonly CliOption[] = [configOption, setOption]

const optionOf = (name: SettingName): CliOption => {
  const schema = commandSchema.shape[name]
  const isList = Array.isArray(defaultOf(name))
  return {
    flags: `${flagOf(name)} ${flags[name]}`.trim(),
    says: `${schema.description ?? ''}${bracketed(name)}`,
    ...(isList ? { repeats: true } : {}),
  }
}

const defaultOf = (name: SettingName): unknown => {
  const { def } = commandSchema.shape[name]
  return def.type === 'default' ? def.defaultValue : undefined
}

const bracketed = (name: SettingName): string => {
  const value = defaultOf(name)
  if (Array.isArray(value)) return ' (repeatable)'
  return value === undefined || value === false ? '' : ` (default ${value})`
}

/** What flags say, the named ones over those of `--set`. @throws EmulatorError `wrong-usage` */
export const fromFlags = (options: Given['options']): GivenSetting[] => [
  ...asList(options.set).map(fromSet),
  ...[...flagged].flatMap(([name, flag]) => {
    const value = options[name]
    return value === undefined ? [] : [{ name, value: typedValue(name, value), saidAs: flag }]
  }),
]

const asList = (given: Given['options'][string]): readonly string[] => (Array.isArray(given) ? given : [])

const typedValue = (name: SettingName, given: NonNullable<Given['options'][string]>): unknown => {
  if (typeof given === 'boolean') return given
  const schema = commandSchema.shape[name]
  return typeof given === 'string' ? typedBy(schema, given) : given.flatMap((one) => typedBy(schema, one))
}

const fromSet = (written: string): GivenSetting => {
  const [, name, text] = /^([^=]+)=(.*)$/s.exec(written) ?? []
  if (name === undefined || text === undefined)
    throw usageError(
      `--set wants key=value, found ${JSON.stringify(written)}.`,
      'For example --set fetchMedia=all.',
    )
  if (!isSettingName(name)) throw unknownKey(name)
  return { name, value: typedBy(commandSchema.shape[name], text), saidAs: `--set ${name}` }
}

const unknownKey = (name: string) => {
  const meant = nearest(name, settingNames)
  const guess = meant === undefined ? '.' : `, did you mean ${meant}?`
  return usageError(`--set ${name}: ${name} is no setting${guess}`, 'docs/settings.md lists every setting.')
}
