import { z } from 'zod'
import { nearest } from '../../core/request/nearest.js'
import { type ShapeRefusal, shapeRefusals } from '../../core/request/shape-refusals.js'
import { secretSettings } from '../../core/settings.js'
import { commandSchema, isSettingName, settingNames } from './command-settings.js'
import type { GivenSetting } from './given-setting.js'

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
