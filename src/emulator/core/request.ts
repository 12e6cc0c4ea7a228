import type { z } from 'zod'
import { counted } from './count-words.js'
import { lengthAsSent, redacted, shorten } from './journal/redact.js'
import type { RefusalDetails } from './model/call.js'
import { nearest } from './suggest.js'

/** Length of a text in code points: one emoji is one, though it takes two places (gap N11). */
export const charactersIn = (text: string): number =>
  text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0)

/** Number of characters of all texts in a JSON value. */
export const lengthOfTexts = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (value === null || typeof value !== 'object') return 0
  let sum = 0
  for (const name in value) {
    const inner = (value as Readonly<Record<string, unknown>>)[name]
    // A call for each number and text would be most of the work.
    if (typeof inner === 'string') sum += inner.length
    else if (typeof inner === 'object') sum += lengthOfTexts(inner)
  }
  return sum
}

/** A path as error messages write it: `content[0].image_url.url`. */
export const fieldOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? String(step) : `${text}.${String(step)}`
  }, '')

/** Value at a path, or undefined where there is none. */
export const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, step) =>
      inner !== null && typeof inner === 'object' && Object.hasOwn(inner, step)
        ? (inner as Record<PropertyKey, unknown>)[step]
        : undefined,
    value,
  )

/** Text at a path, or undefined where there is none. */
export const textAt = (value: unknown, path: readonly PropertyKey[]): string | undefined => {
  const text = valueAt(value, path)
  return typeof text === 'string' ? text : undefined
}

/** Refusal of a value: the field, the allowed values, and the value that was found. */
export const mustBe = (field: string, allowed: string, found: unknown): RefusalDetails => ({
  ...expectedButFound(field, allowed, shown(found)),
  found,
})

/** Refusal that describes what was found, where that is no value of the request: `2 text items`, `no text item`. */
export const expectedButFound = (field: string, allowed: string, found: string): RefusalDetails => ({
  field,
  found,
  allowed,
  message: `${field} must be ${allowed}, found ${found}`,
})

type Issue = z.core.$ZodIssue

/** Refusal of a field that has the wrong shape. `isMissing`: the field is absent. */
export interface ShapeRefusal extends RefusalDetails {
  readonly field: string
  readonly isMissing: boolean
}

/** Refusals for the schema violations of a body, in the order of the schema; one about `model` comes first. */
export const shapeRefusals = (issues: readonly Issue[], body: unknown): ShapeRefusal[] =>
  issues
    .map((issue) => shapeRefusal(deepestIssue(issue), body))
    .sort((a, b) => Number(b.field === 'model') - Number(a.field === 'model'))

/** The same for the control API and for settings: a word that is none of the possible ones comes with the nearest of them. */
export const suggestingRefusals = (issues: readonly Issue[], body: unknown) =>
  issues.flatMap((issue) =>
    shapeRefusals([issue], body).map((refusal) => ({
      ...refusal,
      message: `${refusal.message}${nearestWord(issue, body)}`,
    })),
  )

const nearestWord = (issue: Issue, body: unknown): string => {
  const found = valueAt(body, issue.path)
  if (issue.code !== 'invalid_value' || typeof found !== 'string') return ''
  const meant = nearest(found, issue.values.map(String))
  return meant === undefined ? '' : `: did you mean ${meant}?`
}

const shapeRefusal = (issue: Issue, body: unknown): ShapeRefusal => {
  const field = fieldOf(issue.path)
  const found = valueAt(body, issue.path)
  const isMissing = found === undefined && issue.path.length > 0
  const allowed = allowedBy(issue)
  if (isMissing) return { field, isMissing, found, allowed, message: `${field} is required: ${allowed}` }
  const name = field === '' ? 'The request body' : field
  return { field, isMissing, found, allowed, message: `${name} must be ${allowed}, found ${shown(found)}` }
}

