import { z } from 'zod'
import { LAST_INSTANT } from './schedule/time.js'

export type { Settings } from '../../generated/settings.js'

/** A limit of an account; null is no limit (gap Z8). */
const limit = z.int().min(0).nullable()

/** Zod schema of the limits of an account. */
export const limitsSchema = z.object({
  requestsPerMinute: limit.describe('creates and uploads accepted in any 60 seconds of the account clock'),
  tasksInFlight: limit.describe('tasks that have not ended'),
  imageQuota: limit.describe('images of families A and A2, in all'),
})
export type Limits = z.output<typeof limitsSchema>

const isWithinFourDigitYears = (text: string): boolean => {
  const at = Date.parse(text)
  return !(at < Date.parse('0000-01-01T00:00:00Z') || at > LAST_INSTANT)
}

/** Zod schema of the time at which a clock begins. An offset can put it outside of the years that have four digits. */
export const clockStart = z.iso
  .datetime({ offset: true, error: 'a time such as 2026-01-01T00:00:00Z' })
  .refine(isWithinFourDigitYears, { error: 'from 0000-01-01T00:00:00Z to 9999-12-31T23:59:59Z' })

/** Zod schema of an account as settings name it. */
export const accountSettingsSchema = z.strictObject({
  key: z.string().min(1).describe('the API key'),
  balance: z.number().optional().describe('opening balance; default: the setting'),
  agreementAccepted: z
    .boolean()
    .optional()
    .describe('the user agreement of the asset library; default: true'),
  limits: limitsSchema.partial().strict().optional(),
})

export type AccountSettings = z.output<typeof accountSettingsSchema>

/** Change of an account's settings. A field that is undefined leaves its setting as it is. A limit of null is no limit (gap Z8). */
export type AccountChange = Readonly<Omit<AccountSettings, 'key'>>
