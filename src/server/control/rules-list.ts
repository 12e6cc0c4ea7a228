import type { z } from 'zod'
import type { Operation } from '../../core/operation.js'
import { resultRules } from '../../core/result/rules.js'
import type { StatedRule } from '../../core/rule.js'
import type { AnyTaskFamily } from '../../core/task/family.js'
import { listQuerySchema } from '../../core/task/list.js'
import type { JsonSchema } from '../../openapi/json-schema.js'
import { precheckRules } from '../http/early-rules.js'
import { fieldsOf } from './schema-fields.js'

/** A rule as users read it; `id` is the one that the journal names. */
export interface RuleRecord {
  readonly id: string
  readonly family: string
  readonly sentence: string
  readonly place: string
}

/** Reads a zod schema as what a client may send. Handed in, since what does it is loaded at first use. */
export type ReadSchema = (schema: z.ZodType) => JsonSchema

/** Every rule that a call can be refused for, of every family: of its key and body, its shape, and what is asked beyond. */
export const allRules = (
  operations: readonly Operation[],
  families: readonly AnyTaskFamily[],
  readSchema: ReadSchema,
): readonly RuleRecord[] => {
  const rules = known.get(operations) ?? listed(operations, families, readSchema)
  known.set(operations, rules)
  return rules
}

// They never change, and reading them off the schemas takes longer than most calls.
const known = new WeakMap<readonly Operation[], readonly RuleRecord[]>()

const listed = (
  operations: readonly Operation[],
  families: readonly AnyTaskFamily[],
  readSchema: ReadSchema,
): readonly RuleRecord[] => {
  const rules = operations.flatMap((operation) => {
    const family = families.find(({ id }) => id === operation.family)
    const shapeRefusalOf = shapeRules(operation, family, readSchema)
    return [...precheckRules(operation), ...shapeRefusalOf, ...(operation.rules ?? [])].map((rule) =>
      shown(operation.family, rule),
    )
  })
  // Operations of a family share some: that a task exists, that there is a key.
  return [...new Map([...rules, ...ofResults, scenarioHeader].map((rule) => [rule.id, rule])).values()]
}

const shown = (family: string, { id, says, place }: StatedRule): RuleRecord => ({
  id: `${family}.${id}`,
  family,
  sentence: says,
  place,
})

// Results are downloaded, which is no operation of a family.
const ofResults = resultRules.map((rule) => shown('results', rule))

const shapeRules = (
  { id }: Operation,
  family: AnyTaskFamily | undefined,
  readSchema: ReadSchema,
): StatedRule[] => {
  if (family === undefined) return []
  if (id === `${family.id}.create`)
    return [bodyShape(family), ...ofFields('schema', readSchema(family.schema), `§${family.section}`)]
  return id === `${family.id}.list`
    ? ofFields('list', readSchema(listQuerySchema), `§${family.section} List`)
    : []
}

const bodyShape = ({ section }: AnyTaskFamily): StatedRule => ({
  id: 'schema',
  says: 'The body is an object, and neither too deep nor of too many values.',
  place: `§${section}, gap N12`,
})

const ofFields = (part: string, schema: JsonSchema, place: string): StatedRule[] =>
  fieldsOf(schema).map(({ field, sentence }) => ({
    id: `${part}.${field}`,
    says: `\`${field}\` is ${sentence}.`,
    place,
  }))

// Of no family: the header is the emulator's own.
const scenarioHeader: RuleRecord = {
  id: 'emulator.scenario-header',
  family: 'emulator',
  sentence: 'The scenario that the header of a call names is there.',
  place: 'docs/scenarios.md',
}