// Of the issues of a union, the one at the deepest path says most.
const deepestIssue = (issue: Issue): Issue => {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return issue
  const deepest = issue.errors
    .flat()
    // An issue with the whole value: it is of another kind altogether.
    .filter(({ code, path }) => path.length > 0 || code === 'unrecognized_keys')
    .sort((a, b) => b.path.length - a.path.length)[0]
  if (deepest === undefined) return issue
  return deepestIssue({ ...deepest, path: [...issue.path, ...deepest.path] } as Issue)
}

const nouns: Readonly<Record<string, string>> = {
  int: 'an integer',
  number: 'a number',
  string: 'a string',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  nonoptional: 'any value',
}

/** Allowed values in words: those of the schema's own message if it has one. */
export const allowedBy = (issue: Issue): string => {
  if (isOwnWords(issue)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return nouns[issue.expected] ?? `of type ${issue.expected}`
    case 'invalid_value':
      return `${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`
    case 'unrecognized_keys':
      return `without ${issue.keys
        .slice(0, 20)
        .map((key) => JSON.stringify(key))
        .join(', ')}`
    case 'too_small':
      return sizeText(issue.origin, issue.inclusive === false ? 'above' : 'at least', issue.minimum)
    case 'too_big':
      return sizeText(issue.origin, issue.inclusive === false ? 'below' : 'at most', issue.maximum)
    default:
      return issue.message
  }
}

const sizeText = (origin: string, side: string, count: number | bigint): string => {
  if (origin === 'string') return `${side} ${counted(Number(count), 'character')} long`
  if (origin === 'array' || origin === 'set') return `a list of ${side} ${counted(Number(count), 'item')}`
  return `${side} ${count}`
}

// zod's own messages begin with one of these; all others were written beside a schema.
const isOwnWords = (issue: Issue): boolean => !/^(Invalid|Too (small|big)|Unrecognized)/.test(issue.message)

/** A value as messages show it: short, and without Base64 and what looks like a credential. */
export const shown = (value: unknown): string => {
  if (value instanceof Date) return 'a Date'
  // As JSON, NaN and Infinity would be null.
  if (typeof value === 'number') return String(value)
  const isLarge = valuesWithin(value, Number.POSITIVE_INFINITY, MAX_WHOLE) > MAX_WHOLE
  // Only the beginning is shown: a value of megabytes is not copied for it.
  const safe = redacted(isLarge ? shorten(value) : value)
  const text = JSON.stringify(safe, withBigInts) ?? (value === undefined ? 'nothing' : `a ${typeof value}`)
  if (isLarge) return `${beginningOf(text)}… (more than ${MAX_WHOLE} values)`
  if (text.length <= 80) return text
  const length = typeof value === 'string' ? lengthAsSent(value, charactersIn) : charactersIn(text)
  return `${beginningOf(text)}… (${length} characters)`
}

const withBigInts = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value)

const MAX_WHOLE = 1_000

/** The beginning of a text, for messages. A character that takes two places in a string is not cut in half. */
export const beginningOf = (text: string): string => text.slice(0, 60).replace(/[\uD800-\uDBFF]$/, '')

/**
 * Absent fields: a field whose value is null counts as one that was not sent, at every depth (gap X13). An item of a list that
 * is null stays, since to leave it out would change the places of the others. Returns the body without them, the same value
 * where it has none, and the paths of the fields that had one.
 */
export const withoutNulls = (
  body: unknown,
): { readonly body: unknown; readonly nulls: readonly string[] } => {
  const nulls: string[] = []
  return { body: copyWithout(body, [], nulls), nulls }
}

/** Copies only what has a null within it: most bodies have none. */
const copyWithout = (value: unknown, path: PropertyKey[], nulls: string[]): unknown => {
  if (value === null || typeof value !== 'object') return value
  const source = value as Record<PropertyKey, unknown>
  const isList = Array.isArray(value)
  let copy: Record<PropertyKey, unknown> | undefined
  const change = () => {
    copy ??= (isList ? [...value] : { ...source }) as Record<PropertyKey, unknown>
    return copy
  }
  for (const name of Object.keys(source)) {
    path.push(isList ? Number(name) : name)
    const inner = source[name]
    if (inner === null && !isList) {
      delete change()[name]
      nulls.push(fieldOf(path))
    } else if (typeof inner === 'object') {
      const kept = copyWithout(inner, path, nulls)
      if (kept !== inner) change()[name] = kept
    }
    path.pop()
  }
  return copy ?? value
}

