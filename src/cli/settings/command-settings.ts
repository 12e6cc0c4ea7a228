import { z } from 'zod'
import { settingsSchema } from '../../core/settings.js'

/** The emulator's settings, and those that only the command line has. */
export const commandSchema = settingsSchema.extend({
  json: z.boolean().default(false).describe('print one JSON event per line'),
  quiet: z.boolean().default(false).describe('print nothing but the URL and errors'),
})

export type CommandSettings = z.output<typeof commandSchema>
export type SettingName = keyof CommandSettings

export const settingNames = Object.keys(commandSchema.shape) as SettingName[]

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(commandSchema.shape, name)

/** `BACKLOT_FETCH_MEDIA` for `fetchMedia` (gap Z9). */
export const variableOf = (name: string): string => `BACKLOT_${words(name).join('_').toUpperCase()}`

/** `--public-url` for `publicUrl`. */
export const flagOf = (name: string): string => `--${words(name).join('-').toLowerCase()}`

const words = (name: string): string[] => name.split(/(?=[A-Z])/)
