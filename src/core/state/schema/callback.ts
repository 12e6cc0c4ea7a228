import { z } from 'zod'
import { states } from '../../task/phase.js'
import { playingSchema } from './account.js'
import { instant, taskSchema } from './task.js'

const count = z.int().min(0)

const attempt = z.object({
  at: instant,
  durationMs: z.number(),
  outcome: z.enum(['answered', 'timeout', 'refused-address', 'failed']),
  status: z.number().optional(),
  answer: z.string().optional(),
  error: z.string().optional(),
})

const step = { scenario: z.string(), step: count }

const played = z.object({
  acted: z.object({ ...step, says: z.string().nullable(), effects: z.array(z.string()) }).nullable(),
  nearMisses: z.array(z.object({ ...step, why: z.string() })),
})

const yes = z.literal(true)

// As the effect of a scenario's step is once it is read: durations are milliseconds.
const fault = z.object({
  challenge: z.enum(['wrong', 'missing']).optional(),
  late: z.number().optional(),
  copies: z.int().optional(),
  afterNext: yes.optional(),
  never: yes.optional(),
  evenIfDeleted: yes.optional(),
  brokenBody: yes.optional(),
  beforeAnswer: yes.optional(),
})

export const callbackSchema = z.object({
  id: z.string(),
  taskId: z.string(),
  kind: z.enum(['challenge', 'delivery']),
  status: z.enum(states).nullable(),
  url: z.string(),
  body: z.unknown(),
  attempts: z.array(attempt),
  state: z.enum(['waiting', 'delivered', 'failed', 'skipped']),
  reason: z.string().optional(),
  scenario: played.optional(),
  /** Left out where it is the one that the account has under this id. */
  task: taskSchema.optional(),
  moment: count,
  fault: fault.optional(),
  notBefore: instant.optional(),
  copiesLeft: z.int().optional(),
})

export const correspondenceSchema = z.object({
  taskId: z.string(),
  way: z.enum(['challenged', 'open', 'closed']),
  closedFor: z.string().optional(),
  waiting: z.array(callbackSchema),
  held: z.array(callbackSchema),
  guest: playingSchema.optional(),
  dueAt: instant.nullable(),
  entry: count,
  isOver: z.boolean(),
})
