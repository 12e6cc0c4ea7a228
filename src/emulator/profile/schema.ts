import { z } from 'zod'
import { factChangesSchema, modelChangeSchema, wellKnownNames } from '../core/family-facts.js'
import { FIELD_PATH } from '../core/fields.js'
import { HTTP_TOKEN } from '../core/http.js'
import { nonEmpty, nonEmptyRow } from '../core/non-empty.js'
import { unsendable } from '../core/scenario/effects/answer.js'
import { duration } from '../core/scenario/selector.js'
import { timings } from '../core/schedule/time.js'

/*
 * Zod schema of a profile: what is different in a service, as data. It says what shape each key has; that the names in it exist,
 * and that no two keys contradict each other, is checked against the families (check.ts).
 */

const text = z.string().min(1)

/** A length of time: `10s` in files, or a number of milliseconds. */
const time = z.union([duration, z.int().min(0)], { error: 'a duration such as 250ms, 10s or 5m' })

const segments = z
  .string()
  .regex(/^\/?([\w.~-]+(\/[\w.~-]+)*)?\/?$/, {
    error: 'segments of a path such as ark or api/video, or an empty text',
  })
  .transform((prefix) => prefix.replace(/^\/|\/$/g, ''))

const prefixes = z
  .union([segments, z.null().transform(() => ''), z.array(segments).min(1)], {
    error: 'a prefix such as ark, a list of prefixes, or null for none',
  })
  .transform((given) => [given].flat())

const facts = factChangesSchema.shape

const field = z.string().regex(FIELD_PATH, { error: 'the path of a field such as usage.total or items[].id' })
const name = z.string().regex(/^[\w$-]+$/, { error: 'the name of a field, without a path' })

const headerName = z.string().regex(HTTP_TOKEN, { error: 'the name of a header' })
const headerValue = z.string().refine((value) => unsendable('it', value) === false, {
  error: 'a text that a header can have',
})

