/**
 * About how many bytes of memory a JSON value takes. Whoever is asked to forget by it needs no better, and it is worked
 * out on every call.
 */
export const weightOf = (value: unknown): number => {
  if (typeof value === 'string') return 16 + value.length
  if (value === null || typeof value !== 'object') return 8
  let sum = 32
  for (const inner of Object.values(value)) sum += 16 + weightOf(inner)
  return sum
}
