import { z } from 'zod'
import type { AnyFamily, StatedRule } from './contract.js'
import { EmulatorError } from './errors.js'
import type { Pixels } from './media/input.js'
import type { ErrorSpec } from './model/call.js'
import { nonEmpty, nonEmptyRow } from './non-empty.js'
import { suggestingRefusals } from './request.js'
import { suggestion } from './suggest.js'

/** The ways in which a video can be asked for (§C modes). */
export const modes = ['text', 'first-frame', 'first-last-frame', 'reference'] as const
export type Mode = (typeof modes)[number]

/** Facts of a model: what it makes, and of what. A family has those that its chapter speaks of. */
export interface ModelFacts {
  /** The shortest and the longest video, in seconds. */
  readonly seconds?: readonly [min: number, max: number]
  /** Pixels by size, and by ratio within a size: `720p`, `16:9`. */
  readonly sizes?: Readonly<Record<string, Readonly<Record<string, Pixels>>>>
  /** Those of its sizes that are made from text alone. Default: all. */
  readonly sizesFromText?: readonly string[]
  readonly ratios?: readonly string[]
  readonly modes?: readonly Mode[]
  /** Whether a last frame needs no first one. Default: it does. */
  readonly lastFrameAlone?: boolean
  /** Whether videos have sound. */
  readonly sound?: boolean
  readonly framesPerSecond?: number
  /** Price of a second by size; a size that is not listed costs nothing. */
  readonly price?: Readonly<Record<string, number>>
  /** How long tasks take with the timing `realistic`. */
  readonly running?: Running
}

/** Time that a task takes: what it waits, what it runs in any case, and what each second of video adds, by size. */
export interface Running {
  readonly queuedMs: number
  readonly fixedMs: number
  readonly msPerSecond: Readonly<Record<string, number>>
}

/** Facts of a family: everything of its chapter that is a list or a number, from which its rules and schemas are made. */
export interface FamilyFacts {
  /** By the id of the model, in the order in which they are listed. */
  readonly models: Readonly<Record<string, ModelFacts>>
  /** The numbers of rules: by the id of the rule without its family, then by name, `{ 'name-length': { characters: 64 } }`. */
  readonly bounds: Bounds
}

/** Bounds of rules. A name that begins with `min` or `max`, or is one of them, is the end of a range. */
export type Bounds = Readonly<Record<string, Readonly<Record<string, number>>>>

const name = z.string().min(1)
// Videos are encoded with one colour for four pixels (4:2:0), which needs even sides.
const side = z.int().min(2).max(8_192).multipleOf(2, { error: 'an even number from 2 to 8192' })
const size = z.strictObject({ width: side, height: side })
const ratio = z.string().regex(/^[1-9]\d*:[1-9]\d*$/, { error: 'a ratio such as 16:9' })

const SECONDS = 'the least seconds and the most, such as [4, 15]'

/** Zod schema of a change of a model, or of a new one. */
export const modelChangeSchema = z.strictObject({
  like: name.optional().describe('the model that a new one is like but for what is said here'),
  seconds: z
    .tuple([z.number().min(1), z.number().min(1)], { error: SECONDS })
    .refine(([min, max]) => min <= max, { error: SECONDS })
    .optional()
    .describe('the shortest and the longest video'),
  sizes: z
    .union([z.array(name).min(1), z.record(name, z.record(ratio, size))], {
      error: 'a list of sizes, or an object of sizes with their pixels by ratio',
    })
    .optional()
    .describe('names of sizes that the family has, or sizes with the pixels of each ratio'),
  sizesFromText: z.array(name).optional().describe('those of its sizes that are made from text alone'),
  ratios: z.array(ratio).min(1).optional(),
  modes: z.array(z.enum(modes)).min(1).optional().describe('the ways in which it can be asked for a video'),
  lastFrameAlone: z.boolean().optional().describe('whether a last frame needs no first one (F)'),
  sound: z.boolean().optional().describe('whether its videos can have sound'),
  framesPerSecond: z.number().min(1).max(240).optional(),
  price: z
    .union([z.number().min(0), z.record(name, z.number().min(0))])
    .optional()
    .describe('price of a second, for all sizes or by size'),
})
type ModelChange = z.output<typeof modelChangeSchema>