// Of the connection and of what is sent over it: with another value, clients would not find the end of an answer.
const OF_CONNECTION = /^(connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

/** Headers by name, which is the same in any case; those of the connection cannot be changed. */
const headersOf = <T extends z.ZodType>(value: T) =>
  z.record(headerName, value).superRefine((given, { addIssue }) => {
    const seen = new Map<string, string>()
    for (const name of Object.keys(given)) {
      const other = seen.get(name.toLowerCase())
      const message = OF_CONNECTION.test(name)
        ? 'a header that is not written by the connection itself'
        : other !== undefined && `another header than ${other}, which it is in another case`
      if (message !== false) addIssue({ code: 'custom', path: [name], message })
      seen.set(name.toLowerCase(), name)
    }
  })
const headers = nonEmpty(headersOf(headerValue.nullable()), 'an object with at least one header').describe(
  'by name; null takes the header away',
)

/** Fields by their paths, at least one. */
const fieldsTo = <T extends z.ZodType>(value: T) =>
  nonEmpty(z.record(field, value), 'an object with at least one field')

const answerSchema = nonEmptyRow(
  z.strictObject({
    status: z.int().min(200).max(599).optional().describe('HTTP status'),
    remove: z.array(field).min(1).optional().describe('fields that the answer does not have'),
    rename: fieldsTo(name).optional().describe('fields that have another name, in the same place'),
    move: fieldsTo(field).optional().describe('fields that stand elsewhere'),
    wrap: name
      .nullable()
      .optional()
      .describe('the field under which the whole body stands; null: none, where a wider row names one'),
    set: fieldsTo(z.unknown()).optional().describe('fields with another value, of the answer as it goes out'),
    headers: headers.optional(),
  }),
)
export type AnswerChange = z.output<typeof answerSchema>

/** How long something takes: always the same, a range, or a distribution of which the median and the 95th percentile are known. */
const spreadSchema = z.union([time, z.tuple([time, time]), z.strictObject({ median: time, p95: time })], {
  error: 'a duration, a range [2s, 10s], or { median, p95 }',
})
export type Spread = z.output<typeof spreadSchema>

const pace = {
  queued: spreadSchema.optional().describe('from the create until it runs'),
  running: spreadSchema.optional().describe('from then until it ends'),
}
const paceSchema = nonEmptyRow(z.strictObject(pace))
const bySize = nonEmpty(z.record(text, paceSchema), 'an object with at least one size')
  .optional()
  .describe('by the size or resolution of the task')
const byModel = nonEmpty(
  z.record(text, nonEmptyRow(z.strictObject({ ...pace, sizes: bySize }))),
  'an object with at least one model',
).optional()
const row = { ...pace, models: byModel, sizes: bySize }
const paceOfTiming = (timing: string) =>
  nonEmptyRow(z.strictObject(row)).optional().describe(`only where the setting timing is ${timing}`)
const timingSchema = nonEmptyRow(
  z.strictObject({
    ...row,
    realistic: paceOfTiming(timings[0]),
    fast: paceOfTiming(timings[1]),
    instant: paceOfTiming(timings[2]),
  }),
)
export type TimingRow = z.output<typeof timingSchema>

/** What a header that announces a limit says. */
const rateFacts = ['limit', 'remaining', 'reset', 'resetSeconds'] as const
const limit = z.int().min(0).nullable().optional()
const rateLimitsSchema = nonEmptyRow(
  z.strictObject({
    requestsPerMinute: limit.describe('creates and uploads accepted in any 60 seconds of the account clock'),
    tasksInFlight: limit.describe('tasks that have not ended'),
    headers: nonEmpty(headersOf(z.enum(rateFacts)), 'an object with at least one header')
      .optional()
      .describe(
        'headers of creates and uploads by what they say: limit, remaining, reset (Unix seconds) or resetSeconds',
      ),
  }),
)

/** How long something outside may take. */
const timeout = time.refine((ms) => ms > 0, { error: 'a duration above 0, such as 500ms or 10s' })

/** Words in braces that are none of those that a signed text can have. */
const UNKNOWN_WORD = /\{(?!(?:timestamp|id|body)\})[^{}]*\}/

const signatureSchema = z
  .strictObject({
    header: headerName.describe('the header that holds the signature'),
    secret: text.describe('the key of the HMAC (SHA-256)'),
    timestamp: headerName
      .optional()
      .describe('the header that holds the Unix seconds of the message; default: none'),
    signs: z
      .string()
      .endsWith('{body}', { error: 'a text that ends in {body}, such as {timestamp}.{body}' })
      .refine((signs) => !UNKNOWN_WORD.test(signs), {
        error: 'a text whose words in braces are {timestamp}, {id} and {body}',
      })
      .optional()
      .describe(
        'the text that is signed, of {timestamp}, {id} and {body}; default: {timestamp}.{body}, or {body} without a timestamp',
      ),
    encoding: z.enum(['hex', 'base64']).optional().describe('default: hex'),
    prefix: headerValue.optional().describe('what stands before the signature, such as sha256='),
  })
  .refine(({ signs = '', timestamp }) => timestamp !== undefined || !signs.includes('{timestamp}'), {
    error: 'a text without {timestamp}, where no header timestamp holds it',
    path: ['signs'],
  })
  .refine(({ header, timestamp = '' }) => header.toLowerCase() !== timestamp.toLowerCase(), {
    error: 'another header than that of the signature',
    path: ['timestamp'],
  })
export type Signature = z.output<typeof signatureSchema>

const callbackSchema = nonEmptyRow(
  z.strictObject({
    handshake: z
      .enum(['off', 'on', 'required'])
      .or(z.boolean().transform((isOn) => (isOn ? ('on' as const) : ('off' as const))))
      .optional()
      .describe('whether a challenge comes first; required: a create whose challenge fails is refused'),
    retries: z
      .array(time)
      .max(20)
      .optional()
      .describe('the pauses before the retries; as many as there are: [1s, 5s, 30s]'),
    timeout: timeout.optional().describe('how long a receiver has to answer a message, in real time'),
    challengeTimeout: timeout.optional().describe('how long it has to answer the challenge'),
    signature: signatureSchema.optional(),
  }),
)
export type CallbackChange = z.output<typeof callbackSchema>

