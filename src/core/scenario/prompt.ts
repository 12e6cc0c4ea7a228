const MOST_DEPTH = 8

/**
 * The prompt of a request body of any family: what stands under `text` or `prompt`, in order, joined by line breaks.
 * Undefined where there is none. It is read before the shape is known, so that steps can act on calls that are refused.
 */
export const promptIn = (body: unknown): string | undefined => {
  const texts: string[] = []
  collect(body, texts, 0)
  return texts.length === 0 ? undefined : texts.join('\n')
}

const collect = (value: unknown, texts: string[], depth: number): void => {
  if (value === null || typeof value !== 'object' || depth > MOST_DEPTH) return
  for (const [key, inner] of Object.entries(value))
    if (typeof inner !== 'string') collect(inner, texts, depth + 1)
    else if (key === 'text' || key === 'prompt') texts.push(inner)
}
