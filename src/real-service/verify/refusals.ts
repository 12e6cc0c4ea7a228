import { isRecord, valueAt } from '../../emulator/surface/journal.js'
import type { Registry } from '../../emulator/surface/registry.js'
import { boundShownBy, type IsTaken, isLeast } from './bounds.js'
import type { Change } from './changes.js'
import { type Compared, type Delta, isWord } from './compare.js'

type Family = Registry['families'][number]

/** How a refusal is to look: what of a row of the table of errors differs. */
interface Look {
  readonly status?: number
  readonly code?: string
  readonly type?: string
  readonly number?: number
  readonly message?: string
}

/** A refusal that both gave, with how the service words it. */
interface Refused {
  readonly compared: Compared
  readonly family: Family
  /** The name of its row in the table. */
  readonly error: string
  /** The rule that refused, `b-video-task.schema.model`. */
  readonly rule: string
  readonly look: Look
  readonly settles: readonly Delta[]
}

/**
 * Changes of the table of errors: rows that are to look otherwise where most causes of refusals with the row do, and other rows for
 * a rule or a well-known case where some do. What is of the form of the body is left to the changes of answers.
 */
export const refusalChanges = (all: readonly Compared[], registry: Registry): Change[] => {
  const refused = all.flatMap((compared) => refusedIn(compared, registry))
  return [...grouped(refused, ({ family, error }) => `${family.id} ${error}`).values()].flatMap((group) => {
    if (group.every(({ look }) => Object.keys(look).length === 0)) return []
    const usual = usualIn(group)
    // What looks otherwise still differs once the row has its usual look, and is looked at then.
    return usual === undefined ? [...grouped(group, causeOf).values()].flatMap(otherRow) : rowChanges(usual)
  })
}

/** The refusals of a row that look alike, where these have more than half of the causes and the row does not look so yet. */
const usualIn = (group: readonly Refused[]): readonly Refused[] | undefined => {
  const causes = new Set(group.map(causeOf)).size
  const alike = grouped(group, ({ look: { message: _, ...look } }) => JSON.stringify(look))
  return [...alike.values()]
    .filter((some) => new Set(some.map(causeOf)).size * 2 > causes)
    .map(withOneMessage)
    .find((some) => some.some(({ look }) => Object.keys(look).length > 0))
}

/** Refusals of a row with the message that all of them have which name no field, or with none: a row has one. */
const withOneMessage = (group: readonly Refused[]): readonly Refused[] => {
  const worded = group.filter(({ look, compared }) => look.message !== undefined || !namesField(compared))
  const [message, ...others] = new Set(worded.map(({ look }) => look.message))
  const isOne = message !== undefined && others.length === 0
  return group.map((one) => {
    const { message: own, ...look } = one.look
    if (isOne) return { ...one, look: { ...look, message } }
    const settles = own === undefined ? one.settles : one.settles.filter(({ kind }) => kind !== 'sentence')
    return { ...one, look, settles }
  })
}

/** Whether a refusal of the emulator says what is wrong with a field. The message of a row stands in the others. */
const namesField = ({ ours }: Compared): boolean => ours.refusedBy[0]?.field !== undefined

/** Groups, by a name, in the order of their first members. */
export const grouped = <T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(nameOf(item), [...(groups.get(nameOf(item)) ?? []), item])
  return groups
}

const refusedIn = (compared: Compared, registry: Registry): Refused[] => {
  const { ours, exchange, deltas } = compared
  const [first] = ours.refusedBy
  const family = registry.family(ours.operation?.split('.')[0] ?? '')
  if (first === undefined || family === undefined || ours.status < 400 || exchange.answer.status < 400)
    return []
  const { look, settles } = lookOf(compared, deltas, family, first.error)
  return [{ compared, family, error: first.error, rule: first.rule, look, settles }]
}

const lookOf = (compared: Compared, deltas: readonly Delta[], family: Family, error: string) => {
  const { ours } = compared
  const places = placesOf(family, error)
  const look: Record<string, unknown> = {}
  const settles: Delta[] = []
  const take = (key: keyof Look, value: unknown, delta: Delta): void => {
    look[key] = value
    settles.push(delta)
  }
  const { message, number } = family.errors[error] ?? {}
  for (const delta of deltas) {
    if (delta.kind === 'status') take('status', delta.theirs, delta)
    if (delta.kind === 'value' && places.code.includes(delta.path)) {
      // A status of HTTP in the body follows from the row.
      if (String(delta.ours) === String(ours.status)) settles.push(delta)
      else take('code', delta.theirs, delta)
    }
    if (delta.kind === 'value' && places.type.includes(delta.path)) take('type', delta.theirs, delta)
    const frame = delta.kind === 'sentence' ? places.message.get(delta.path) : undefined
    if (delta.kind !== 'sentence' || frame === undefined) continue
    const numbered = /\((\d+)\)$/.exec(delta.theirs)?.[1]
    if (number !== undefined && numbered !== undefined && Number(numbered) !== number)
      take('number', Number(numbered), delta)
    const worded = wordsIn(delta, frame, message, compared)
    if (worded !== undefined) take('message', worded, delta)
  }
  return { look: look as Look, settles }
}

