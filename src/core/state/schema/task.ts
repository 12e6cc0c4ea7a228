import { z } from 'zod'
import { mediaSpecSchema } from './media.js'

/** Milliseconds since 1970. */
export const instant = z.number()

// Each family has words of its own for what it orders, and looks at it alone.
const order = z.object({})

const phase = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['pending', 'queued', 'running', 'cancelled', 'expired']) }),
  z.object({ state: z.literal('succeeded'), media: z.array(mediaSpecSchema) }),
  z.object({ state: z.literal('failed'), error: z.string() }),
])

const callbackAddress = z.object({
  url: z.string(),
  challenge: z.string().optional(),
  origin: z.string(),
})

const disguise = z.object({
  withoutUrl: z.boolean().optional(),
  statusWord: z.string().optional(),
  progressJumpsBack: z.boolean().optional(),
})

export const taskSchema = z.object({
  id: z.string(),
  family: z.string(),
  account: z.string(),
  model: z.string(),
  requestId: z.string(),
  createdAt: instant,
  order,
  life: z.array(z.object({ at: instant, value: phase })).min(1),
  price: z.number(),
  callback: callbackAddress.optional(),
  disguise: disguise.optional(),
})
