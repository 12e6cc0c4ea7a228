import type { Registry } from '../../emulator/surface/registry.js'
import type { Change } from './changes.js'
import type { Compared } from './compare.js'

/** Whether an emulator with a change no longer refuses the call of an exchange by a rule. */
export type IsTaken = (
  compared: Compared,
  rule: string,
  change: Pick<Change, 'at' | 'value'>,
) => Promise<boolean>

/**
 * The bound of a rule as wide as a call shows that the service has it: the emulator refuses the call by the rule, and the service
 * takes it. Undefined where the rule has no number with a name, or where no number of the call is what the rule measures.
 */
export const boundShownBy = async (
  compared: Compared,
  registry: Registry,
  isTaken: IsTaken,
): Promise<Pick<Change, 'at' | 'value'> | undefined> => {
  const [refusal] = compared.ours.refusedBy
  if (refusal === undefined) return undefined
  const { rule, found } = refusal
  const [id = '', ...rest] = rule.split('.')
  const bounds = registry.family(id)?.facts?.bounds[rest.join('.')] ?? {}
  for (const [name, bound] of Object.entries(bounds))
    for (const value of widerThan(name, bound, measuresOf(name, found))) {
      const change = { at: ['rules', rule, name], value }
      if (await isTaken(compared, rule, change)) return change
    }
  return undefined
}

/** Whether a bound is the lower end of a range. */
export const isLeast = (name: string): boolean => name.startsWith('min')

/** The measures that would widen a bound, the nearest first. */
const widerThan = (name: string, bound: number, measures: readonly number[]): number[] => {
  const round = isLeast(name) ? Math.floor : Math.ceil
  const wider = measures
    .map((measure) => round(measure * THOUSAND) / THOUSAND)
    .filter((measure) => (isLeast(name) ? measure < bound : measure > bound))
  return [...new Set(wider)].sort((a, b) => Math.abs(a - bound) - Math.abs(b - bound))
}

const THOUSAND = 1_000
const MIB = 2 ** 20

/**
 * What a bound may be a bound of, in the value that a rule has found: the number itself, megabytes where that is its name, and of two
 * numbers, such as `100*100`, their area and their ratio too.
 */
const measuresOf = (name: string, found: unknown): number[] => {
  const numbers =
    typeof found === 'number'
      ? [found]
      : [...String(found).matchAll(/\d+(\.\d+)?/g)].map(([text]) => Number(text))
  if (name === 'megabytes') return numbers.map((bytes) => bytes / MIB)
  const [first, second] = numbers
  if (first === undefined || second === undefined) return numbers
  return [...numbers, first * second, first / second, second / first].filter(Number.isFinite)
}
