import { z } from 'zod'
import { states } from '../model/task.js'
import { parseDuration } from '../schedule/duration.js'
import { limitsSchema } from '../settings.js'

/** A duration as files write it, in milliseconds once it is read. */
const duration = z.codec(
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

const callbackOfThen = z.strictObject({
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
    callback: callbackOfThen.optional(),
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
export type CallbackFault = z.output<typeof callbackOfThen>
export type AssetOverride = z.output<typeof asset>
export type Delay = z.output<typeof delay>

/** One step of a file: when it acts, and what happens then. */
export const stepSchema = z.strictObject({
  says: z.string().optional().describe('what this step is, for whoever reads an explanation'),
  when: whenSchema.default(() => whenSchema.parse({})).describe('left out: every call'),
  // biome-ignore lint/suspicious/noThenProperty: the word of the file format; it is never a function
  then: thenSchema,
  times: z.int().min(1).optional().describe('acts at most so often; left out: without end'),
  required: z.boolean().default(false).describe('not having acted at the end of a test is a failure'),
})

/** A scenario file: what it is called, what it is for, and what happens when. */
export const scenarioSchema = z.strictObject({
  $schema: z.string().optional(),
  name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'words of a-z and 0-9 joined by hyphens' }),
  says: z.string().min(1).describe('what it does to a client, in a sentence'),
  client: z.string().optional().describe('what a robust client does about it'),
  steps: z.array(stepSchema).min(1),
})
export type Scenario = z.output<typeof scenarioSchema>
export type ScenarioInput = z.input<typeof scenarioSchema>
export type Step = Scenario['steps'][number]

/** A scenario as a document that reads as the same scenario. */
export const documentOf = (scenario: Scenario): ScenarioInput => z.encode(scenarioSchema, scenario)
