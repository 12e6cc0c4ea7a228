import { z } from 'zod'
import { flagged } from '../../src/command/settings/read.js'
import { commandSchema, isSettingName, variableOf } from '../../src/command/settings/sources.js'
import { accountSettingsSchema } from '../../src/emulator/core/settings.js'
import { settingAliases } from '../../src/emulator/settings.js'
import { GAP_LINKS, withGapLinks } from './gap-links.js'

interface Schema {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema
  readonly format?: string
  readonly minLength?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
}

/** A heading stands before the setting that its part begins with, as the comments of `settingsSchema` do. */
const headings: Readonly<Record<string, string>> = {
  port: 'Where it listens',
  headersTimeoutMs: 'Connections',
  clock: 'Time and chance',
  profile: 'What is different in the service',
  account: 'Accounts',
  strict: 'Answers where the specification leaves a choice',
  maxConnections: 'Bounds',
  state: 'State',
  logFile: 'Log',
  json: 'Output of the command line',
}

const INTRODUCTION = `# Settings

<!-- Written by npm run generate from src/emulator/settings.ts. Change it there. -->

A setting can be given in four places. A later place in this list overrides an earlier one:

1. the configuration file \`backlot.config.json\`, \`.yaml\`, \`.yml\`, \`.js\`, \`.mjs\`, \`.cjs\`, \`.ts\`, \`.mts\` or \`.cts\` of
   the working directory, or the one named with \`--config\` or \`BACKLOT_CONFIG\`, under the key;
2. the environment variable; an empty variable is ignored;
3. \`--set key=value\`, for any setting;
4. the flag, for those that have one.

In code, \`startEmulator({ key: value })\` takes the same keys, other than those of the command line's output.

In variables and flags, lists are written with commas (\`a,b\`) or as JSON (an empty one as \`[]\`), objects as JSON, switches as
\`true\` or \`false\`, and no limit as \`null\`. The flag of a switch has no value: \`--set strict=false\` turns off what a file turns on.
A later place replaces a list as a whole. A wrong value or an unknown key ends the command with exit code 2; the message names the
place of the mistake. Paths of files count from the working directory, those in a configuration file of another folder too.

Settings that were renamed keep their former names as aliases: ${[...settingAliases].map(([alias, name]) => `\`${alias}\` is \`${name}\``).join(', ')}.
Where one source gives both names, the present one wins; of several \`--set\`, the last.

${GAP_LINKS}
`

const ACCOUNTS = `An account is a key alone or an object of the fields below. On the command line and in a variable, a name that ends in
\`.json\`, \`.yaml\` or \`.yml\` is a file that holds a list of such keys or objects.
`

/** The text of docs/settings.md. */
export const settingsDoc = (): string => {
  const { properties = {} } = z.toJSONSchema(commandSchema, { io: 'input' }) as Schema
  const parts = Object.entries(properties).map(([name, schema]) => heading(name) + row(name, schema))
  return INTRODUCTION + parts.join('')
}

const heading = (name: string): string => {
  if (headings[name] === undefined) return ''
  const before = name === 'account' ? `${accountFields()}\n` : ''
  return `\n## ${headings[name]}\n\n${before}| Key | Flag | Variable | May be | Default | What it does |\n|---|---|---|---|---|---|\n`
}

const row = (name: string, schema: Schema): string => {
  const hasFlag = isSettingName(name) && flagged.has(name)
  const cells = [
    `\`${name}\``,
    hasFlag ? `\`${flagged.get(name)}\`` : '',
    `\`${variableOf(name)}\``,
    mayBe(schema),
    defaultText(schema),
    withGapLinks(sentence(schema.description)),
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
}

const accountFields = (): string => {
  const { properties = {} } = z.toJSONSchema(accountSettingsSchema, { io: 'input' }) as Schema
  const { limits, ...own } = properties
  const fields = Object.entries({ ...own, ...prefixed(limits?.properties ?? {}) })
  const rows = fields.map(
    ([name, schema]) => `| \`${name}\` | ${mayBe(schema)} | ${sentence(schema.description)} |\n`,
  )
  return `${ACCOUNTS}\n| Field | May be | What it does |\n|---|---|---|\n${rows.join('')}`
}

const prefixed = (properties: Readonly<Record<string, Schema>>) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [`limits.${name}`, schema]))

const formats: Readonly<Record<string, string>> = { uri: 'a URL', 'date-time': 'an ISO time' }
const nouns: Readonly<Record<string, string>> = {
  boolean: '`true` or `false`',
  null: '`null`',
  string: 'text',
}

const mayBe = (schema: Schema): string => {
  const { type = '', anyOf, enum: values, items, additionalProperties, format = '' } = schema
  if (anyOf !== undefined) return anyOf.map(mayBe).join(' or ')
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ')
  if (items !== undefined) return `a list: ${mayBe(items)}`
  if (additionalProperties !== undefined && Object.keys(additionalProperties).length > 0)
    return `an object: ${mayBe(additionalProperties)} by name`
  if (type === 'object') return 'an object'
  if (type === 'integer' || type === 'number') return numbers(schema)
  if (type === 'string' && schema.minLength !== undefined && schema.minLength > 1)
    return `text of at least ${schema.minLength} characters`
  return formats[format] ?? nouns[type] ?? type
}

const numbers = ({ type, minimum, exclusiveMinimum, maximum }: Schema): string => {
  const noun = type === 'integer' ? 'a whole number' : 'a number'
  // zod writes the largest safe integer where there is no limit.
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
  if (exclusiveMinimum !== undefined)
    return `${noun} above ${exclusiveMinimum}${isBounded ? ` and at most ${maximum}` : ''}`
  if (minimum === undefined) return noun
  return isBounded ? `${noun}, ${minimum} to ${maximum}` : `${noun} from ${minimum}`
}

const MIB = 2 ** 20

const defaultText = ({ default: value, type }: Schema): string => {
  if (value === undefined) return ''
  const isMebibytes = type === 'integer' && Number(value) >= MIB && Number(value) % MIB === 0
  return `\`${JSON.stringify(value)}\`${isMebibytes ? ` (${Number(value) / MIB} MiB)` : ''}`
}

const sentence = (text = ''): string => text.charAt(0).toUpperCase() + text.slice(1)
