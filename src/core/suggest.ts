import type { z } from 'zod'
import { nearest } from './errors.js'

/** Suggestion for a misspelt name: the name that was probably meant; undefined when none is near. */
export const suggest = (found: string, possible: readonly string[]): string | undefined => {
  // `prob` is the beginning of `probability`, though fewer letters differ from `from`.
  const begun = found.length > 2 ? possible.find((name) => name.startsWith(found)) : undefined
  return begun ?? nearest(found, possible)
}

/** The end of a message about an unknown name: `: did you mean …?`, or what is possible. */
export const suggestion = (found: string, possible: readonly string[]): string => {
  const meant = suggest(found, possible)
  if (meant === undefined) return possible.length === 0 ? '' : `: possible are ${possible.join(', ')}`
  const others = possible.filter((name) => name !== meant)
  return `: did you mean ${meant}?${others.length === 0 ? '' : ` Also possible: ${others.join(', ')}`}`
}

/** Message about an unknown key. */
export const unknownKey = (found: string, possible: readonly string[]): string =>
  `there is no key ${JSON.stringify(found)} here${suggestion(found, possible)}`

type Schema = z.core.$ZodType

/** The keys that a zod schema knows at a path of a document, of all shapes that can stand there. */
export const keysAt = (schema: Schema, path: readonly PropertyKey[]): string[] => {
  const schemas = path.reduce<readonly Schema[]>(
    (found, key) => found.flatMap((one) => below(one, key)),
    unwrapped(schema),
  )
  return [...new Set(schemas.flatMap((one) => Object.keys(shapeOf(one) ?? {})))]
}

const below = (schema: Schema, key: PropertyKey): readonly Schema[] => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'array') return unwrapped(def.element)
  const inner = shapeOf(schema)?.[String(key)]
  return inner === undefined ? [] : unwrapped(inner)
}

const shapeOf = (schema: Schema): Readonly<Record<string, Schema>> | undefined => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  return def.type === 'object' ? def.shape : undefined
}

/** A schema without what makes it optional, and each option of a union. */
const unwrapped = (schema: Schema): readonly Schema[] => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'default':
    case 'optional':
    case 'nullable':
      return unwrapped(def.innerType)
    case 'union':
      return def.options.flatMap(unwrapped)
    default:
      return [schema]
  }
}
