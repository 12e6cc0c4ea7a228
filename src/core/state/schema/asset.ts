import { z } from 'zod'
import { mediaFactsSchema } from './media.js'
import { instant } from './task.js'

const phase = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['Processing', 'Active']) }),
  z.object({
    state: z.literal('Failed'),
    error: z.object({ code: z.string(), message: z.string() }),
  }),
])

export const assetSchema = z.object({
  id: z.string(),
  jobId: z.string(),
  account: z.string(),
  name: z.string(),
  groupId: z.string().optional(),
  bytes: z.int().min(0),
  blob: z.string().regex(/^[0-9a-f]{64}$/, { error: 'a SHA-256 in hex' }),
  facts: mediaFactsSchema.optional(),
  requestId: z.string(),
  createdAt: instant,
  life: z.array(z.object({ at: instant, value: phase })).min(1),
})
