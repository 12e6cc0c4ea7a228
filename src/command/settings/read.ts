import { resolve } from 'node:path'
import { isLoopbackHost } from '../../emulator/surface/client.js'
import { clockModes, EmulatorError, nearest, timings } from '../../emulator/surface/records.js'
import {
  logLevels,
  readSettings,
  type Settings,
  settingAliases,
  unknownSetting,
} from '../../emulator/surface/starting.js'
import { type CliOption, flagIn, listOption, type Options, sentences, usageError } from '../command.js'
import {
  commandSchema,
  findConfigFile,
  flagOf,
  fromConfigFile,
  type GivenSetting,
  isSettingName,
  parseSettingText,
  problemsOf,
  readAccountFiles,
  type SettingName,
  settingNamed,
  settingNames,
  variableOf,
} from './sources.js'

interface Sources {
  readonly options: Options
  /** Folder of the configuration file, to which the paths of account files are relative. Default: the working directory. */
  readonly folder?: string
  /** Default: that of this process. */
  readonly environment?: NodeJS.ProcessEnv
}

export type CommandSettings = Awaited<ReturnType<typeof readCommandSettings>>

/**
 * Reads the settings of all sources, in order of rising precedence: configuration file, environment, flags.
 * `isForTests`: any free port is taken, whatever the configuration and the environment say, unless a flag names one, and media
 * are plain unless a source says otherwise: tests seldom look at them, and a card takes the longest part of a run.
 * @throws EmulatorError `bad-setting`, which names every wrong value by its source
 */
export const readCommandSettings = async (
  { options, folder = process.cwd(), environment = process.env }: Sources,
  { isForTests = false } = {},
) => {
  const file = await fromFile(folder, options.config ?? environment.BACKLOT_CONFIG)
  const shared = [...file, ...fromEnvironment(environment)]
  const values = [...(isForTests ? settingsForTests(shared) : shared), ...fromFlags(options)]
  const problems = values.flatMap(problemsOf)
  if (problems.length > 0)
    throw new EmulatorError(sentences(problems), {
      code: 'bad-setting',
      hint: 'docs/settings.md lists every setting with what it may be.',
    })
  // A source of higher precedence comes later and replaces the whole value, lists too.
  const merged = Object.fromEntries(values.map(({ name, value }) => [name, value]))
  const { json = false, quiet = false, account, ...rest } = merged
  const accounts = await readAccountFiles((account ?? []) as Settings['account'], folder)
  const settings = readSettings({ ...rest, account: accounts })
  return {
    settings,
    json: json as boolean,
    quiet: quiet as boolean,
    warnings: [...misspeltVariables(environment), ...missingToken(settings)],
  }
}

const fromFile = async (folder: string, named: Options[string]): Promise<GivenSetting[]> => {
  const isNamed = typeof named === 'string' && named !== ''
  const path = isNamed ? resolve(folder, named) : await findConfigFile(folder)
  return path === undefined ? [] : fromConfigFile(path)
}

const settingsForTests = (values: readonly GivenSetting[]): GivenSetting[] => [
  { name: 'media', value: 'plain', label: 'media' },
  ...values.filter(({ name }) => name !== 'port'),
  { name: 'port', value: 0, label: 'port' },
]

/** Value of `BACKLOT_PORT` that Kubernetes and `docker --link` set where a service or a container has the name backlot. */
const SERVICE_ADDRESS = /^(tcp|udp|sctp):\/\//

/** Settings of the variables `BACKLOT_…`; empty ones and the address of a service are ignored. */
const fromEnvironment = (environment: NodeJS.ProcessEnv): GivenSetting[] =>
  [...settingAliases.keys(), ...settingNames].flatMap((written) => {
    const variable = variableOf(written)
    const text = environment[variable]
    if (text === undefined || text === '') return []
    if (written === 'port' && SERVICE_ADDRESS.test(text)) return []
    const name = settingNamed(written)
    return [{ name, value: parseSettingText(commandSchema.shape[name], text), label: variable }]
  })

/** Other variables, which are read elsewhere: by `ready`, by the tests that `exec` and `sweep` run, for `--config`. */
const OTHERS = [
  'BACKLOT_URL',
  'BACKLOT_CONFIG',
  'BACKLOT_COVERAGE',
  'BACKLOT_SWEEP',
  'BACKLOT_SWEEP_URL',
  'BACKLOT_SWEEP_WORKER',
]

/** Warnings about variables that look like a setting and are none. They are no errors: other programs may have such ones. */
const misspeltVariables = (environment: NodeJS.ProcessEnv): string[] => {
  const settings = settingNames.map(variableOf)
  const known = [...settings, ...[...settingAliases.keys()].map(variableOf), ...OTHERS]
  const suffix = (variable: string): string => variable.slice('BACKLOT_'.length)
  return Object.keys(environment)
    .filter((name) => name.startsWith('BACKLOT_') && !known.includes(name))
    .flatMap((name) => {
      const meant = nearest(suffix(name), settings.map(suffix))
      if (meant === undefined) return []
      return [`${name} is no setting and was ignored; did you mean BACKLOT_${meant}?`]
    })
}