/** The message of a row in a sentence of the service. Undefined where it has none, or one that is of this call alone. */
const wordsIn = (
  delta: Delta & { kind: 'sentence' },
  frame: RegExp,
  message: string | undefined,
  compared: Compared,
): string | undefined => {
  const worded = namesField(compared)
    ? message && wordsBetween(delta, message)
    : frame.exec(delta.theirs)?.[1]
  return worded !== undefined && isOfNoCall(worded, compared) ? worded : undefined
}

/** Whether a sentence is the same for every call: it has no id, no time and no URL, and does not repeat what was sent. */
const isOfNoCall = (sentence: string, { ours }: Compared): boolean => {
  const { found } = ours.refusedBy[0] ?? {}
  const isQuoted = typeof found === 'string' && found !== '' && sentence.includes(found)
  return !isQuoted && sentence.split(/\s+/).every(isWord)
}

/** The message of a row, as a sentence of the service has it between the words that the emulator puts around it. */
const wordsBetween = (
  { ours, theirs }: Delta & { kind: 'sentence' },
  message: string,
): string | undefined => {
  const at = ours.toLowerCase().indexOf(message.toLowerCase())
  if (at < 0) return undefined
  const [before, after] = [ours.slice(0, at), ours.slice(at + message.length)]
  if (!theirs.startsWith(before) || !theirs.endsWith(after)) return undefined
  return theirs.slice(before.length, theirs.length - after.length) || undefined
}

const MARK = { code: 'markCode', type: 'markType', message: 'markMessage' }
const MARK_STATUS = 499
const MARK_ID = 'mark-request-id'

/** Where the refusals of a family with an error have what stands in its row: found by a row whose words are marks. */
const placesOf = (family: Family, error: string) => {
  const { number } = family.errors[error] ?? {}
  const row = { ...MARK, status: MARK_STATUS, ...(number === undefined ? {} : { number }) }
  const places = { code: [] as string[], type: [] as string[], message: new Map<string, RegExp>() }
  const look = (value: unknown, path: string): void => {
    if (isRecord(value))
      for (const [key, inner] of Object.entries(value)) look(inner, path === '' ? key : `${path}.${key}`)
    const text = String(value)
    if (text === MARK.code || text === String(MARK_STATUS)) places.code.push(path)
    if (text === MARK.type) places.type.push(path)
    if (/markMessage/i.test(text)) places.message.set(path, frameOf(text, number))
  }
  look(family.respond.error({ error } as never, MARK_ID, row), '')
  return places
}

/** What finds the message of a row in a sentence, by the words that a family puts around it. */
const frameOf = (marked: string, number: number | undefined): RegExp => {
  const [before = '', after = ''] = marked.split(new RegExp(MARK.message, 'i')).map((text) =>
    text
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(MARK_ID, '\\S+')
      .replaceAll(String(number), '\\d+'),
  )
  return new RegExp(`^${before}(.+?)${after}$`, 's')
}

/** Changes of a row of the table. */
const rowChanges = (group: readonly Refused[]): Change[] => {
  const [{ family, error, look }] = group as [Refused]
  const seenIn = group.map(({ compared }) => compared)
  const settles = group.flatMap((one) => one.settles)
  return Object.entries(look).map(([key, value]) => ({
    at: ['errors', family.id, error, key],
    value,
    seenIn,
    settles,
  }))
}

/** The case or the rule for which a profile can name another row. */
const causeOf = (one: Refused): string => caseOf(one) ?? one.rule

const caseOf = ({ family, rule, error, compared }: Refused): string | undefined => {
  const cases = family.wellKnownErrors as Readonly<Record<string, string>>
  const { found, field } = compared.ours.refusedBy[0] ?? {}
  const name = rule.slice(family.id.length + 1)
  const possible = /^credentials$/.test(name)
    ? 'unauthenticated'
    : name === 'body-is-json'
      ? 'unreadable'
      : !name.startsWith('schema')
        ? undefined
        : field === 'model' && typeof found === 'string'
          ? 'unknown-model'
          : found === undefined
            ? 'missing'
            : 'invalid'
  return possible !== undefined && cases[possible] === error ? possible : undefined
}

