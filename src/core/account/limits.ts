import { z } from 'zod'

/** A limit of an account; null is no limit (gap Z8). */
const limit = z.int().min(0).nullable()

/** Zod schema of the limits of an account. */
export const limitsSchema = z.object({
  requestsPerMinute: limit.describe('creates and uploads accepted in any 60 seconds of the account clock'),
  tasksInFlight: limit.describe('tasks that have not ended'),
  imageQuota: limit.describe('images of families A and A2, in all'),
})
export type Limits = z.output<typeof limitsSchema>
