import type { AnyTaskFamily, Operation, StatedRule } from '../core/contract.js'
import { ControlError } from '../core/errors.js'
import { type JsonSchema, toJsonSchema } from '../core/json-schema.js'
import { resultRules } from '../core/result.js'
import { isNamed, RESULTS } from '../core/scenario/selector.js'
import { suggestion, unknownRule } from '../core/suggest.js'
import { listQuerySchema } from '../core/task/read.js'
import { pageOf } from '../core/task/refusals.js'
import type { Registry } from '../families/registry.js'
import { precheckRules, scenarioHeaderRule } from '../service/identify.js'

/** Rule record: a rule as users read it; `id` is the one that the journal names. */
interface RuleRecord {
  readonly id: string
  readonly family: string
  readonly sentence: string
  readonly place: string
}

/** Rules of operations: prechecks of key and body, the schema, and the family's own rules, in the order of checking. */
export const rulesOf = (
  operations: readonly Operation[],
  families: readonly AnyTaskFamily[],
): readonly RuleRecord[] => {
  const rules = operations.flatMap((operation) => {
    const family = families.find(({ id }) => id === operation.family)
    return [...precheckRules(operation), ...shapeRules(operation, family), ...(operation.rules ?? [])].map(
      (rule) => ruleRecordOf(operation.family, rule),
    )
  })
  // Operations of a family share rules, such as that the task exists.
  return [...new Map([...rules, ...rulesBeside].map((rule) => [rule.id, rule])).values()]
}

// By the operations, since the families of a registry can be replaced.
const listed = new WeakMap<Registry['operations'], readonly RuleRecord[]>()

/** Every rule of every family. Made once: reading them off the schemas takes longer than most calls. */
export const allRules = ({ operations, taskFamilies }: Registry): readonly RuleRecord[] => {
  const rules = listed.get(operations) ?? rulesOf(operations, taskFamilies)
  listed.set(operations, rules)
  return rules
}

const ruleRecordOf = (family: string, { id, says, place }: StatedRule): RuleRecord => ({
  id: `${family}.${id}`,
  family,
  sentence: says,
  place,
})

// Results are downloaded, which is no operation of a family, and the header with a scenario is the emulator's own.
const rulesBeside: readonly RuleRecord[] = [
  ...Object.values(resultRules).map((rule) => ruleRecordOf(RESULTS, rule)),
  ruleRecordOf('emulator', scenarioHeaderRule),
]

const shapeRules = ({ id }: Operation, family: AnyTaskFamily | undefined): StatedRule[] => {
  if (family === undefined) return []
  if (id === `${family.id}.create`)
    return [bodyShape(family), ...fieldRules('schema', toJsonSchema(family.schema, 'input'), pageOf(family))]
  return id === `${family.id}.list`
    ? fieldRules('list', toJsonSchema(listQuerySchema, 'input'), `${pageOf(family)}#list`)
    : []
}

const bodyShape = (family: AnyTaskFamily): StatedRule => ({
  id: 'schema',
  says: 'The body is an object, and neither too deep nor of too many values.',
  place: `${pageOf(family)}, docs/gaps.md#n12`,
})

const fieldRules = (part: string, schema: JsonSchema, place: string): StatedRule[] =>
  fieldsOf(schema).map(({ field, sentence }) => ({
    id: `${part}.${field}`,
    says: `\`${field}\` is ${sentence}.`,
    place,
  }))

interface FilterNames {
  readonly operation?: string | undefined
  readonly family?: string | undefined
  /** A rule, or the beginning of one, or `any`. */
  readonly problem?: string | undefined
}

/**
 * Rejects unknown names in a filter: a typo would match nothing and make an assertion that nothing came pass.
 * @throws ControlError `unknown-operation`, `unknown-family` or `unknown-rule`
 */
export const validateFilters = (registry: Registry, { operation, family, problem }: FilterNames): void => {
  const names = registry.catalogue.operations
  if (operation !== undefined && !names.some((name) => isNamed(operation, name)))
    throw unknown('operation', operation, names)
  const families = registry.taskFamilies.map(({ id }) => id)
  if (family !== undefined && !families.includes(family)) throw unknown('family', family, families)
  if (problem !== undefined && problem !== 'any') validateRule(registry, problem)
}

