import { z } from 'zod'
import { probeSchema, standInSchema } from '../core/media/stand-in.js'
import { states } from '../core/model/task.js'
import { clockModes } from '../core/schedule/clock.js'
import { limitsSchema } from '../core/settings.js'
import { keyKindSchema } from './keys.js'

/**
 * Where the emulator is in a recording, wherever it was: a host that can be no other's (RFC 2606). A replay that calls
 * under this host gets absolute URLs that begin as the recorded ones.
 */
export const EMULATOR_HOST = 'emulator.invalid'
export const EMULATOR = `http://${EMULATOR_HOST}`

/** Below it are URLs that say what stands behind them, in place of some that cannot be fetched any more. */
export const STAND_INS_PATH = '/_backlot/stand-ins'

/** What this program writes, and the only version that it reads. */
export const RECORDING_VERSION = 1

const tag = z.string().regex(/^[0-9a-f]{12}$/, { error: 'the tag of an account, 12 hex digits' })
const instant = z.iso.datetime({ error: 'a time such as 2026-01-01T00:00:00.000Z' })
const name = z.string().min(1)
const headers = z.record(z.string(), z.string())

/** On the account's clock. */
const where = { account: tag, at: instant }

const headSchema = z.strictObject({
  kind: z.literal('recording'),
  version: z.literal(RECORDING_VERSION, {
    error: `${RECORDING_VERSION}: this recording is of another version`,
  }),
  emulator: name.describe('the version of the program that wrote it'),
  platform: name.describe('drawn bytes are the same on one platform alone'),
  seed: z.int().min(0),
  settings: z.record(z.string(), z.unknown()).describe('those that answers depend on'),
  scenarios: z
    .array(z.unknown())
    .exactOptional()
    .describe('documents that play for every account from its start'),
})

const accountSchema = z.strictObject({
  kind: z.literal('account'),
  ...where,
  clock: z.enum(clockModes),
  key: keyKindSchema,
  balance: z.number(),
  agreementAccepted: z.boolean(),
  limits: limitsSchema,
  lacks: z
    .int()
    .min(1)
    .exactOptional()
    .describe('how many calls before the first one were not kept any more'),
})

/** A medium that the body names; `is` is what stands there. */
const mediumSchema = z.union([
  z.strictObject({ is: name, sha256: standInSchema.shape.sha256, facts: probeSchema }),
  z.strictObject({
    is: name,
    refused: z.enum(['form', 'unreachable', 'unreadable', 'too-large', 'asset']),
    detail: z.string(),
  }),
  z.strictObject({ is: name, characters: z.int().min(0).describe('of Base64 that nobody looked at') }),
])
export type Medium = z.output<typeof mediumSchema>

const formSchema = z.strictObject({
  fields: z.record(z.string(), z.string()),
  files: z.array(standInSchema.extend({ field: name, name: z.string() })),
})

const requestSchema = z.strictObject({
  method: name,
  path: name,
  query: name.exactOptional(),
  headers: headers.exactOptional(),
  withoutKey: z.literal(true).exactOptional(),
  json: z.unknown().optional(),
  media: z.array(mediumSchema).exactOptional(),
  form: formSchema.exactOptional(),
  text: z.string().exactOptional().describe('a body that is no JSON'),
  declaredBytes: z.int().min(0).exactOptional().describe('of a body that was too large to be read'),
  contentType: name.exactOptional().describe('of a body that was not read for it'),
  lost: name.exactOptional().describe('why the body was not kept'),
})
export type RecordedRequest = z.output<typeof requestSchema>

const answerSchema = z.strictObject({
  status: z.int().min(100).max(599).exactOptional().describe('left out where none came'),
  headers: headers.exactOptional(),
  json: z.unknown().optional(),
  text: z.string().exactOptional().describe('a body that is no JSON'),
  bytes: z.int().min(0).exactOptional().describe('of a file, which is not kept'),
  broken: z.enum(['reset', 'cut', 'silent']).exactOptional().describe('how the connection ended instead'),
})
export type RecordedAnswer = z.output<typeof answerSchema>

const callSchema = z.strictObject({
  kind: z.literal('call'),
  ...where,
  id: name,
  operation: name.exactOptional(),
  task: name.exactOptional(),
  request: requestSchema,
  answer: answerSchema,
})
export type CallLine = z.output<typeof callSchema>

const controlSchema = z.strictObject({
  kind: z.literal('control'),
  ...where,
  action: name,
  input: z.record(z.string(), z.unknown()),
})
export type ControlLine = z.output<typeof controlSchema>

const resetSchema = z.strictObject({ kind: z.literal('reset'), account: tag })

const taskSchema = z.strictObject({
  kind: z.literal('task'),
  ...where,
  id: name,
  family: name,
  createdAt: instant,
  state: z.enum(['failed', 'expired']),
  error: name.exactOptional(),
})
export type TaskLine = z.output<typeof taskSchema>

const attemptSchema = z.strictObject({
  at: instant,
  outcome: z.enum(['answered', 'timeout', 'refused-address', 'failed']),
  status: z.int().exactOptional(),
})

const callbackSchema = z.strictObject({
  kind: z.literal('callback'),
  account: tag,
  id: name,
  task: name,
  message: z.enum(['challenge', 'delivery']),
  status: z.enum(states).exactOptional(),
  state: z.enum(['waiting', 'delivered', 'failed', 'skipped']),
  reason: z.string().exactOptional(),
  attempts: z.array(attemptSchema),
  body: z.unknown(),
})
export type CallbackLine = z.output<typeof callbackSchema>

/** One line of a recording: the first says what made it, the others what happened, in order. */
export const lineSchema = z.discriminatedUnion('kind', [
  headSchema,
  accountSchema,
  callSchema,
  controlSchema,
  resetSchema,
  taskSchema,
  callbackSchema,
])
export type Line = z.output<typeof lineSchema>
export type Head = z.output<typeof headSchema>
export type AccountLine = z.output<typeof accountSchema>

/** A line with its place in the file, from 1. */
export interface Placed<L extends Line = Line> {
  readonly at: number
  readonly line: L
}

/** A file of calls as it was read. */
export interface Recording {
  readonly head: Head
  readonly lines: readonly Placed<Exclude<Line, Head>>[]
  /** Whether the last line was cut off in the middle, as by a crash, and left out. */
  readonly isCut: boolean
}
