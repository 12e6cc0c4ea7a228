import { z } from 'zod'
import { states } from '../task/phase.js'
import { parseDuration } from '../time/duration.js'

/** A duration as files write it, in milliseconds once it is read. */
export const duration = z.codec(
  z
    .string()
    .regex(/^(\d+(\.\d+)?(ms|s|m|h|d))+$/, { error: 'a duration such as 250ms, 10s, 5m, 24h or 14d' }),
  z.number(),
  { decode: (text) => parseDuration(text), encode: (ms) => `${ms}ms` },
)

const oneOrMore = <T extends z.ZodType>(item: T) => z.union([item, z.array(item).min(1)])

const countWords = 'a whole number, 1 or more'
const count = z.int({ error: countWords }).min(1, { error: countWords })

const prompt = z.union([
  z.strictObject({ contains: z.string().min(1) }),
  z.strictObject({ matches: z.string().min(1).describe('a regular expression') }),
])

const callback = z.union([
  z.enum(['challenge', 'delivery']),
  z.strictObject({ status: oneOrMore(z.enum(states)) }),
])

/**
 * When a step acts. Every part that is named has to hold. Counts are of the calls of one account that hold the parts
 * above them (operation to callback), whether or not a step acted on them.
 */
export const whenSchema = z.strictObject({
  operation: oneOrMore(z.string().min(1))
    .optional()
    .describe('b-video-task.create, b-video-task.*, results.download …'),
  family: oneOrMore(z.string().min(1)).optional(),
  model: oneOrMore(z.string().min(1)).optional(),
  account: oneOrMore(z.string().min(1)).optional().describe('an API key'),
  prompt: prompt.optional(),
  callback: callback.optional().describe('a message to the receiver instead of a call'),
  nth: oneOrMore(count).optional().describe('the nth such call; several may be named'),
  first: count.optional().describe('the first n'),
  every: count.optional().describe('every nth'),
  after: z.int().min(0).optional().describe('all after the first n'),
  from: duration.optional().describe('from this time after the scenario began'),
  until: duration.optional().describe('until this time after the scenario began'),
  probability: z.number().min(0).max(1).optional().describe('drawn from the seed, the same on every run'),
})
export type When = z.output<typeof whenSchema>
