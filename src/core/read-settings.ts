import { EmulatorError } from './emulator-error.js'
import { nearest } from './request/nearest.js'
import { shapeRefusals } from './request/shape-refusals.js'
import { type Settings, settingsSchema } from './settings.js'

/**
 * Settings with their defaults filled in.
 * @throws EmulatorError `bad-setting`, which names every setting that is wrong or unknown
 */
export const readSettings = (given: object): Settings => {
  const known = Object.keys(settingsSchema.shape)
  const unknown = Object.keys(given).filter((key) => !known.includes(key))
  // Settings are read once: writing a parser for them, as zod does for what it expects to read often, takes twice as long.
  const shape = settingsSchema.safeParse(withoutUndefined(given), { jitless: true })
  const wrong = shape.success ? [] : shapeRefusals(shape.error.issues, given).map(({ message }) => message)
  const problems = [...unknown.map((key) => unknownSetting(key, known)), ...wrong]
  if (shape.success && problems.length === 0) return shape.data
  throw new EmulatorError(`${problems.join('; ')}.`, {
    code: 'bad-setting',
    hint: 'docs/settings.md lists every setting with its default.',
  })
}

const unknownSetting = (key: string, known: readonly string[]): string => {
  const meant = nearest(key, known)
  return `${key} is no setting${meant === undefined ? '' : `, did you mean ${meant}?`}`
}

const withoutUndefined = (given: object): object =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
