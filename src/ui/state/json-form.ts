/** JSON Schema as far as forms read it. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly minItems?: number
  readonly default?: unknown
  readonly description?: string
}

type Key = string | number
export type JsonPath = readonly Key[]

/** A path as refusals name it: `content[0].image_url.url`. */
export const pathText = (path: JsonPath): string =>
  path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('')

/** A copy with another value at a path; undefined removes it. */
export const withValue = (root: unknown, [key, ...rest]: JsonPath, value: unknown): unknown => {
  if (key === undefined) return value
  if (Array.isArray(root)) {
    const changed = withValue(root[Number(key)], rest, value)
    const isRemoved = rest.length === 0 && value === undefined
    return isRemoved ? root.filter((_, index) => index !== key) : root.toSpliced(Number(key), 1, changed)
  }
  const { [String(key)]: current, ...others } = isObject(root) ? root : {}
  const changed = withValue(current, rest, value)
  if (changed === undefined) return others
  return isObject(root) && key in root ? { ...root, [key]: changed } : { ...others, [key]: changed }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The variants of a schema: its own, or those of its union. */
export const variantsOf = (schema: Schema): readonly Schema[] => schema.oneOf ?? schema.anyOf ?? [schema]

/** The values of an enum or a constant; empty: any. */
export const allowedValues = (schema: Schema): readonly unknown[] =>
  schema.enum ?? (schema.const === undefined ? [] : [schema.const])

/** The variant of a union that a value is of: its constants agree, and its type does. */
export const variantFor = (schema: Schema, value: unknown): Schema =>
  variantsOf(schema).find((variant) => isOf(variant, value)) ?? variantsOf(schema)[0] ?? schema

const isOf = (schema: Schema, value: unknown): boolean => {
  if (schema.oneOf !== undefined || schema.anyOf !== undefined)
    return variantsOf(schema).some((variant) => isOf(variant, value))
  if (schema.properties === undefined) return [schema.type ?? typeOf(value)].flat().includes(typeOf(value))
  return (
    isObject(value) &&
    Object.entries(schema.properties).every(([name, property]) => {
      const allowed = allowedValues(property)
      return allowed.length === 0 || value[name] === undefined || allowed.includes(value[name])
    })
  )
}

const typeOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array'
  if (value === null) return 'null'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** Initial value for a schema: its default, else what is required, with the first of the allowed values. */
export const initialValue = (schema: Schema): unknown => {
  const { type, properties, required = [], items, minItems = 0, minimum } = schema
  const [first] = variantsOf(schema)
  if (first !== undefined && first !== schema) return initialValue(first)
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (properties !== undefined)
    return Object.fromEntries(required.map((name) => [name, initialValue(properties[name] ?? {})]))
  const [kind] = [type ?? 'string'].flat()
  if (kind === 'array') return minItems > 0 && items !== undefined ? [initialValue(items)] : []
  if (kind === 'number' || kind === 'integer') return minimum ?? 0
  if (kind === 'boolean') return true
  return kind === 'object' ? {} : ''
}

/** Name of a variant of a union: its constant, or its type. */
export const variantName = (schema: Schema): string => {
  const constants = Object.values(schema.properties ?? {}).map((property) => property.const)
  return String(constants.find((constant) => constant !== undefined) ?? [schema.type ?? 'value'].flat()[0])
}
