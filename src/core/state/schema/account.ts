import { z } from 'zod'
import { limitsSchema } from '../../settings.js'
import { states } from '../../task/phase.js'
import { clockModes } from '../../time/clock.js'
import { instant } from './task.js'

const count = z.int().min(0)

const clock = z.object({
  mode: z.enum(clockModes),
  speed: z.number().positive(),
  now: instant,
  wall: instant,
})

const look = z.object({
  operation: z.string(),
  model: z.string().optional(),
  callback: z
    .object({ kind: z.enum(['challenge', 'delivery']), status: z.enum(states).optional() })
    .optional(),
  elapsed: z.number(),
  verdicts: z.string(),
  numbers: z.array(z.number()),
})

/** How a scenario stands with an account; the scenario itself is a record of its own, named here. */
export const playingSchema = z.object({
  scenario: z.string(),
  seed: count,
  since: instant,
  seen: z.array(count),
  acted: z.array(count),
  latest: z.record(z.string(), look),
})

/** An account without what it holds. */
export const accountSchema = z.object({
  clock,
  /** Up to where everything due had happened when this was written. */
  settledTo: instant,
  ordinal: count,
  requests: count,
  credit: z.number(),
  spent: z.number(),
  agreementAccepted: z.boolean(),
  limits: limitsSchema,
  recentCreates: z.array(instant),
  imagesMade: count,
  callbacksEvicted: count,
  playing: z.array(playingSchema),
})
