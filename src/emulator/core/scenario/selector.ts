import { z } from 'zod'
import { HTTP_TOKEN } from '../http.js'
import { type State, states } from '../model/task.js'
import { durationForm, durationText, exceedsMaxDuration, parseDuration } from '../schedule/time.js'

const invalid = { error: durationForm.name }

/** Duration codec: `10s` in files, milliseconds once it is read. */
export const duration = z.codec(
  z
    .string(invalid)
    .regex(durationForm.pattern, invalid)
    .refine((text) => !exceedsMaxDuration(text), { error: 'a duration of at most 36500d' }),
  z.number(),
  {
    decode: (text) => parseDuration(text),
    encode: durationText,
  },
)

const oneOrMore = <T extends z.ZodType>(item: T) => z.union([item, z.array(item).min(1)])

const countText = 'a whole number, 1 or more'
const count = z.int({ error: countText }).min(1, { error: countText })

const prompt = z.union(
  [
    z.strictObject({ contains: z.string().min(1) }),
    z.strictObject({ matches: z.string().min(1).describe('a regular expression') }),
  ],
  { error: 'an object with contains or matches' },
)

const callback = z.union([
  z.enum(['challenge', 'delivery']),
  z.strictObject({ status: oneOrMore(z.enum(states)) }),
])

/**
 * Zod schema of a selector, the `when` of a step: every key that is there has to hold. Counts are of the calls of one
 * account, or about one task, that the keys above them select (operation to callback), whether or not a step acted on them.
 */
export const whenSchema = z.strictObject({
  operation: oneOrMore(z.string().min(1))
    .optional()
    .describe('b-video-task.create, b-video-task.*, results.download …'),
  family: oneOrMore(z.string().min(1)).optional(),
  model: oneOrMore(z.string().min(1)).optional(),
  account: oneOrMore(z.string().min(1)).optional().describe('an API key'),
  prompt: prompt.optional(),
  method: z
    .enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
    .optional()
    .describe('GET, HEAD, POST or DELETE; PUT and PATCH of routes of a profile'),
  header: z
    .string()
    .regex(HTTP_TOKEN, { error: 'the name of a header, such as range' })
    .optional()
    .describe('a header that the call has, by its name'),
  status: oneOrMore(z.enum(states))
    .optional()
    .describe('the status, at the time of the call, of the task that it is about'),
  task: oneOrMore(count)
    .optional()
    .describe('a call about the nth task of its family, in the order of their creates'),
  callback: callback.optional().describe('a message to the receiver instead of a call'),
  nth: oneOrMore(count).optional().describe('the nth such call; several may be named'),
  first: count.optional().describe('the first n'),
  every: count.optional().describe('every nth'),
  after: z.int().min(0).optional().describe('all after the first n'),
  from: duration.optional().describe('from this time after the scenario began'),
  until: duration.optional().describe('until this time after the scenario began'),
  beforeRetryAfter: z
    .literal(true)
    .optional()
    .describe('before the Retry-After has passed that a step answered to a call of the same operation'),
  perTask: z
    .literal(true)
    .optional()
    .describe('nth, first, every and after count the calls about each task, not those of the account'),
  probability: z.number().min(0).max(1).optional().describe('drawn from the seed, the same on every run'),
})
export type Selector = z.output<typeof whenSchema>

type OneOrMore<T> = T | readonly T[] | undefined

/** Values of a key of a selector, as a list. */
export const asList = <T>(value: OneOrMore<T>): readonly T[] => {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value as T]
}

/** Whether an operation is the one that is written, or one of a family's: `b-video-task.*`. */
export const isNamed = (written: string, operation: string): boolean =>
  written === operation || written === wildcardOf(operation)

/** Wildcard that names an operation among those of its family: `b-video-task.*`. */
export const wildcardOf = (operation: string): string =>
  // A joined text is flat: one put together by + is slow to compare, and a match compares this one with each step.
  [operation.split('.', 1)[0], '*'].join('.')

/** Catalogue entry: what a family lets a scenario do. */
export interface CatalogueFamily {
  readonly id: string
  readonly models: readonly string[]
  readonly errors: readonly string[]
  /** Whether its creates make tasks whose timeline a step can change. */
  readonly hasTimelines: boolean
  readonly states: readonly State[]
  /** `handshake`: a challenge comes before anything is reported (§Callbacks). */
  readonly reports: 'never' | 'plainly' | 'handshake'
}

/** Catalogue: what a scenario may name. */
export interface Catalogue {
  readonly operations: readonly string[]
  readonly methods: Readonly<Record<string, readonly string[]>>
  /** Those of them that make assets. */
  readonly uploads: readonly string[]
  readonly families: readonly CatalogueFamily[]
}

/** Pseudo-family of `results.download`. */
export const RESULTS = 'results'

/** Pseudo-family of the routes of profiles: their operations are called `routes.<id>`. */
export const ROUTES = 'routes'

