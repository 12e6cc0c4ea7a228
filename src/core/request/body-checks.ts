import { fieldOf } from './shape.js'

/**
 * The paths of what the schema dropped: keys that are in the body and not in what was understood of it
 * (gap X11). A field whose value was rebuilt (joined, defaulted) is not looked into.
 */
export const ignoredFields = (body: unknown, understood: unknown): string[] =>
  // Most bodies hold nothing that is dropped, which is found out without writing down a path to everything.
  isUnderstood(body, understood) ? [] : fieldsIgnored(body, understood, [])

const isUnderstood = (body: unknown, understood: unknown): boolean => {
  if (Array.isArray(body) && Array.isArray(understood))
    return body.every((item, index) => isUnderstood(item, understood[index]))
  if (!isRecord(body) || !isRecord(understood)) return true
  return Object.keys(body).every(
    (key) => Object.hasOwn(understood, key) && isUnderstood(body[key], understood[key]),
  )
}

const fieldsIgnored = (body: unknown, understood: unknown, path: readonly PropertyKey[]): string[] => {
  if (Array.isArray(body) && Array.isArray(understood))
    return body.flatMap((item, index) => fieldsIgnored(item, understood[index], [...path, index]))
  if (!isRecord(body) || !isRecord(understood)) return []
  return Object.keys(body).flatMap((key) =>
    Object.hasOwn(understood, key)
      ? fieldsIgnored(body[key], understood[key], [...path, key])
      : [fieldOf([...path, key])],
  )
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const MAX_LEVELS = 100
const MAX_VALUES = 10_000

/**
 * What a body would have to be to be looked at, in words; undefined where it is that. No client sends more, and what is
 * deeper or wider would exhaust the stack of whatever walks it.
 */
export const exceedsJsonLimits = (body: unknown): string | undefined =>
  // Nearly every body is small: that is found out without a list for each of its levels.
  valuesWithin(body, MAX_LEVELS) <= MAX_VALUES ? undefined : limitExceededBy(body)

/** How many values a body has, itself among them; more than any limit where it has more levels below it. */
const valuesWithin = (value: unknown, levels: number): number => {
  if (levels < 0) return Number.POSITIVE_INFINITY
  let values = 1
  for (const inner of valuesIn(value)) values += valuesWithin(inner, levels - 1)
  return values
}

const limitExceededBy = (body: unknown): string | undefined => {
  let level = [body]
  let values = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    values += level.length
    if (depth > MAX_LEVELS) return `at most ${MAX_LEVELS} levels deep`
    if (values > MAX_VALUES) return `of at most ${MAX_VALUES} values`
    level = level.flatMap(valuesIn)
  }
  return undefined
}

const none: readonly unknown[] = []

const valuesIn = (value: unknown): readonly unknown[] => {
  if (value === null || typeof value !== 'object') return none
  return Array.isArray(value) ? value : Object.values(value)
}