const routeAnswerSchema = z
  .strictObject({
    status: z.int().min(200).max(599).optional().describe('default: 200'),
    headers: headersOf(headerValue).optional(),
    body: z.unknown().optional().describe('JSON, with templates such as {{body.model}}'),
    text: z.string().optional().describe('a text, with templates'),
    file: text.optional().describe('a file that is sent as it is; its path counts from that of the profile'),
  })
  .refine(({ body, text, file }) => [body, text, file].filter((one) => one !== undefined).length < 2, {
    error: 'one of body, text and file',
  })

const forwardUrl = z
  .url({ protocol: /^https?$/, error: 'a URL that begins with http:// or https://', abort: true })
  .refine((url) => !/[?#@]/.test(url), 'a URL without a user, a query or a fragment')

const routeMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const routeSchema = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, { error: 'words of a-z and 0-9 joined by hyphens' })
      .describe('the operation is called routes.<id>'),
    method: z.enum(routeMethods),
    path: z.string().regex(/^(\/([\w.~:@-]+|\{\w+\}))+\/?$/, { error: 'a path such as /v1/models/{id}' }),
    summary: text.optional(),
    needsKey: z.boolean().optional().describe('whether a call without a key is refused; default: true'),
    answer: routeAnswerSchema.optional(),
    forward: forwardUrl.optional().describe('the host that answers instead, and what its paths begin with'),
    timeout: timeout.optional().describe('how long that host has to answer, in real time; default: 30s'),
  })
  .refine(({ answer, forward }) => (answer === undefined) !== (forward === undefined), {
    error: 'with either answer or forward',
  })
export type RouteRow = z.output<typeof routeSchema>

const byFamily = <T extends z.ZodType>(row: T) => z.record(text, row)

/** Zod schema of a profile file. Everything else about such files is made from it. */
export const profileSchema = z.strictObject({
  $schema: z.string().optional().describe('for editors; ignored'),
  description: text.optional().describe('what it describes, in a sentence'),
  writtenBy: z
    .string()
    .regex(/^\d+\.\d+\.\d+/, { error: 'a version such as 0.1.0' })
    .optional()
    .describe('the version of Backlot that wrote the file'),
  models: z.record(text, modelChangeSchema).optional().describe('new models, and what differs in known ones'),
  paths: z
    .record(text, prefixes)
    .optional()
    .describe('other prefixes for provA, provB, provC and v1; a list keeps several, null means none'),
  errors: byFamily(nonEmpty(facts.errors.unwrap(), 'an object with at least one row'))
    .optional()
    .describe('rows of the tables of errors, by family'),
  cases: byFamily(
    nonEmpty(facts.wellKnown.unwrap(), `an object with at least one of ${wellKnownNames.join(', ')}`),
  )
    .optional()
    .describe('the row that answers a case that every family has, by family'),
  rules: facts.rules.describe(
    'by the id of the rule: off, its bounds by their names, or the error that it answers with',
  ),
  answers: z
    .record(text, answerSchema)
    .optional()
    .describe('by operation, such as c-video.read; behind an @ a state, refusal or an error'),
  timing: byFamily(timingSchema).optional().describe('how long tasks wait and run, by family'),
  rateLimits: rateLimitsSchema.optional(),
  callbacks: byFamily(callbackSchema).optional().describe('by family'),
  routes: z.array(routeSchema).optional().describe('endpoints beside the families'),
})

/** A profile, read. */
export type Profile = z.output<typeof profileSchema>
/** A profile as files and code write it. */
export type ProfileInput = z.input<typeof profileSchema>

/** Keys that only a profile has: they tell it from a scenario. */
export const profileKeys: readonly string[] = Object.keys(profileSchema.shape)