const errorRowSchema = nonEmptyRow(
  z.strictObject({
    status: z.int().min(400).max(599).optional(),
    code: z.string().optional().describe('the word in `code`; default: the name of the row'),
    type: z.string().optional().describe('the word in `type`, in families whose errors have one'),
    number: z.int().optional().describe('the number that F adds to its messages'),
    message: z.string().min(1).optional().describe('a sentence without a full stop'),
  }),
)

const RULE = 'off, or an object of the bounds of the rule and of `error`, the error that it answers with'

/** Cases that every family must be able to refuse. */
export const wellKnownNames = [
  ...(['unauthenticated', 'unreadable', 'unsupported', 'too-large', 'rate-limited', 'internal'] as const),
  ...(['missing', 'invalid', 'unknown-model'] as const),
] as const

/** Zod schema of what can be changed of a family. Names of models, rules and errors are checked by `withFacts`. */
export const factChangesSchema = z.strictObject({
  models: z.record(name, modelChangeSchema).optional(),
  rules: z
    .record(
      name,
      z.union([z.literal('off'), nonEmpty(z.record(name, z.union([z.number(), name])), RULE)], {
        error: RULE,
      }),
    )
    .optional()
    .describe('by the id of the rule without its family: off, its bounds, or the error that it answers with'),
  errors: z
    .record(name, errorRowSchema)
    .optional()
    .describe('rows of the table that are changed, or added where they have a status and a message'),
  wellKnown: z
    .partialRecord(z.enum(wellKnownNames), name)
    .optional()
    .describe('the errors that every family has, by other rows of the table'),
})
/** What is to differ from the facts of a family: its models, the numbers of its rules, rows of its table of errors. */
export type FactChanges = z.output<typeof factChangesSchema>

/**
 * A family with other facts: its models, the bounds of its rules, its errors. Everything else about it follows. The family that
 * is handed in stays as it is.
 * @throws EmulatorError `bad-profile`: what there is not, with the nearest name, or what contradicts itself
 */
export const withFacts = <F extends AnyFamily>(family: F, changes: FactChanges): F => {
  const shape = factChangesSchema.safeParse(changes)
  if (!shape.success)
    throw problem(
      family,
      suggestingRefusals(shape.error.issues, changes)
        .map(({ message }) => message)
        .join('; '),
    )
  const { models = {}, rules = {}, errors = {}, wellKnown = {} } = shape.data
  const bounds = boundsIn(rules)
  const made = Object.keys({ ...models, ...bounds }).length === 0 ? family : remade(family, models, bounds)
  const ruleErrors = { ...family.ruleErrors, ...errorsIn(rules) }
  const rulesOff = [...(family.rulesOff ?? []), ...Object.keys(rules).filter((id) => rules[id] === 'off')]
  const table = tableWith(family, errors)
  const known = Object.keys(table)
  for (const [id, error] of [...Object.entries(ruleErrors), ...Object.entries(wellKnown)])
    if (!known.includes(error)) throw unknown(family, `error (of ${id})`, error, known)
  checkRules(made, rules)
  return {
    ...made,
    errors: table,
    wellKnownErrors: { ...family.wellKnownErrors, ...wellKnown },
    ruleErrors,
    rulesOff,
    ...(made.rules === undefined ? {} : { rules: withoutThose(made.rules, rulesOff) }),
    ...(made.jobLimits === undefined ? {} : { jobLimits: withoutThose(made.jobLimits, rulesOff) }),
  }
}

const withoutThose = <R extends StatedRule>(rules: readonly R[], off: readonly string[]): readonly R[] =>
  rules.filter(({ id }) => !off.includes(id))

type Rules = NonNullable<FactChanges['rules']>