/** Warning about a control API that a proxy opens to others: on loopback no control token is made. */
const missingToken = ({ host, publicUrl, controlToken, store }: Settings): string[] => {
  if (publicUrl === undefined || controlToken !== undefined || store !== undefined) return []
  const { hostname } = new URL(publicUrl)
  if (!isLoopbackHost(host) || isLoopbackHost(hostname)) return []
  return [`The control API asks for no token, not even at ${hostname} (publicUrl): set controlToken.`]
}

/** Settings that have a flag of their own, in the order of the help, with the placeholder of its value. */
const flags: Partial<Record<SettingName, string>> = {
  port: '<number>',
  host: '<address>',
  publicUrl: '<url>',
  tlsCert: '<file>',
  tlsKey: '<file>',
  clock: `<${clockModes.join('|')}>`,
  speed: '<number>',
  startAt: '<time>',
  timing: `<${timings.join('|')}>`,
  seed: '<number>',
  scenario: '<name|file>',
  profile: '<file>',
  verified: '<file|none>',
  families: '<file|package>',
  state: '<file>',
  stateFresh: '',
  stateTakeOver: '',
  store: '<url>',
  account: '<key|file>',
  callbackHosts: '<pattern>',
  allowedHosts: '<pattern>',
  controlToken: '<token>',
  logFile: '<file|->',
  logLevel: `<${logLevels.join('|')}>`,
  strict: '',
  json: '',
  quiet: '',
}

/** Flags of settings, by the setting's name. */
export const flagged: ReadonlyMap<SettingName, string> = new Map(
  (Object.keys(flags) as SettingName[]).map((name) => [name, flagOf(name)]),
)

/** Options of a command to which few settings matter. */
export const fewSettingOptions = [
  {
    flags: '--config <file>',
    description: 'the configuration file; default: backlot.config.* of the working directory',
  },
  {
    flags: '--set <key=value>',
    description: 'any setting by its key; docs/settings.md lists them (repeatable)',
    repeats: true,
  },
] as const satisfies readonly CliOption[]

/** Options of a command to which every setting matters, without some flags. */
export const settingOptions = (but: readonly string[] = []): CliOption[] => {
  const [configOption, setOption] = fewSettingOptions
  const all = [configOption, ...[...flagged.keys()].map(optionOf), setOption]
  return all.filter((option) => !but.includes(flagIn(option)))
}

/** Options of a command to which the service that is emulated matters: its profile and its families. */
export const serviceOptions = (): CliOption[] => [
  ...(['profile', 'families'] as const).map(optionOf),
  ...fewSettingOptions,
]

const optionOf = (name: SettingName): CliOption => {
  const { def, description: whole = '' } = commandSchema.shape[name]
  // Ids of gaps are links in the documentation; here they would say nothing.
  const description = whole.replaceAll(/ \((?:gap )?[A-Z]\d+(?:, [A-Z]\d+)*\)/g, '')
  const byDefault: unknown = def.type === 'default' ? def.defaultValue : undefined
  const option = { flags: `${flagOf(name)} ${flags[name]}`.trim(), description }
  if (Array.isArray(byDefault))
    return { ...option, description: `${description} (repeatable)`, repeats: true }
  if (byDefault === undefined || byDefault === false) return option
  return { ...option, description: `${description} (default ${byDefault})` }
}

/** Settings of flags, after those of `--set`, so that they win. @throws EmulatorError `wrong-usage` */
const fromFlags = (options: Options): GivenSetting[] => [
  ...listOption(options.set).map(fromSet),
  ...[...flagged].flatMap(([name, flag]) => {
    const value = options[name]
    return value === undefined ? [] : [{ name, value: typedValue(name, value), label: flag }]
  }),
]

const typedValue = (name: SettingName, value: NonNullable<Options[string]>): unknown => {
  if (typeof value === 'boolean') return value
  const schema = commandSchema.shape[name]
  if (typeof value === 'string') return parseSettingText(schema, value)
  const lists = value.map((text) => parseSettingText(schema, text))
  return lists.find((list) => !Array.isArray(list)) ?? lists.flat()
}

const fromSet = (written: string): GivenSetting => {
  const [, key, text] = /^([^=]+)=(.*)$/s.exec(written) ?? []
  const name = key === undefined ? undefined : settingNamed(key)
  if (name === undefined || text === undefined)
    throw usageError(
      `--set wants key=value, found ${JSON.stringify(written)}.`,
      'For example --set fetchMedia=all.',
    )
  if (!isSettingName(name))
    throw usageError(
      sentences([`--set ${name}: ${unknownSetting(name, settingNames)}`]),
      'docs/settings.md lists every setting.',
    )
  return { name, value: parseSettingText(commandSchema.shape[name], text), label: `--set ${name}` }
}
