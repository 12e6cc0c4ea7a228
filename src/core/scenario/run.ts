import type { Candidate } from './about.js'
import type { Verdict } from './look.js'
import type { Plan } from './plan.js'

/**
 * Occasions that are alike, and on which no step acts for the reasons that it had on the one before them: they need only
 * be counted.
 */
export interface Run {
  /** The steps that count them, by index. */
  readonly counting: readonly number[]
  /** From and until how many milliseconds after the scenario began: time may go back as well. */
  readonly from: number
  readonly until: number
  /** How many occasions it has room for. */
  readonly length: number
}

/** How long a step has the same verdict, as long as the occasions are alike. */
type Stay = Omit<Run, 'counting'>

/**
 * The run of those that follow an occasion as its plan has it on its sheet; undefined where the next one may be another
 * matter. `seen`: how many fitting occasions each step has had with it, by index.
 */
export const runAfter = ({ open, sheet }: Plan, seen: readonly number[]): Run | undefined => {
  let { from, until, length } = forEver
  const counting: number[] = []
  for (const candidate of open) {
    const { index, place } = candidate
    const verdict = sheet.verdicts[place]
    // It does not fit, and will not fit any that is like this one.
    if (verdict === 'prompt' || verdict === 'status') continue
    const stay = stayOf(candidate, verdict, seen[index] ?? 0)
    if (stay === undefined) return undefined
    from = Math.max(from, stay.from)
    until = Math.min(until, stay.until)
    length = Math.min(length, stay.length)
    counting.push(index)
  }
  return length < 1 ? undefined : { counting, from, until, length }
}

const forEver: Stay = {
  from: Number.NEGATIVE_INFINITY,
  until: Number.POSITIVE_INFINITY,
  length: Number.POSITIVE_INFINITY,
}

/** How long what `reluctance` (reasons.ts) said of the nth occasion stays true; undefined where that is not plain. */
const stayOf = (candidate: Candidate, verdict: Verdict | undefined, nth: number): Stay | undefined => {
  const { lowest, highest, every, nths, from, until } = candidate
  if (verdict === 'times' || (verdict === 'count' && nth > highest)) return forEver
  if (verdict === 'count') return nth < lowest ? { ...forEver, length: lowest - 1 - nth } : undefined
  // It comes after the count, so that it stays only where the next counts are good ones too.
  if (every !== 1 || nths !== undefined) return undefined
  if (verdict === 'before') return { ...forEver, until: from, length: highest - nth }
  if (verdict === 'after') return { ...forEver, from: Math.max(from, until), length: highest - nth }
  return undefined
}
