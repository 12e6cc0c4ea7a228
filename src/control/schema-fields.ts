import type { JsonSchema } from '../core/json-schema.js'

/** A field of a request with what its schema asks of it: "required, of type string". */
interface SchemaField {
  /** Its path, with `[]` for the items of a list. */
  readonly field: string
  readonly sentence: string
}

/** Every field that a schema knows, in its order; what the variants of a union say of the same field is one sentence. */
export const fieldsOf = (schema: JsonSchema): SchemaField[] => {
  const mediaRefs = within(schema, '')
  return [...new Set(mediaRefs.map(({ field }) => field))].map((field) => ({
    field,
    sentence: sentenceOf(
      mediaRefs.filter((mention) => mention.field === field),
      mediaRefs,
    ),
  }))
}

/** What one place of a schema says of a field. */
interface MediaRef {
  readonly field: string
  readonly schema: JsonSchema
  /** Undefined for the items of a list. */
  readonly isRequired: boolean | undefined
  /** Undefined outside unions whose variants are told apart by a field. */
  readonly variant: Variant | undefined
}

/** The field that tells the variants of a union apart, and what stands there in this one. */
interface Variant {
  readonly by: string
  readonly path: string
  readonly values: readonly unknown[]
}

const within = (schema: JsonSchema, path: string, variant?: Variant): MediaRef[] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
    mentioned(
      inner,
      path === '' ? name : `${path}.${name}`,
      schema.required?.includes(name) === true,
      variant,
    ),
  ),
  ...(schema.items === undefined ? [] : mentioned(schema.items, `${path}[]`, undefined, variant)),
  ...variantsOf(schema).flatMap((one) => within(one, path, variantOf(one, path) ?? variant)),
]

const mentioned = (
  schema: JsonSchema,
  field: string,
  isRequired: boolean | undefined,
  variant: Variant | undefined,
): MediaRef[] => [{ field, schema, isRequired, variant }, ...within(schema, field, variant)]

const variantsOf = ({ oneOf, anyOf }: JsonSchema): readonly JsonSchema[] => oneOf ?? anyOf ?? []

const variantOf = ({ properties = {} }: JsonSchema, path: string): Variant | undefined => {
  const [by, schema] = Object.entries(properties).find(([, inner]) => wordsOf(inner).length > 0) ?? []
  return by === undefined || schema === undefined
    ? undefined
    : { by, path: `${path}.${by}`, values: wordsOf(schema) }
}

const wordsOf = ({ const: value, enum: values }: JsonSchema): readonly unknown[] =>
  values ?? (value === undefined ? [] : [value])

const sentenceOf = (same: readonly MediaRef[], all: readonly MediaRef[]): string => {
  const { field, schema, isRequired, variant } = same[0] as MediaRef
  if (variant === undefined) return describeField(schema, isRequired)
  const words = same.flatMap((one) => one.variant?.values ?? [])
  if (field === variant.path) return describeField({ enum: words }, isRequired)
  const isInEach = same.length === all.filter((one) => one.field === variant.path).length
  return `${describeField(schema, isRequired)}${isInEach ? '' : `, where \`${variant.by}\` is ${words.join(', ')}`}`
}

const describeField = (schema: JsonSchema, isRequired: boolean | undefined): string =>
  [
    ...(isRequired === undefined ? [] : [isRequired ? 'required' : 'optional']),
    describeType(schema),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ].join(', ')

const describeType = (schema: JsonSchema): string => {
  const { type, description, const: value, enum: values } = schema
  // What the schema says in words of its own says more than its type.
  if (description !== undefined) return description
  if (value !== undefined) return `always ${JSON.stringify(value)}`
  if (values !== undefined) return `one of ${values.map(String).join(', ')}`
  const variants = variantsOf(schema)
  if (variants.some(({ properties }) => properties !== undefined)) return 'of one of several shapes'
  if (variants.length > 0) return variants.map(describeType).join(', or ')
  return [
    type === undefined ? 'of any type' : `of type ${[type].flat().join(' or ')}`,
    ...bounds(schema),
  ].join(', ')
}

const bounds = (schema: JsonSchema): string[] => [
  ...range('', schema.minimum, schema.maximum),
  ...range(' character', schema.minLength, schema.maxLength),
  ...range(' item', schema.minItems, schema.maxItems),
]

const range = (noun: string, least: number | undefined, most: number | undefined): string[] => {
  if (least === undefined && most === undefined) return []
  const counted = noun === '' || (most ?? least) === 1 ? noun : `${noun}s`
  if (least === undefined) return [`at most ${most}${counted}`]
  if (most === undefined) return [`at least ${least}${counted}`]
  return [least === most ? `exactly ${least}${counted}` : `${least} to ${most}${counted}`]
}
