import { isNamed } from '../../core/scenario/about.js'
import { suggest, suggestion } from '../../core/scenario/check/complaint.js'
import type { ControlContext } from './action.js'
import { ControlError } from './control-error.js'
import { allRules } from './rules-list.js'

/** What a filter may name; every part may be left out. */
export interface FilterNames {
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
  const { toJsonSchema } = await import('../../openapi/json-schema.js')
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