/** Another row for a rule or a case: one that is there, or a new one. */
const otherRow = (group: readonly Refused[]): Change[] => {
  const [first] = group
  const looks = new Set(group.map(({ look }) => JSON.stringify(look)))
  if (first === undefined || looks.size > 1 || Object.keys(first.look).length === 0) return []
  const { family, error, look, rule } = first
  const before: Readonly<Record<string, unknown>> = { ...family.errors[error] }
  const after = { ...before, ...look } as Readonly<Record<string, unknown>>
  const word = String(look.code ?? look.type ?? `${error}_${look.status ?? 'other'}`)
  const same = Object.entries(family.errors).find(
    ([name, row]) =>
      row.status === after.status &&
      (row.code ?? name) === (look.code ?? row.code ?? name) &&
      (look.type === undefined || (row.type ?? name) === look.type) &&
      (look.code !== undefined || look.type !== undefined),
  )?.[0]
  const free = Object.hasOwn(family.errors, word) ? `${word}_${after.status}` : word
  const name = same ?? free
  const seenIn = group.map(({ compared }) => compared)
  const settles = group.flatMap((one) => one.settles)
  const row = { at: ['errors', family.id, name], value: newRow(name, before, look, error), seenIn, settles }
  const made: Change[] = same === undefined ? [row] : []
  const known = caseOf(first)
  const at = known === undefined ? ['rules', rule, 'error'] : ['cases', family.id, known]
  return [...made, { at, value: name, seenIn, settles }]
}

/** A new row: that of before with another look. */
const newRow = (
  name: string,
  before: Readonly<Record<string, unknown>>,
  look: Look,
  error: string,
): Readonly<Record<string, unknown>> => {
  const { status, message, number, type, code } = { ...before, ...look } as Readonly<Record<string, unknown>>
  const ownCode = code ?? (look.type === undefined ? error : undefined)
  const row = { status, message, number, type, code: ownCode === name ? undefined : ownCode }
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))
}

/**
 * Changes for calls that the emulator refuses and the service takes: a new model, a longer video, a wider bound, and a rule that is
 * off where it has no number that the call shows.
 */
export const acceptanceChanges = async (
  all: readonly Compared[],
  registry: Registry,
  isTaken: IsTaken,
): Promise<Change[]> => {
  const changes: Change[] = []
  for (const compared of all) {
    const { exchange, ours, deltas } = compared
    const [first] = ours.refusedBy
    if (first === undefined || exchange.answer.status >= 400 || ours.status < 400) continue
    const at =
      factShownBy(first, exchange.json, registry) ??
      (await boundShownBy(compared, registry, isTaken)) ??
      offWithout(first, registry)
    if (at !== undefined) changes.push({ ...at, seenIn: [compared], settles: deltas })
  }
  return withWidest(changes)
}

/** Changes of one range, or of one bound, as one that holds all of them. */
const withWidest = (changes: readonly Change[]): Change[] =>
  [...grouped(changes, ({ at }) => at.join(' ')).values()].flatMap((group) => {
    const [first] = group
    const numbers = group.flatMap(({ value }) => value).map(Number)
    if (first === undefined || group.length < 2 || !numbers.every(Number.isFinite)) return group
    const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
    const bound = isLeast(first.at.at(-1) ?? '') ? least : most
    const seenIn = group.flatMap((one) => one.seenIn)
    const settles = group.flatMap((one) => one.settles)
    return [{ ...first, value: Array.isArray(first.value) ? [least, most] : bound, seenIn, settles }]
  })

type Refusal = Compared['ours']['refusedBy'][number]

/** A fact of a model that a call shows: that there is it, or how long its videos may be. */
const factShownBy = (
  { rule, field = '', found }: Refusal,
  json: unknown,
  registry: Registry,
): Pick<Change, 'at' | 'value'> | undefined => {
  const [id = ''] = rule.split('.')
  const model = String(valueAt(json, ['model']))
  const facts = registry.family(id)?.facts?.models
  if (facts !== undefined && field === 'model' && typeof found === 'string')
    return { at: ['models', found, 'like'], value: Object.keys(facts)[0] }
  const seconds = facts?.[model]?.seconds
  if (seconds === undefined || !/^(duration|seconds)$/.test(field) || !Number.isFinite(Number(found)))
    return undefined
  const [min, max] = seconds
  return {
    at: ['models', model, 'seconds'],
    value: [Math.min(min, Number(found)), Math.max(max, Number(found))],
  }
}

/** A rule of the family switched off. Undefined for what is no rule of its own, such as the form of a body. */
const offWithout = ({ rule }: Refusal, registry: Registry): Pick<Change, 'at' | 'value'> | undefined => {
  const [id = '', ...rest] = rule.split('.')
  const family = registry.family(id)
  const own = [...(family?.rules ?? []), ...(family?.jobLimits ?? [])].map((one) => one.id)
  return own.includes(rest.join('.')) ? { at: ['rules', rule], value: 'off' } : undefined
}
