import { z } from 'zod'

/** A schema as OpenAPI 3.1 writes it: JSON Schema 2020-12, as much of it as is used here. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly not?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  /** Of a tuple. */
  readonly prefixItems?: readonly JsonSchema[]
  readonly contentMediaType?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  /** How the published types write it, where JSON Schema says less. Not part of documents. */
  readonly 'x-type'?: string
  readonly discriminator?: {
    readonly propertyName: string
    readonly mapping: Readonly<Record<string, string>>
  }
}

export type Schemas = Readonly<Record<string, JsonSchema>>

/** `input`: what a client sends; fields with a default are optional. `output`: what it gets. */
type Side = 'input' | 'output'

export const SCHEMAS = '#/components/schemas/'

export const refTo = (name: string): JsonSchema => ({ $ref: `${SCHEMAS}${name}` })

/** Schemas by name, each naming the others where it holds them. */
export const namedSchemas = (named: Readonly<Record<string, z.ZodType>>, io: Side): Schemas => {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { ...options(io), uri: (id) => `${SCHEMAS}${id}` })
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutMetadata(schema)]))
}

/** Schema of a request body: each optional field may be null too, which counts as not sent (gap X13). */
export const withNullableFields = (schema: JsonSchema): JsonSchema => {
  const { anyOf, oneOf, items, properties, required = [] } = schema
  const field = ([name, inner]: [string, JsonSchema]) => {
    const walked = withNullableFields(inner)
    return [name, required.includes(name) ? walked : nullable(walked)]
  }
  return {
    ...schema,
    ...(anyOf && { anyOf: anyOf.map(withNullableFields) }),
    ...(oneOf && { oneOf: oneOf.map(withNullableFields) }),
    ...(items && { items: withNullableFields(items) }),
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(field)) }),
  }
}

const NULL: JsonSchema = { type: 'null' }

/** A schema that takes null too. One that says nothing of the value takes it already. */
const nullable = (schema: JsonSchema): JsonSchema => {
  const { description, default: usual, ...values } = schema
  if (isUnknown(values)) return schema
  if (values.anyOf !== undefined) return { ...schema, anyOf: [...values.anyOf, NULL] }
  // Limits say nothing of null, but a `not` around them refuses it.
  if (typeof values.type === 'string' && values.not === undefined && values.const === undefined)
    return {
      ...schema,
      type: [values.type, 'null'],
      ...(values.enum && { enum: [...values.enum, null] }),
    }
  return {
    ...(description === undefined ? {} : { description }),
    ...(usual === undefined ? {} : { default: usual }),
    anyOf: [values, NULL],
  }
}

/** JSON Schema of a zod schema, written out in full. */
export const toJsonSchema = (schema: z.ZodType, io: Side): JsonSchema =>
  withoutMetadata(z.toJSONSchema(schema, options(io)))

const withoutMetadata = (schema: object): JsonSchema => {
  const { $schema: _, $id: _id, ...rest } = schema as Record<string, unknown>
  return rest
}

/**
 * Converts schemas that share named parts: `schemas` in full by key, `named` those within them that have a name
 * (`meta({ id })`). `hasTypes` keeps `x-type`, for generators.
 */
export const schemaSet = (
  schemas: Readonly<Record<string, z.ZodType>>,
  io: Side,
  { hasTypes = false }: { readonly hasTypes?: boolean } = {},
): { readonly schemas: Schemas; readonly named: Schemas } => {
  const converted = z.toJSONSchema(z.object(schemas), {
    ...options(io),
    ...(hasTypes ? { override: overrideSchema } : {}),
  })
  const text = JSON.stringify(converted, (key, value) => (key === 'x-type' && !hasTypes ? undefined : value))
  const { properties, $defs } = JSON.parse(text.replaceAll('"#/$defs/', `"${SCHEMAS}`))
  return { schemas: properties, named: $defs ?? {} }
}

type Overridden = Parameters<NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>>[0]

const options = (io: Side) => ({ io, unrepresentable: 'any', override: overrideDocumentSchema }) as const

const overrideDocumentSchema = (overridden: Overridden): void => {
  overrideSchema(overridden)
  // An unknown value may be undefined, which JSON omits.
  const { required, properties = {} } = overridden.jsonSchema
  if (required !== undefined)
    overridden.jsonSchema.required = required.filter((name) => !isUnknown(properties[name]))
}

const overrideSchema = ({ zodSchema, jsonSchema }: Overridden): void => {
  const { def } = zodSchema._zod as { def: z.core.$ZodTypeDef & { catchall?: unknown; format?: string } }
  // Answers may grow; only what was declared strict refuses unknown keys.
  if (jsonSchema.additionalProperties === false && def.catchall === undefined)
    delete jsonSchema.additionalProperties
  // zod writes the limits of safe integers for an integer without limits of its own.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  jsonSchema.description ??= descriptionOfChecks(def)
  if (jsonSchema.description === undefined) delete jsonSchema.description
}

const isUnknown = (schema: object | boolean | undefined): boolean =>
  Object.keys(schema ?? {}).every((key) => key === 'description')

// What JSON Schema cannot say is said in the words of the refusal: "an integer from 4 to 15, or -1".
const descriptionOfChecks = (def: z.core.$ZodTypeDef & { format?: string }): string | undefined => {
  const custom = def.checks?.find(({ _zod }) => _zod.def.check === 'custom')
  return (
    messageOf(custom?._zod.def.error as ErrorWords) ??
    (def.format === 'url' ? messageOf(def.error as ErrorWords) : undefined)
  )
}

type ErrorWords = ((issue: object) => string | { message: string } | null | undefined) | undefined

const messageOf = (error: ErrorWords): string | undefined => {
  const said = error?.({ code: 'custom', path: [] })
  return typeof said === 'string' ? said : (said?.message ?? undefined)
}
