import type { z } from 'zod'
import { nearest } from './errors.js'

export type Path = readonly (string | number)[]

/** Something in a scenario that cannot be. The path leads to it in the document. */
export interface Diagnostic {
  readonly path: Path
  /** The key at the path is meant rather than its value. */
  readonly isKey?: boolean
  /** A sentence without a full stop. */
  readonly message: string
}

/** A name that does not exist, with the one that was probably meant and all that do. */
export const unknownName = (
  path: Path,
  kind: string,
  found: string,
  possible: readonly string[],
): Diagnostic => ({
  path,
  message: `there is no ${kind} ${JSON.stringify(found)}${suggestion(found, possible)}`,
})

/** A key that does not exist, in the same words. */
export const unknownKey = (found: string, possible: readonly string[]): string =>
  `there is no key ${JSON.stringify(found)} here${suggestion(found, possible)}`

/** The name that was probably meant; undefined when none is near. */
export const suggest = (found: string, possible: readonly string[]): string | undefined => {
  // Whoever wrote `prob` began to write `probability`, though `from` has fewer letters that differ.
  const begun = found.length > 2 ? possible.find((name) => name.startsWith(found)) : undefined
  return begun ?? nearest(found, possible)
}

export const suggestion = (found: string, possible: readonly string[]): string => {
  const meant = suggest(found, possible)
  if (meant === undefined) return possible.length === 0 ? '' : `: possible are ${possible.join(', ')}`
  const others = possible.filter((name) => name !== meant)
  return `: did you mean ${meant}?${others.length === 0 ? '' : ` Also possible: ${others.join(', ')}`}`
}

type Schema = z.core.$ZodType

/** The keys that a schema knows at a path of a document, of all shapes that can stand there. */
export const keysAt = (schema: Schema, path: readonly PropertyKey[]): string[] => [
  ...new Set(schemasAt(schema, path).flatMap((one) => Object.keys(shapeOf(one) ?? {}))),
]

const schemasAt = (schema: Schema, path: readonly PropertyKey[]): Schema[] =>
  path.reduce<Schema[]>((found, key) => found.flatMap((one) => below(one, key)), bare(schema)).flatMap(bare)

const below = (schema: Schema, key: PropertyKey): Schema[] => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'array') return bare(def.element)
  const inner = shapeOf(schema)?.[String(key)]
  return inner === undefined ? [] : bare(inner)
}

const shapeOf = (schema: Schema): Readonly<Record<string, Schema>> | undefined => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  return def.type === 'object' ? def.shape : undefined
}

/** A schema without what says that it may be left out, and each way of a union. */
const bare = (schema: Schema): Schema[] => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'default':
    case 'optional':
    case 'nullable':
      return bare(def.innerType)
    case 'union':
      return def.options.flatMap(bare)
    default:
      return [schema]
  }
}
