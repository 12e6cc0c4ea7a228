import { z } from 'zod'
import { valueTypes } from '../../core/fields.js'
import { attemptOutcomes, callbackStates, reasons } from '../../core/model/account.js'
import { states } from '../../core/model/task.js'
import { scenarioSchema } from '../../core/scenario/schema.js'
import { clockModes } from '../../core/schedule/time.js'
import { limitsSchema } from '../../core/settings.js'
import { mediaInputSchema } from '../../families/shared/schema.js'

const count = z.int().min(0)
/** Milliseconds since 1970, as far as dates reach. */
const instant = z.number().min(-8.64e15).max(8.64e15)
const url = z.url({ error: 'a URL' })

const card = z.object({
  prompt: z.string(),
  model: z.string(),
  size: z.string(),
  seed: z.number(),
  id: z.string(),
  index: z.string().optional(),
})

const pixels = { width: z.number(), height: z.number() }
const rendered = { ...pixels, seed: z.number(), card, hasWatermark: z.boolean() }
const moving = { ...pixels, seconds: z.number(), framesPerSecond: z.number() }

const picture = z.object({ kind: z.literal('picture'), ...rendered, inputs: z.array(mediaInputSchema) })

const video = z.object({
  kind: z.literal('video'),
  ...rendered,
  ...moving,
  hasAudio: z.boolean(),
  firstFrame: mediaInputSchema.optional(),
  lastFrame: mediaInputSchema.optional(),
  references: z.array(mediaInputSchema),
})

const mediaSpecSchema = z.discriminatedUnion('kind', [
  video,
  picture,
  z.object({ kind: z.literal('last-frame'), of: video }),
])

/** Zod schema of the facts of a medium that can be read. */
const mediaFactsSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('image'),
    format: z.enum(['jpeg', 'png', 'webp', 'bmp', 'tiff', 'gif', 'heic', 'heif', 'avif']),
    bytes: z.number(),
    ...pixels,
  }),
  z.object({
    kind: z.literal('video'),
    format: z.enum(['mp4', 'mov']),
    bytes: z.number(),
    ...moving,
    videoCodec: z.string(),
    audioCodec: z.string().optional(),
    note: z.string().optional(),
  }),
  z.object({
    kind: z.literal('audio'),
    format: z.enum(['wav', 'mp3']),
    bytes: z.number(),
    seconds: z.number(),
  }),
])

/** Zod schema of a phase of a task, with what its media are to show. */
export const phaseSchema = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['pending', 'queued', 'cancelled', 'expired']) }),
  z.object({ state: z.literal('running'), progress: z.int().min(0).max(100).optional() }),
  z.object({ state: z.literal('succeeded'), media: z.array(mediaSpecSchema) }),
  z.object({ state: z.literal('failed'), error: z.string() }),
])

const responseOverrides = z.object({
  withoutUrl: z.boolean().optional(),
  statusWord: z.string().optional(),
  progressJumpsBack: z.boolean().optional(),
  progressAsFraction: z.boolean().optional(),
  statusWords: z.partialRecord(z.enum(states), z.string()).optional(),
  vanishes: z.boolean().optional(),
})

const attempt = z.object({
  at: instant,
  durationMs: z.number(),
  outcome: z.enum(attemptOutcomes),
  status: z.number().optional(),
  answer: z.string().optional(),
  error: z.string().optional(),
})

const taskSchema = z.object({
  id: z.string(),
  family: z.string(),
  account: z.string(),
  model: z.string(),
  requestId: z.string(),
  createdAt: instant,
  /** Each family has its own, and a schema for them. */
  params: z.object({}),
  timeline: z.array(z.object({ at: instant, value: phaseSchema })).min(1),
  price: z.number(),
  callback: z
    .object({
      url,
      challenge: z.string().optional(),
      origin: z.string(),
      verified: z.object({ challenge: z.string(), attempt }).optional(),
    })
    .optional(),
  responseOverrides: responseOverrides.optional(),
})

const trace = z.object({
  operation: z.string(),
  model: z.string().optional(),
  callback: z
    .object({ kind: z.enum(['challenge', 'delivery']), status: z.enum(states).optional() })
    .optional(),
  state: z.enum(states).optional(),
  elapsed: z.number(),
  verdicts: z.array(z.enum(['acted', ...reasons]).nullable()),
  numbers: z.array(z.number()),
})

// Zod passes over the key __proto__, whose value would be taken as it is.
const latest = z
  .custom<Record<string, z.input<typeof trace>>>((value) => !Object.hasOwn(Object(value), '__proto__'), {
    error: 'an object without the key __proto__',
  })
  .pipe(z.record(z.string(), trace))

/** Run of a scenario; the scenario itself is a record of its own, named here by its id. */
const playingSchema = z.object({
  scenario: z.string(),
  seed: count,
  since: instant,
  seen: z.array(count),
  acted: z.array(count),
  perTask: z.record(z.string(), z.array(count)).optional(),
  latest,
  waits: z.array(z.object({ operation: z.string(), at: instant, wall: instant, ms: z.number() })).optional(),
})

/** An account without what it holds. */
const accountSchema = z.object({
  clock: z.object({ mode: z.enum(clockModes), speed: z.number().positive(), now: instant, wall: instant }),
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

const phaseOfAsset = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['Processing', 'Active']) }),
  z.object({ state: z.literal('Failed'), error: z.object({ code: z.string(), message: z.string() }) }),
])

const assetSchema = z.object({
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
  timeline: z.array(z.object({ at: instant, value: phaseOfAsset })).min(1),
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
  atOnce: yes.optional(),
  inBatches: z.number().optional(),
  status: z.string().optional(),
  move: z.record(z.string(), z.string()).optional(),
  wrap: z.string().optional(),
  set: z.record(z.string(), z.unknown()).optional(),
  retype: z.record(z.string(), z.enum(valueTypes)).optional(),
})

const callbackSchema = z.object({
  id: z.string(),
  taskId: z.string(),
  kind: z.enum(['challenge', 'delivery']),
  status: z.enum(states).nullable(),
  url,
  body: z.unknown(),
  attempts: z.array(attempt),
  state: z.enum(callbackStates),
  reason: z.string().optional(),
  scenario: played.optional(),
  /** Undefined where it is the one that the account has under this id. */
  task: taskSchema.optional(),
  moment: count,
  fault: fault.optional(),
  notBefore: instant.optional(),
  copiesLeft: z.int().optional(),
})

const correspondenceSchema = z.object({
  taskId: z.string(),
  way: z.enum(['challenged', 'open', 'closed']),
  closedFor: z.string().optional(),
  waiting: z.array(callbackSchema),
  held: z.array(callbackSchema),
  requestRun: playingSchema.optional(),
  dueAt: instant.nullable(),
  entry: count,
  isOver: z.boolean(),
})

/** Schemas of stored records, by kind: everything that a state file and an exported state hold. */
export const recordSchemas = {
  server: z.object({ seed: count, secret: z.string().min(1), given: z.array(z.string()) }),
  scenario: scenarioSchema,
  account: accountSchema,
  task: taskSchema,
  /** Which moment of a task's timeline comes next; no record: it has ended. */
  next: z.int().min(1),
  asset: assetSchema,
  correspondence: correspondenceSchema,
  callback: callbackSchema,
}

/** Zod schemas of values that recordings have as states have them. */
export const valueSchemas = {
  attemptOutcome: z.enum(attemptOutcomes),
  callbackState: z.enum(callbackStates),
  clockMode: z.enum(clockModes),
  limits: limitsSchema,
  mediaFacts: mediaFactsSchema,
  state: z.enum(states),
} as const
