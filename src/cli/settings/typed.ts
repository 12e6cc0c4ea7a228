import type { z } from 'zod'

/**
 * A text as the type that a setting has: numbers, booleans and null by their spelling, lists at their commas, objects
 * (and lists, where they are) as JSON. What is not spelt so stays a text, which the setting then refuses.
 */
export const typedBy = (schema: z.core.$ZodType, text: string): unknown => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'default':
    case 'optional':
      return typedBy(def.innerType, text)
    case 'nullable':
      return text === 'null' ? null : typedBy(def.innerType, text)
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
    case 'boolean':
      return booleans.get(text.toLowerCase()) ?? text
    case 'array':
      return fromJson(text, '[') ?? listed(def.element, text)
    case 'union':
    case 'record':
      return fromJson(text, '{') ?? text
    default:
      return text
  }
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

const listed = (element: z.core.$ZodType, text: string): unknown[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => typedBy(element, item))

// `[[moderation]]` is a word and no JSON.
const fromJson = (text: string, opening: '[' | '{'): unknown => {
  if (!text.startsWith(opening)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