const MAX_NAMED = 20

/** What the journal says of the nulls of a body that has some, at these paths. */
export const nullNote = (nulls: readonly string[]): string => {
  const more = nulls.length > MAX_NAMED ? ` and ${nulls.length - MAX_NAMED} more` : ''
  return `null counts as not sent (gap X13): ${nulls.slice(0, MAX_NAMED).join(', ')}${more}`
}

/** Paths of unknown fields (gap X11): keys of the body that the parsed value lacks. What was rebuilt is not searched. */
export const ignoredFields = (body: unknown, understood: unknown): string[] => {
  const ignored: string[] = []
  collectIgnored(body, understood, [], ignored)
  return ignored
}

/** `path` is one array for the whole walk: most bodies hold nothing that is dropped, and need no text of a path. */
const collectIgnored = (body: unknown, understood: unknown, path: PropertyKey[], ignored: string[]): void => {
  if (Array.isArray(body) && Array.isArray(understood))
    for (let index = 0; index < body.length; index += 1) {
      path.push(index)
      collectIgnored(body[index], understood[index], path, ignored)
      path.pop()
    }
  else if (isRecord(body) && isRecord(understood))
    for (const key of Object.keys(body)) {
      const inner = body[key]
      path.push(key)
      if (!Object.hasOwn(understood, key)) ignored.push(fieldOf(path))
      else if (typeof inner === 'object') collectIgnored(inner, understood[key], path, ignored)
      path.pop()
    }
}

/** JSON value of a text; undefined where the text is no JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Type guard of JSON objects: neither null nor an array. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Guard of JSON: the first value that JSON cannot hold, as a sentence that begins with its path, or undefined where there is none. */
export const notJson = (
  value: unknown,
  path: readonly PropertyKey[] = [],
  around: readonly unknown[] = [],
): string | undefined => {
  const sentence = (found: string) => `${fieldOf(path)} must be a JSON value, found ${found}`
  if (['function', 'symbol', 'bigint'].includes(typeof value)) return sentence(`a ${typeof value}`)
  if (typeof value === 'number' && !Number.isFinite(value)) return sentence(String(value))
  if (value === null || typeof value !== 'object' || 'toJSON' in value) return undefined
  if (around.includes(value)) return sentence('an object that contains itself')
  for (const [key, inner] of Object.entries(value)) {
    const wrong = notJson(inner, [...path, Array.isArray(value) ? Number(key) : key], [...around, value])
    if (wrong !== undefined) return wrong
  }
  return undefined
}

export const MAX_LEVELS = 100
export const MAX_VALUES = 10_000

/**
 * Limits of JSON bodies: the limit that a body exceeds, in words, or undefined where there is none. No client sends more, and a deeper or
 * wider value would exhaust the stack of a recursive function.
 */
export const exceedsJsonLimits = (body: unknown): string | undefined => {
  const values = valuesWithin(body, MAX_LEVELS)
  if (values === Number.POSITIVE_INFINITY) return `at most ${MAX_LEVELS} levels deep`
  return values > MAX_VALUES ? `of at most ${MAX_VALUES} values` : undefined
}

// Around a body, a recording and a HAR file have a few levels of their own.
const MAX_FILE_LEVELS = MAX_LEVELS + 20

/** Whether a value of a file is nested so deep that it would exhaust the stack of a recursive function. */
export const isTooDeep = (value: unknown): boolean =>
  valuesWithin(value, MAX_FILE_LEVELS) === Number.POSITIVE_INFINITY

/**
 * How many values a value has, itself among them; infinitely many where it has more levels below it.
 * @param max more are not counted. Default: all are
 */
export const valuesWithin = (value: unknown, levels: number, max = Number.POSITIVE_INFINITY): number => {
  if (levels < 0) return Number.POSITIVE_INFINITY
  if (value === null || typeof value !== 'object') return 1
  let values = 1
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (values > max) break
    values += valuesWithin(inner, levels - 1, max - values)
  }
  return values
}
