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
