import type { z } from 'zod'
import type { AnyTaskFamily, Operation, StatedRule } from '../core/contract.js'
import { ControlError } from '../core/control-error.js'
import type { JsonSchema } from '../core/json-schema.js'
import { resultRules } from '../core/result/result-url.js'
import { isNamed } from '../core/scenario/selector.js'
import { suggest, suggestion } from '../core/suggest.js'
import { listQuerySchema } from '../core/task/list.js'
import { precheckRules } from '../service/prechecks.js'
import type { ControlContext } from './action.js'
import { fieldsOf } from './schema-fields.js'

/** A rule as users read it; `id` is the one that the journal names. */
interface RuleRecord {
  readonly id: string
  readonly family: string
  readonly sentence: string
  readonly place: string
}

/** Reads a zod schema as what a client may send. Handed in, since what does it is loaded at first use. */
type ReadSchema = (schema: z.ZodType) => JsonSchema

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

/** What a filter may name; every part may be left out. */
interface FilterNames {
  readonly operation?: string | undefined
  readonly family?: string | undefined
  /** A rule, or the beginning of one, or `any`. */
  readonly problem?: string | undefined
}

/**
 * A filter that names what there is not would find nothing, and whoever expects nothing would be content.
 * @throws ControlError `unknown-operation`, `unknown-family` or `unknown-rule`
 */
export const validateFilters = async (
  emulator: Pick<ControlContext, 'catalogue' | 'operations' | 'families'>,
  { operation, family, problem }: FilterNames,
): Promise<void> => {
  const { operations } = emulator.catalogue
  if (operation !== undefined && !operations.some((one) => isNamed(operation, one)))
    throw unknown('operation', operation, operations)
  const families = emulator.families.map(({ id }) => id)
  if (family !== undefined && !families.includes(family)) throw unknown('family', family, families)
  if (problem !== undefined && problem !== 'any') await refuseUnknownRule(emulator, problem)
}

const unknown = (kind: string, found: string, possible: readonly string[]): ControlError =>
  new ControlError(
    400,
    `unknown-${kind}`,
    `There is no ${kind} ${JSON.stringify(found)}${suggestion(found, possible)}.`,
  )

const refuseUnknownRule = async (
  { operations, families }: Pick<ControlContext, 'operations' | 'families'>,
  problem: string,
): Promise<void> => {
  const { toJsonSchema } = await import('../core/json-schema.js')
  const rules = allRules(operations, families, (schema) => toJsonSchema(schema, 'input')).map(({ id }) => id)
  // Fields within those that are listed have rules too; the shape as a whole is no such field.
  const fields = rules.filter((id) => !id.endsWith('.schema'))
  if (rules.some((id) => id.startsWith(problem)) || fields.some((id) => problem.startsWith(`${id}.`))) return
  // There are hundreds, so that only the one that was meant is named.
  const meant = suggest(problem, rules)
  throw new ControlError(
    400,
    'unknown-rule',
    `There is no rule ${JSON.stringify(problem)}${meant === undefined ? '.' : `: did you mean ${meant}?`}`,
    'GET /_backlot/rules lists them; the beginning of one is enough, and any stands for all.',
  )
}
