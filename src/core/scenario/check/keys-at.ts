import type { z } from 'zod'

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
