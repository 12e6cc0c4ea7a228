import { z } from 'zod'
import type { AnyTaskFamily } from '../../core/task/family.js'
import type { Rule } from '../../core/task/rule.js'

/** A rule as users read it. */
export interface ShownRule {
  readonly id: string
  readonly family: string
  readonly sentence: string
  readonly place: string
}

/** Every rule of a family: what its schema asks of each field, and what its rules ask beyond that. */
export const rulesOf = (family: AnyTaskFamily): readonly ShownRule[] => {
  const rules = known.get(family) ?? listed(family)
  known.set(family, rules)
  return rules
}

// They never change, and reading them off the schema takes longer than most calls.
const known = new WeakMap<AnyTaskFamily, readonly ShownRule[]>()

const listed = (family: AnyTaskFamily): ShownRule[] => [
  ...schemaRules(family),
  ...family.rules.map(({ id, says, place }: Rule<unknown>) => ({
    id: `${family.id}.${id}`,
    family: family.id,
    sentence: says,
    place,
  })),
]

interface JsonSchema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

const schemaRules = (family: AnyTaskFamily): ShownRule[] => {
  const schema = z.toJSONSchema(family.schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  return fieldsOf(schema, '').map(({ field, sentence }) => ({
    id: `${family.id}.schema.${field}`,
    family: family.id,
    sentence: `\`${field}\` is ${sentence}.`,
    place: `§${family.section}`,
  }))
}

interface Field {
  readonly field: string
  readonly sentence: string
}

const fieldsOf = (schema: JsonSchema, path: string): Field[] => {
  const inner = schema.items === undefined ? [] : fieldsOf(schema.items, `${path}[]`)
  const variants = (schema.oneOf ?? schema.anyOf ?? []).flatMap((one) => fieldsOf(one, path))
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const field = path === '' ? name : `${path}.${name}`
    const isRequired = schema.required?.includes(name) === true
    return [{ field, sentence: sentenceOf(property, isRequired) }, ...fieldsOf(property, field)]
  })
  return uniqueByField([...own, ...variants, ...inner])
}

const uniqueByField = (fields: readonly Field[]): Field[] => [
  ...new Map(fields.map((field) => [field.field, field])).values(),
]

const sentenceOf = (schema: JsonSchema, isRequired: boolean): string =>
  [
    isRequired ? 'required' : 'optional',
    kindOf(schema),
    ...bounds(schema),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ].join(', ')

const kindOf = ({ type, enum: values, const: value, anyOf, oneOf }: JsonSchema): string => {
  if (value !== undefined) return `always ${JSON.stringify(value)}`
  if (values !== undefined) return `one of ${values.map(String).join(', ')}`
  if (anyOf !== undefined || oneOf !== undefined) return 'one of several shapes'
  return type === undefined ? 'of any type' : `of type ${type}`
}

const bounds = (schema: JsonSchema): string[] => [
  ...range('', schema.minimum, bounded(schema.maximum)),
  ...range(' characters', schema.minLength, schema.maxLength),
  ...range(' items', schema.minItems, schema.maxItems),
]

// zod writes the limits of safe integers for an integer without limits of its own.
const bounded = (maximum: number | undefined): number | undefined =>
  maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum

const range = (unit: string, least: number | undefined, most: number | undefined): string[] => {
  const isLeast = least !== undefined && least !== Number.MIN_SAFE_INTEGER
  if (isLeast && most !== undefined)
    return [least === most ? `${least}${unit}` : `${least} to ${most}${unit}`]
  if (isLeast) return [`at least ${least}${unit}`]
  return most === undefined ? [] : [`at most ${most}${unit}`]
}
