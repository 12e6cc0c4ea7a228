import type { z } from 'zod'
import { nearest } from '../../core/request/nearest.js'
import { valueAt } from '../../core/request/path.js'
import { shapeRefusals } from '../../core/request/shape-refusals.js'
import { unknownKey } from '../../core/scenario/check/complaint.js'
import { keysAt } from '../../core/scenario/check/keys-at.js'

type Issue = z.core.$ZodIssue

/** What an action has against its input, in a sentence; parameters that it does not have with the nearest that it has. */
export const describeInputIssues = (schema: z.ZodType, issues: readonly Issue[], input: unknown): string => {
  const text = issues.flatMap((issue) => problemsOf(issue, schema, input)).join('; ')
  return text.endsWith('?') ? text : `${text}.`
}

const problemsOf = (issue: Issue, schema: z.ZodType, input: unknown): string[] => {
  if (issue.code !== 'unrecognized_keys')
    return shapeRefusals([issue], input).map(({ message }) => `${message}${meantWord(issue, input)}`)
  const known = keysAt(wayOf(schema, input), issue.path)
  return issue.keys.map((key) => unknownKey(key, known))
}

const meantWord = (issue: Issue, input: unknown): string => {
  const found = valueAt(input, issue.path)
  if (issue.code !== 'invalid_value' || typeof found !== 'string') return ''
  const meant = nearest(found, issue.values.map(String))
  return meant === undefined ? '' : `: did you mean ${meant}?`
}

/** Of the ways that an input can have (what to wait for), the one that it says it has. */
const wayOf = (schema: z.ZodType, input: unknown): z.core.$ZodType => {
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod
  if (def.type !== 'union' || !('discriminator' in def)) return schema
  const name = String(def.discriminator)
  return def.options.find((way) => hasWord(way, name, valueAt(input, [name]))) ?? schema
}

const hasWord = (way: z.core.$ZodType, name: string, word: unknown): boolean => {
  const { def } = (way as z.core.$ZodTypes)._zod
  return def.type === 'object' && def.shape[name]?._zod.values?.has(word as string) === true
}
