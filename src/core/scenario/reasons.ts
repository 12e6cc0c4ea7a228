import { drawFor } from '../account/draw.js'
import type { Candidate } from './about.js'
import type { Occasion } from './occasion.js'

/** Why a step did not act on an occasion. `refused`: there was nothing to act on, since the call was refused. */
export type Reason =
  | 'model'
  | 'account'
  | 'prompt'
  | 'status'
  | 'times'
  | 'count'
  | 'before'
  | 'after'
  | 'chance'
  | 'earlier'
  | 'refused'

/** What an occasion is wanted to be and is not; undefined when a step that is about its operation is about it. */
export const misfit = (candidate: Candidate, occasion: Occasion): Reason | undefined => {
  const { models, accounts, statuses, part, pattern } = candidate
  if (models !== undefined && !isAmong(models, occasion.model)) return 'model'
  if (accounts !== undefined && !accounts.includes(occasion.account)) return 'account'
  if (part !== undefined && occasion.prompt()?.includes(part) !== true) return 'prompt'
  if (pattern !== undefined && !pattern.test(occasion.prompt() ?? '')) return 'prompt'
  return statuses !== undefined && !isAmong(statuses, occasion.callback?.status) ? 'status' : undefined
}

const isAmong = <T>(wanted: readonly T[], value: T | undefined): boolean =>
  value !== undefined && wanted.includes(value)

/**
 * What keeps a step from acting on the nth fitting occasion, but for chance; undefined when nothing does. `elapsed` is
 * in milliseconds since the scenario began.
 */
export const reluctance = (
  candidate: Candidate,
  nth: number,
  acted: number,
  elapsed: number,
): Reason | undefined => {
  const { nths, first, every, after } = candidate
  if (acted >= candidate.times) return 'times'
  if (nths !== undefined && !nths.includes(nth)) return 'count'
  if (nth > first || nth % every !== 0 || nth <= after) return 'count'
  if (elapsed < candidate.from) return 'before'
  return elapsed >= candidate.until ? 'after' : undefined
}

/** One draw for each fitting occasion of each step: what happens at other steps changes nothing here. */
export const drawOf = (seed: number, account: string, scenario: string, index: number, nth: number) =>
  drawFor(seed, account, `${scenario}|${index}|${nth}`)