/** The families whose calls a selector can select. */
export const familiesOf = (
  when: Selector,
  { operations, families }: Catalogue,
): readonly CatalogueFamily[] => {
  const named = asList(when.operation).flatMap((name) =>
    operations.filter((operation) => isNamed(name, operation)),
  )
  return families.filter(
    ({ id, models }) =>
      (when.operation === undefined || named.some((operation) => operation.startsWith(`${id}.`))) &&
      (when.family === undefined || asList(when.family).includes(id)) &&
      // Results carry the models of their tasks, whichever family made them.
      (when.model === undefined ||
        id === RESULTS ||
        asList(when.model).some((model) => models.includes(model))),
  )
}

/** The operations that a selector can select. */
export const operationsOf = (when: Selector, catalogue: Catalogue): readonly string[] => {
  const ids = familiesOf(when, catalogue).map(({ id }) => id)
  return catalogue.operations.filter(
    (operation) =>
      ids.some((id) => operation.startsWith(`${id}.`)) &&
      (when.operation === undefined || asList(when.operation).some((name) => isNamed(name, operation))),
  )
}

/** Ordinal number in digits: `2nd`, `21st`. */
export const numeral = (n: number): string => {
  const ending = n % 100 >= 11 && n % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${ending}`
}

/** Problems of a selector: keys that no call can match together. */
export const selectorProblems = (when: Selector, catalogue: Catalogue | undefined): string[] => {
  const { nth, first, every = 1, after = 0, from = 0, until } = when
  const nths = asList(nth)
  const counts = [
    nths.length > 0 &&
      nths.every((n) => n <= after || n > (first ?? n) || n % every !== 0) &&
      `nth ${nths.join(', ')} lies outside of first, every and after`,
    first !== undefined &&
      first > after &&
      Math.floor(first / every) === Math.floor(after / every) &&
      `none of the first ${first} is an every ${numeral(every)}`,
    first !== undefined && first <= after && `the first ${first} are none of those after the first ${after}`,
    until !== undefined && until <= from && 'until is not after from',
  ].filter((problem) => problem !== false)
  if (catalogue === undefined) return counts
  const operations = operationsOf(when, catalogue)
  if (operations.length === 0)
    return ['no call is of this operation, this family and this model at once', ...counts]
  if (when.callback !== undefined && (when.method ?? when.header ?? when.beforeRetryAfter) !== undefined)
    return [
      'method, header and beforeRetryAfter are of calls, and this step is about messages to a receiver',
      ...counts,
    ]
  counts.push(...taskProblems(when, operations, catalogue).filter((problem) => problem !== false))
  if (when.callback !== undefined) return [...callbackProblems(when, when.callback, catalogue), ...counts]
  const methods = [...new Set(operations.flatMap((operation) => catalogue.methods[operation] ?? []))]
  return when.method === undefined || methods.includes(when.method)
    ? counts
    : [`method ${when.method} is of no such call: possible are ${methods.join(', ')}`, ...counts]
}

// Such calls name no task that is there already; the jobs of uploads are none.
const NAMES_NO_TASK = /\.(create|list|upload|resolve)$/

/** Problems of what is about the task of a call: `status`, `task` and `perTask`. */
const taskProblems = (
  when: Selector,
  operations: readonly string[],
  catalogue: Catalogue,
): (string | false)[] => {
  const { status, task, perTask, callback, nth, first, every, after } = when
  const keys = Object.entries({ status, task, perTask }).flatMap(([key, value]) => (value ? [key] : []))
  const possible = new Set(familiesOf(when, catalogue).flatMap(({ states }) => states))
  const impossible = asList(status).filter((state) => possible.size > 0 && !possible.has(state))
  return [
    keys.length > 0 &&
      callback === undefined &&
      operations.every((operation) => NAMES_NO_TASK.test(operation)) &&
      `${keys.join(' and ')} is for calls about a task that is there, and ${operations.join(', ')} names none`,
    status !== undefined &&
      callback !== undefined &&
      'status is of calls: for messages write callback: { status }',
    impossible.length > 0 &&
      `no task here is ${impossible.join(' or ')}: possible are ${[...possible].join(', ')}`,
    perTask === true &&
      (nth ?? first ?? every ?? after) === undefined &&
      'perTask is for nth, first, every or after',
  ]
}

/** Problems of `when.callback`: callbacks that none of the families sends. */
const callbackProblems = (
  when: Selector,
  callback: NonNullable<Selector['callback']>,
  catalogue: Catalogue,
): string[] => {
  const isHandshake = callback === 'challenge'
  const reports = ({ reports }: CatalogueFamily) =>
    reports === 'handshake' || (!isHandshake && reports === 'plainly')
  const creates = operationsOf(when, catalogue)
  const about = familiesOf(when, catalogue).filter(
    (family) => creates.includes(`${family.id}.create`) && reports(family),
  )
  if (about.length === 0) {
    const able = catalogue.families.filter(reports).map(({ id }) => `${id}.create`)
    return [`${isHandshake ? 'challenges' : 'callbacks'} are sent for tasks of ${able.join(' and ')} alone`]
  }
  const possible = states.filter((state) => about.some((family) => family.states.includes(state)))
  const ids = about.map(({ id }) => id).join(' and ')
  return (typeof callback === 'object' ? asList(callback.status) : [])
    .filter((status) => !possible.includes(status))
    .map((status) => `no callback of ${ids} says ${status}: possible are ${possible.join(', ')}`)
}
