import { z } from 'zod'
import { nearest } from '../../core/errors.js'
import { type ShapeRefusal, shapeRefusals } from '../../core/request.js'
import { secretSettings, settingAliases, settingsSchema } from '../../core/settings.js'

/** The emulator's settings, and those that only the command line has. */
export const commandSchema = settingsSchema.extend({
  json: z.boolean().default(false).describe('print one JSON event per line'),
  quiet: z.boolean().default(false).describe('print nothing but the URL and errors'),
})

type CommandSettings = z.output<typeof commandSchema>
export type SettingName = keyof CommandSettings

export const settingNames = Object.keys(commandSchema.shape) as SettingName[]

/** The setting that a name or its alias means; a name that is neither stays. */
export const settingNamed = (name: string): SettingName => settingAliases.get(name) ?? (name as SettingName)

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(commandSchema.shape, name)

/** `BACKLOT_FETCH_MEDIA` for `fetchMedia` (gap Z9). */
export const variableOf = (name: string): string => `BACKLOT_${words(name).join('_').toUpperCase()}`

/** `--public-url` for `publicUrl`. */
export const flagOf = (name: string): string => `--${words(name).join('-').toLowerCase()}`

const words = (name: string): string[] => name.split(/(?=[A-Z])/)

/** What one source says about one setting. */
export interface GivenSetting {
  readonly name: string
  readonly value: unknown
  /** How messages call it: `--port`, `BACKLOT_PORT`, `port`. */
  readonly saidAs: string
  /** The file that sets it; undefined: `saidAs` is enough. */
  readonly file?: string
}

/**
 * A text as the type that a setting has: numbers, booleans and null by their spelling, lists at their commas, objects
 * (and lists, where they are) as JSON. What is not spelt so stays a text, which the setting then refuses.
 */
export const typedBy = (schema: z.core.$ZodType, text: string): unknown => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'default':
    case 'optional':
      return typedBy(def.innerType, text)
    case 'nullable':
      return text === 'null' ? null : typedBy(def.innerType, text)
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
    case 'boolean':
      return booleans.get(text.toLowerCase()) ?? text
    case 'array':
      return fromJson(text, '[') ?? listed(def.element, text)
    case 'union':
    case 'record':
      return fromJson(text, '{') ?? text
    default:
      return text
  }
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

const listed = (element: z.core.$ZodType, text: string): unknown[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => typedBy(element, item))

// `[[moderation]]` is a word and no JSON.
const fromJson = (text: string, opening: '[' | '{'): unknown => {
  if (!text.startsWith(opening)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What is wrong with what a source says about a setting, each in the source's own words. Empty when nothing is. */
export const problemsOf = ({ name, value, saidAs, file }: GivenSetting): string[] => {
  const place = file === undefined ? '' : `${file}: `
  if (!isSettingName(name)) return [`${place}${unknown(name)}`]
  return shapeProblems(commandSchema.shape[name], value, saidAs)
    .map(isSecret(name) ? withoutFound : ({ message = '' }) => message)
    .map((message) => place + message)
}

/** What a schema has against a value that messages call `saidAs`. */
export const shapeProblems = (schema: z.ZodType, value: unknown, saidAs: string): ShapeRefusal[] => {
  const body = { [saidAs]: value }
  const shape = z.object({ [saidAs]: schema }).safeParse(body)
  return shape.success ? [] : shapeRefusals(shape.error.issues, body)
}

const unknown = (name: string): string => {
  const meant = nearest(name, settingNames)
  return `${name} is no setting${meant === undefined ? '' : `, did you mean ${meant}?`}`
}

const isSecret = (name: string): boolean => secretSettings.includes(name)

/** The same without what was found, which may be a key. */
export const withoutFound = ({ field, allowed }: ShapeRefusal): string => `${field} must be ${allowed}`
