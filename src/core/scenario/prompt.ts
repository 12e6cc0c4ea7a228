const MOST_DEPTH = 8

/**
 * The prompt of a request body of any family: what stands under `text` or `prompt`, in order, joined by line breaks.
 * Undefined where there is none. It is read before the shape is known, so that steps can act on calls that are refused.
 */
export const promptIn = (body: unknown): string | undefined => withTexts(undefined, body, 0)

// Keys are walked in place, since lists of them would be most of what a call with a scenario leaves behind.
const withTexts = (prompt: string | undefined, value: unknown, depth: number): string | undefined => {
  if (value === null || typeof value !== 'object' || depth > MOST_DEPTH) return prompt
  let all = prompt
  for (const key in value) {
    const inner = (value as Readonly<Record<string, unknown>>)[key]
    if (typeof inner !== 'string') all = withTexts(all, inner, depth + 1)
    else if (key === 'text' || key === 'prompt') all = all === undefined ? inner : `${all}\n${inner}`
  }
  return all
}