const boundsIn = (rules: Rules): Bounds =>
  Object.fromEntries(
    Object.entries(rules).flatMap(([id, change]) => {
      const numbers = change === 'off' ? [] : Object.entries(change).filter(([key]) => key !== 'error')
      return numbers.length === 0 ? [] : [[id, Object.fromEntries(numbers) as Record<string, number>]]
    }),
  )

const errorsIn = (rules: Rules): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(rules).flatMap(([id, change]) =>
      change === 'off' || change.error === undefined ? [] : [[id, String(change.error)]],
    ),
  )

/** Rules that every family has beside its own: they answer with another error, and cannot be switched off. */
const COMMON_RULES = ['rate-limit', 'strict', 'room-for-task', 'task-exists', 'cancelling']

const checkRules = (family: AnyFamily, rules: Rules): void => {
  const own = [...(family.rules ?? []), ...(family.jobLimits ?? [])].map(({ id }) => id)
  const bound = Object.keys(family.facts?.bounds ?? {})
  for (const [id, change] of Object.entries(rules)) {
    const isOff = family.rulesOff?.includes(id) === true
    if (change === 'off' && !own.includes(id) && [...COMMON_RULES, ...bound].includes(id))
      throw problem(
        family,
        `the rule ${id} cannot be switched off: it can have other bounds or another error`,
      )
    const possible = change === 'off' ? own : [...own, ...COMMON_RULES, ...bound]
    if (!isOff && !possible.includes(id)) throw unknown(family, 'rule', id, possible)
  }
}

const remade = <F extends AnyFamily>(family: F, models: Record<string, ModelChange>, bounds: Bounds): F => {
  if (family.facts === undefined || family.make === undefined)
    throw problem(family, 'it has no facts that can be changed: neither models nor bounds')
  return family.make({
    models: modelsWith(family, family.facts.models, models),
    bounds: boundsWith(family, family.facts.bounds, bounds),
  }) as F
}

const boundsWith = (family: AnyFamily, known: Bounds, changes: Bounds): Bounds => {
  const all: Record<string, Readonly<Record<string, number>>> = { ...known }
  for (const [id, change] of Object.entries(changes)) {
    const before = known[id]
    if (before === undefined) throw unknown(family, 'rule with bounds', id, Object.keys(known))
    for (const [key, value] of Object.entries(change)) {
      if (before[key] === undefined) throw unknown(family, `bound of ${id}`, key, Object.keys(before))
      checkBound(family, `${id}.${key}`, value)
    }
    const after = { ...before, ...change }
    for (const [min, low] of Object.entries(after)) {
      const max = min.replace(/^min/, 'max')
      const high = after[max]
      if (max !== min && high !== undefined && low > high)
        throw problem(family, `${id}: ${min} is ${low} and ${max} is ${high}, below it`)
    }
    all[id] = after
  }
  return all
}

const checkBound = (family: AnyFamily, name: string, value: unknown): void => {
  if (typeof value !== 'number') throw problem(family, `${name} must be a number, found ${value}`)
  // What a field may be can be negative, such as a seed; how many or how large something is cannot.
  if (value < 0 && !name.startsWith('schema.'))
    throw problem(family, `${name} must be at least 0, found ${value}`)
}

const modelsWith = (
  family: AnyFamily,
  known: FamilyFacts['models'],
  changes: Readonly<Record<string, ModelChange>>,
): FamilyFacts['models'] => {
  const all: Record<string, ModelFacts> = { ...known }
  for (const [id, change] of Object.entries(changes)) {
    const like = change.like ?? id
    const before = all[like]
    if (before === undefined)
      throw unknown(family, change.like === undefined ? 'model' : 'model to be like', like, Object.keys(all))
    if (change.like !== undefined && known[id] !== undefined)
      throw problem(family, `there is a model ${id} already, so that no new one can be like ${like}`)
    all[id] = modelWith(family, id, before, change, Object.values(all))
  }
  return all
}

