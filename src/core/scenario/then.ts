import { z } from 'zod'
import { limitsSchema } from '../settings.js'
import { duration } from './when.js'

const yes = z.literal(true)

/** A fixed time, one drawn evenly from a range, or one drawn from a log-normal with this median and spread (sigma). */
const delay = z.union([
  duration,
  z.strictObject({ from: duration, to: duration }),
  z.strictObject({ median: duration, spread: z.number().positive() }),
])

/** An error of the family by its name, or whatever a proxy in between might say. */
const answer = z.strictObject({
  error: z.string().min(1).optional().describe('the name of an error of the family'),
  retryAfter: z.int().min(0).optional().describe('seconds, as the header Retry-After'),
  status: z.int().min(200).max(599).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  contentType: z.string().min(1).optional(),
  body: z.unknown().optional().describe('written as JSON'),
  text: z.string().optional().describe('written as it stands'),
  cutAt: z.int().min(0).optional().describe('only so many bytes of the body are sent, as if they were all'),
  stillHappens: yes.optional().describe('the call does its work all the same; only the answer is another'),
})

const transport = z.strictObject({
  delay: delay.optional().describe('before the first byte'),
  hang: yes.optional().describe('never answers'),
  reset: yes
    .optional()
    .describe('the connection is reset instead of an answer; what the call did stays done'),
  closeAfterBytes: z.int().min(0).optional().describe('the connection ends in the middle of the body'),
  bytesPerSecond: z.int().min(1).optional().describe('the body comes at this pace'),
})

const task = z.strictObject({
  queuedFor: z.union([duration, z.literal('ever')]).optional(),
  runningFor: z.union([duration, z.literal('ever')]).optional(),
  fails: z.strictObject({ error: z.string().min(1), after: duration.optional() }).optional(),
  expires: z.strictObject({ after: duration }).optional(),
  finishes: z.literal('at once').optional(),
  withoutUrl: yes.optional().describe('succeeds, and no result URL is given'),
  statusWord: z.string().min(1).optional().describe('what is said instead of running'),
  progressJumpsBack: yes.optional().describe('progress falls again half-way through running'),
})

const asset = z.strictObject({
  readyAfter: z.union([duration, z.literal('never')]).optional(),
  fails: z.strictObject({ code: z.string().min(1), message: z.string().min(1) }).optional(),
})

const result = z.strictObject({
  expired: yes.optional().describe('403, as if its time were over'),
  missing: yes.optional().describe('404'),
  lengthOffBy: z
    .int()
    .refine((bytes) => bytes !== 0, { error: 'not 0' })
    .optional()
    .describe('Content-Length says so many bytes more, or fewer'),
  cutAt: z.int().min(0).optional().describe('only so many bytes, as if they were all'),
  corrupt: yes.optional().describe('bytes in the middle are others'),
  contentType: z.string().min(1).optional(),
})

const callback = z.strictObject({
  challenge: z.enum(['wrong', 'missing']).optional().describe('what the verification request carries'),
  late: duration.optional(),
  copies: z.int().min(2).max(10).optional().describe('sent so often, under one delivery id'),
  afterNext: yes.optional().describe('overtaken by the next one of the task'),
  never: yes.optional(),
  evenIfDeleted: yes.optional().describe('also when the task was deleted meanwhile'),
  brokenBody: yes.optional(),
  beforeAnswer: yes.optional().describe('sent before the create has answered'),
})

/** What a step does. Parts may stand together where they make sense for the call. */
export const thenSchema = z
  .strictObject({
    answer: answer.optional(),
    transport: transport.optional(),
    task: task.optional(),
    asset: asset.optional(),
    result: result.optional(),
    callback: callback.optional(),
    account: z
      .strictObject({
        balance: z.number().optional(),
        agreementAccepted: z.boolean().optional(),
        limits: limitsSchema.partial().strict().optional(),
      })
      .optional()
      .describe('changed before the call is decided'),
    clock: z.strictObject({ jump: duration }).optional().describe('moved before the call is decided'),
  })
  .refine((then) => Object.keys(then).length > 0, { error: 'an object with at least one thing to do' })
export type Then = z.output<typeof thenSchema>
export type Answer = z.output<typeof answer>
export type Transport = z.output<typeof transport>
export type TaskOverride = z.output<typeof task>
export type ResultFault = z.output<typeof result>
export type CallbackFault = z.output<typeof callback>
export type AssetOverride = z.output<typeof asset>
export type Delay = z.output<typeof delay>
