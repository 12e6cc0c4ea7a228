import type { Operation } from '../../core/operation.js'
import type { AnyTaskFamily } from '../../core/task/family.js'
import type { Rule } from '../../core/task/rule.js'
import { assetLibrary } from '../../families/d-assets/index.js'

/** The rules that a call meets once its shape is right, in their order; empty where there are none. */
export const rulesText = (operation: Operation, family: AnyTaskFamily | undefined): string => {
  const rules = rulesOf(operation, family)
  if (rules.length === 0) return ''
  const lines = rules.map(({ id, says, place }) => `- ${says} (\`${operation.family}.${id}\`, ${place})`)
  return `\`${operation.id}\` refuses what does not keep these rules, in this order:\n\n${lines.join('\n')}`
}

const rulesOf = (
  { id, form }: Operation,
  family: AnyTaskFamily | undefined,
): readonly Pick<Rule<never>, 'id' | 'says' | 'place'>[] => {
  if (form !== undefined) return assetLibrary.rules
  return id.endsWith('.create') ? (family?.rules ?? []) : []
}