const modelWith = (
  family: AnyFamily,
  id: string,
  before: ModelFacts,
  { like: _, sizes, price, ...change }: ModelChange,
  all: readonly ModelFacts[],
): ModelFacts => {
  const given = Object.keys({ ...change, ...(sizes && { sizes }), ...(price === undefined ? {} : { price }) })
  for (const key of given)
    if (!Object.hasOwn(before, key) && !(key === 'sizesFromText' && before.sizes !== undefined))
      throw problem(family, `models.${id}: its models have no ${key}${suggestion(key, Object.keys(before))}`)
  const known: NonNullable<ModelFacts['sizes']> = Object.assign({}, ...all.map((model) => model.sizes))
  const after = { ...before, ...change } as ModelFacts
  const sizesAfter = sizes === undefined ? before.sizes : sizesOf(family, id, sizes, known)
  if (sizesAfter === undefined) return after
  const names = Object.keys(sizesAfter)
  const priceAfter =
    price === undefined
      ? before.price
      : typeof price === 'number'
        ? Object.fromEntries(names.map((size) => [size, price]))
        : price
  for (const size of [
    ...Object.keys(typeof price === 'object' ? price : {}),
    ...(change.sizesFromText ?? []),
  ])
    if (!names.includes(size)) throw unknown(family, `size of ${id}`, size, names)
  return { ...after, sizes: sizesAfter, ...(priceAfter === undefined ? {} : { price: priceAfter }) }
}

const sizesOf = (
  family: AnyFamily,
  id: string,
  sizes: NonNullable<ModelChange['sizes']>,
  known: NonNullable<ModelFacts['sizes']>,
): NonNullable<ModelFacts['sizes']> => {
  if (!Array.isArray(sizes)) return sizes
  return Object.fromEntries(
    sizes.map((size) => {
      const pixels = known[size]
      if (pixels === undefined) throw unknown(family, `size (models.${id})`, size, Object.keys(known))
      return [size, pixels]
    }),
  )
}

const tableWith = (
  family: AnyFamily,
  changes: NonNullable<FactChanges['errors']>,
): Readonly<Record<string, ErrorSpec>> => {
  const table: Record<string, ErrorSpec> = { ...family.errors }
  for (const [error, change] of Object.entries(changes)) {
    const { status, message, ...others } = { ...table[error], ...change }
    if (status === undefined || message === undefined)
      throw problem(
        family,
        `errors.${error} is no row of the table${suggestion(error, Object.keys(family.errors))}, and a new one needs status and message`,
      )
    for (const key of WIRE_KEYS)
      if (change[key] !== undefined && !isWritten(family, error, { ...others, status, message }, key))
        throw problem(family, `errors.${error}.${key}: its errors have no ${key} that an answer shows`)
    // A new message is a sentence that details are added to, as to those of the table.
    const { isVerbatim: _, ...row } = { ...others, status, message }
    table[error] =
      change.message === undefined ? { ...others, status, message } : { ...row, isOfProfile: true }
  }
  return table
}

const WIRE_KEYS = ['code', 'type', 'number'] as const

/** Whether an answer of a family shows a part of a row of its table: where it does, another value makes another answer. */
const isWritten = (
  { respond }: AnyFamily,
  error: string,
  row: ErrorSpec,
  key: (typeof WIRE_KEYS)[number],
): boolean => {
  const write = (value: string | number) => {
    const changed: ErrorSpec = { ...row, [key]: value }
    return JSON.stringify(respond.error({ error }, 'request-1', changed))
  }
  return key === 'number' ? write(7_001) !== write(7_002) : write('one') !== write('two')
}

const problem = ({ id }: AnyFamily, text: string): EmulatorError =>
  new EmulatorError(`${id}: ${text}${text.endsWith('?') ? '' : '.'}`, { code: 'bad-profile' })

const unknown = (
  family: AnyFamily,
  kind: string,
  found: string,
  possible: readonly string[],
): EmulatorError =>
  problem(family, `there is no ${kind} ${JSON.stringify(found)}${suggestion(found, possible)}`)