const unknown = (kind: 'operation' | 'family', name: string, possible: readonly string[]): ControlError =>
  new ControlError(400, kind === 'family' ? 'unknown-family' : 'unknown-operation', {
    message: `There is no ${kind} ${JSON.stringify(name)}${suggestion(name, possible)}.`,
  })

const validateRule = (registry: Registry, problem: string): void => {
  const ids = allRules(registry).map(({ id }) => id)
  const message = unknownRule(problem, ids, (id) => id.startsWith(problem))
  if (message === undefined) return
  throw new ControlError(400, 'unknown-rule', {
    message,
    hint: 'GET /_backlot/rules lists them; the beginning of one is enough, and any stands for all.',
  })
}

/** Fields of a schema in its order, each with a sentence; a field that several variants of a union have gets one sentence. */
const fieldsOf = (schema: JsonSchema): { readonly field: string; readonly sentence: string }[] => {
  const fields = collectFields(schema, '')
  return [...new Set(fields.map(({ field }) => field))].map((field) => {
    const schemas = fields.filter((schema) => schema.field === field)
    return { field, sentence: sentenceOf(schemas, fields) }
  })
}

interface FieldSchema {
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

const collectFields = (schema: JsonSchema, path: string, variant?: Variant): FieldSchema[] => {
  const { properties = {}, required = [], items } = schema
  const fields = Object.entries(properties).map(([name, inner]): FieldSchema => {
    const field = path === '' ? name : `${path}.${name}`
    return { field, schema: inner, isRequired: required.includes(name), variant }
  })
  if (items !== undefined) fields.push({ field: `${path}[]`, schema: items, isRequired: undefined, variant })
  return [
    ...fields.flatMap((field) => [field, ...collectFields(field.schema, field.field, variant)]),
    ...variantsOf(schema).flatMap((option) =>
      collectFields(option, path, variantOf(option, path) ?? variant),
    ),
  ]
}

const variantsOf = ({ oneOf, anyOf }: JsonSchema): readonly JsonSchema[] => oneOf ?? anyOf ?? []

const variantOf = ({ properties = {} }: JsonSchema, path: string): Variant | undefined => {
  const [by, schema] = Object.entries(properties).find(([, inner]) => wordsOf(inner).length > 0) ?? []
  return by === undefined || schema === undefined
    ? undefined
    : { by, path: `${path}.${by}`, values: wordsOf(schema) }
}

const wordsOf = ({ const: value, enum: values }: JsonSchema): readonly unknown[] =>
  values ?? (value === undefined ? [] : [value])

/** @param schemas those of one field; `fields` are those of all */
const sentenceOf = (schemas: readonly FieldSchema[], fields: readonly FieldSchema[]): string => {
  const { field, schema, isRequired, variant } = schemas[0] as FieldSchema
  if (variant === undefined) return describeField(schema, isRequired)
  const words = schemas.flatMap(({ variant }) => variant?.values ?? [])
  if (field === variant.path) return describeField({ enum: words }, isRequired)
  const isInEach = schemas.length === fields.filter((other) => other.field === variant.path).length
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
  // A description says more than the type.
  if (description !== undefined) return description
  if (value !== undefined) return `always ${JSON.stringify(value)}`
  if (values !== undefined) return `one of ${values.map(String).join(', ')}`
  const variants = variantsOf(schema)
  if (variants.some(({ properties }) => properties !== undefined)) return 'of one of several shapes'
  if (variants.length > 0) return variants.map(describeType).join(', or ')
  return [
    type === undefined ? 'of any type' : `of type ${[type].flat().join(' or ')}`,
    ...rangeTexts(schema),
  ].join(', ')
}

const rangeTexts = (schema: JsonSchema): string[] => [
  ...range('', schema.minimum, schema.maximum),
  ...range(' character', schema.minLength, schema.maxLength),
  ...range(' item', schema.minItems, schema.maxItems),
]

const range = (noun: string, min: number | undefined, max: number | undefined): string[] => {
  if (min === undefined && max === undefined) return []
  const counted = noun === '' || (max ?? min) === 1 ? noun : `${noun}s`
  if (min === undefined) return [`at most ${max}${counted}`]
  if (max === undefined) return [`at least ${min}${counted}`]
  return [min === max ? `exactly ${min}${counted}` : `${min} to ${max}${counted}`]
}
