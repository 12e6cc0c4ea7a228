const MOST_DEPTH = 8

/**
 * The prompt of a request body of any family: what stands under `text` or `prompt`, in order, joined by line breaks.
 * Undefined where there is none. It is read before the shape is known, so that steps can act on calls that are refused.
 */
export const promptIn = (body: unknown): string | undefined => within(undefined, body, 0)

const within = (prompt: string | undefined, value: unknown, depth: number): string | undefined => {
  if (value === null || typeof value !== 'object' || depth > MOST_DEPTH) return prompt
  return Array.isArray(value) ? inList(prompt, value, depth) : inObject(prompt, value, depth)
}

// Items are counted, since naming each would cost several times as much.
const inList = (prompt: string | undefined, list: readonly unknown[], depth: number): string | undefined => {
  let all = prompt
  for (const item of list) if (typeof item === 'object') all = within(all, item, depth + 1)
  return all
}

// Keys are walked in place, since lists of them would be most of what a call with a scenario leaves behind.
const inObject = (prompt: string | undefined, value: object, depth: number): string | undefined => {
  let all = prompt
  for (const key in value) {
    const inner = (value as Readonly<Record<string, unknown>>)[key]
    if (typeof inner === 'object') all = within(all, inner, depth + 1)
    else if (typeof inner === 'string' && (key === 'text' || key === 'prompt'))
      all = all === undefined ? inner : `${all}\n${inner}`
  }
  return all
}
