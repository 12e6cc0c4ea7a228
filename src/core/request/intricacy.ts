const MOST_LEVELS = 100
const MOST_VALUES = 10_000

/**
 * What a body would have to be to be looked at, in words; undefined where it is that. No client sends more, and what is
 * deeper or wider would exhaust the stack of whatever walks it.
 */
export const tooIntricate = (body: unknown): string | undefined => {
  let level = [body]
  let values = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    values += level.length
    if (depth > MOST_LEVELS) return `at most ${MOST_LEVELS} levels deep`
    if (values > MOST_VALUES) return `of at most ${MOST_VALUES} values`
    level = level.flatMap(valuesIn)
  }
  return undefined
}

const valuesIn = (value: unknown): unknown[] =>
  value !== null && typeof value === 'object' ? Object.values(value) : []
