import { z } from 'zod'
import { HTTP_TOKEN, type Medium } from '../emulator/surface/journal.js'
import { valueSchemas } from '../emulator/surface/persistence.js'
import type { Probe } from '../emulator/surface/records.js'

/** Version of the format that is written, and the only one that is read. */
const RECORDING_VERSION = 1

const accountId = z.string().regex(/^[0-9a-f]{12}$/, { error: 'the tag of an account, 12 hex digits' })
const instant = z.iso.datetime({ error: 'a time such as 2026-01-01T00:00:00.000Z' })
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, { error: 'a SHA-256 in hex' })
const name = z.string().min(1)
const headers = z.record(z.string(), z.string())
const count = z.int().min(0)

/** On the account's clock. */
const where = { account: accountId, at: instant }

const headSchema = z.strictObject({
  kind: z.literal('recording'),
  version: z.literal(RECORDING_VERSION, {
    error: `${RECORDING_VERSION}: this recording is of another version`,
  }),
  emulator: name.describe('version of the program that wrote it'),
  platform: name.describe('rendered bytes are the same on one platform only'),
  renderer: count
    .exactOptional()
    .describe('version of the rendering; files of other versions have other lengths'),
  seed: count,
  families: z.array(name).exactOptional().describe('ids of the families from outside that it had'),
  settings: z.record(z.string(), z.unknown()).describe('those that answers depend on'),
  scenarios: z
    .array(z.unknown())
    .exactOptional()
    .describe('documents that play for every account from its start'),
})

/** Kind of an API key, without the key (gap X1). */
const keySchema = z.strictObject({
  is: z.enum(['plain', 'default', 'invalid', 'no-balance', 'no-agreement', 'rate-limited', 'token']),
  expires: z.number().exactOptional().describe('exp of a token, in Unix seconds'),
})
export type KeyKind = z.output<typeof keySchema>

const accountSchema = z.strictObject({
  kind: z.literal('account'),
  ...where,
  clock: valueSchemas.clockMode,
  key: keySchema,
  balance: z.number(),
  agreementAccepted: z.boolean(),
  limits: valueSchemas.limits,
  lacks: z.int().min(1).exactOptional().describe('number of its first calls that were not kept'),
  lacksCallbacks: z.int().min(1).exactOptional().describe('number of its callbacks that were not kept'),
  requests: count.exactOptional().describe('number of its calls before this line'),
  state: z
    .looseObject({
      accounts: z.array(z.looseObject({ assets: z.array(z.looseObject({ blob: sha256 })) })),
    })
    .exactOptional()
    .describe('the account as it was put back, as `backlot state export` writes it, without its key'),
})

const facts = z.discriminatedUnion('kind', [
  ...valueSchemas.mediaFacts.options,
  z.strictObject({
    kind: z.literal('unreadable'),
    reason: z.enum(['unknown', 'damaged', 'too-large-to-read']),
    detail: z.string(),
  }),
]) as unknown as z.ZodType<Probe>

const mediumSchema: z.ZodType<Medium> = z.union([
  z.strictObject({ is: name, sha256, facts }),
  z.strictObject({
    is: name,
    refused: z.enum(['form', 'unreachable', 'unreadable', 'too-large', 'asset']),
    detail: z.string(),
  }),
  z.strictObject({ is: name, characters: count.describe('of Base64 that was not read') }),
])

const formSchema = z.strictObject({
  fields: z.record(z.string(), z.string()),
  files: z.array(
    z.strictObject({
      field: name,
      name: z.string(),
      sha256,
      bytes: count,
      probe: facts,
      format: name.exactOptional(),
    }),
  ),
})

// A request is sent again, so that what Node's client cannot send is refused here.
const target = z
  .string()
  .regex(/^[\x21-\xff]+$/, { error: 'a part of a URL, without spaces and line breaks' })
const headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, {
  error: 'the value of a header, without line breaks',
})

const requestSchema = z.strictObject({
  method: z
    .string()
    .regex(HTTP_TOKEN, { error: 'an HTTP method' })
    // The answer to it is a tunnel, which never ends.
    .refine((method) => method.toUpperCase() !== 'CONNECT', { error: 'an HTTP method other than CONNECT' }),
  path: target,
  query: target.exactOptional(),
  headers: z
    .record(z.string(), headerValue)
    .refine((sent) => Object.keys(sent).every((key) => HTTP_TOKEN.test(key)), {
      error: 'an object whose keys are names of headers',
    })
    .exactOptional(),
  withoutKey: z.literal(true).exactOptional(),
  json: z.unknown().optional(),
  media: z.array(mediumSchema).exactOptional(),
  form: formSchema.exactOptional(),
  text: z.string().exactOptional().describe('a body that is no JSON'),
  declaredBytes: count.exactOptional().describe('of a body that was too large to be read'),
  contentType: headerValue.min(1).exactOptional().describe('of a body that was not read for it'),
  lost: name.exactOptional().describe('why the body was not kept'),
})
export type RecordedRequest = z.output<typeof requestSchema>

const answerSchema = z.strictObject({
  status: z.int().min(100).max(599).exactOptional().describe('default: no answer came'),
  headers: headers.exactOptional(),
  json: z.unknown().optional(),
  text: z.string().exactOptional().describe('a body that is no JSON'),
  bytes: count.exactOptional().describe('of a file, which is not kept'),
  broken: z.enum(['reset', 'cut', 'silent']).exactOptional().describe('how the connection ended instead'),
})
export type RecordedAnswer = z.output<typeof answerSchema>

/** Missing in older recordings, which have the calls and changes of an instant in the order of their answers. */
const sequence = count.exactOptional().describe('its place among all calls and changes, as they were decided')

const callSchema = z.strictObject({
  kind: z.literal('call'),
  ...where,
  sequence,
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
  sequence,
  action: name,
  input: z.record(z.string(), z.unknown()),
})
export type ControlLine = z.output<typeof controlSchema>

const resetSchema = z.strictObject({ kind: z.literal('reset'), account: accountId })

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
  outcome: valueSchemas.attemptOutcome,
  status: z.int().exactOptional(),
})

const callbackSchema = z.strictObject({
  kind: z.literal('callback'),
  account: accountId,
  changedAt: instant.exactOptional().describe('when the status changed'),
  id: name,
  task: name,
  message: z.enum(['challenge', 'delivery']),
  status: valueSchemas.state.exactOptional(),
  state: valueSchemas.callbackState,
  reason: z.string().exactOptional(),
  attempts: z.array(attemptSchema),
  body: z.unknown(),
})
export type CallbackLine = z.output<typeof callbackSchema>

/** Line of a recording: the first says what made it, the others what happened, in order. */
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

/** Line with its number in the file, from 1. */
export interface NumberedLine<L extends Line = Line> {
  readonly lineNumber: number
  readonly line: L
}

/** Parsed recording. */
export interface Recording {
  readonly head: Head
  readonly lines: readonly NumberedLine<Exclude<Line, Head>>[]
  /** Whether the last line was cut off in the middle, as by a crash, and dropped. */
  readonly isCut: boolean
}
