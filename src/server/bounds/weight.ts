/**
 * About how many bytes of memory a JSON value takes. Whoever is asked to forget by it needs no better, and it is worked
 * out on every call.
 */
export const estimateBytes = (value: unknown): number => {
  if (typeof value === 'string') return 16 + value.length
  if (value === null || typeof value !== 'object') return 8
  let sum = 32
  for (const inner of Object.values(value)) sum += 16 + estimateBytes(inner)
  return sum
}
