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
    const isGone = rest.length === 0 && value === undefined
    return isGone ? root.filter((_, index) => index !== key) : root.toSpliced(Number(key), 1, changed)
  }
  const { [String(key)]: inner, ...others } = isObject(root) ? root : {}
  const changed = withValue(inner, rest, value)
  if (changed === undefined) return others
  return isObject(root) && key in root ? { ...root, [key]: changed } : { ...others, [key]: changed }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The variants of a schema: its own, or those of its union. */
export const variantsOf = (schema: Schema): readonly Schema[] => schema.oneOf ?? schema.anyOf ?? [schema]

/** The variant of a union that a value is of: its fixed words agree, and its type does. */
export const variantFor = (schema: Schema, value: unknown): Schema =>
  variantsOf(schema).find((variant) => fits(variant, value)) ?? variantsOf(schema)[0] ?? schema

const fits = (schema: Schema, value: unknown): boolean => {
  if (schema.oneOf !== undefined || schema.anyOf !== undefined)
    return variantsOf(schema).some((variant) => fits(variant, value))
  if (schema.properties === undefined) return [schema.type ?? typeOf(value)].flat().includes(typeOf(value))
  return (
    isObject(value) &&
    Object.entries(schema.properties).every(([name, inner]) => {
      const words = inner.enum ?? (inner.const === undefined ? [] : [inner.const])
      return words.length === 0 || value[name] === undefined || words.includes(value[name])
    })
  )
}

const typeOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array'
  if (value === null) return 'null'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** A value to begin with: what is required, with the first of the words that are possible. */
export const beginningOf = (schema: Schema): unknown => {
  const { type, properties, required = [], items, minItems = 0, minimum } = schema
  const [first] = variantsOf(schema)
  if (first !== undefined && first !== schema) return beginningOf(first)
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (properties !== undefined)
    return Object.fromEntries(required.map((name) => [name, beginningOf(properties[name] ?? {})]))
  const [kind] = [type ?? 'string'].flat()
  if (kind === 'array') return minItems > 0 && items !== undefined ? [beginningOf(items)] : []
  if (kind === 'number' || kind === 'integer') return minimum ?? 0
  if (kind === 'boolean') return true
  return kind === 'object' ? {} : ''
}

/** What a variant of a union is called: its fixed word, or its type. */
export const variantName = (schema: Schema): string => {
  const fixed = Object.values(schema.properties ?? {}).find((inner) => inner.const !== undefined)
  return String(fixed?.const ?? [schema.type ?? 'value'].flat()[0])
}

/** The values that are filled in for the names of a route, where a path is of it; undefined where it is not. */
export const routeParams = (route: string, path: string): Record<string, string> | undefined => {
  const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  const match = new RegExp(`^${route.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(path)
  return match === null
    ? undefined
    : Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? '')]))
}
