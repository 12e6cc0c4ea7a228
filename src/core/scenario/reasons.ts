import type { State } from '../task/phase.js'
import type { Candidate } from './about.js'

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

/** What is wrong with the model or the account of an occasion; undefined when a step wants them, or any. */
export const mismatch = (
  { models, accounts }: Candidate,
  model: string | undefined,
  account: string | undefined,
): Reason | undefined => {
  if (models !== undefined && !isAmong(models, model)) return 'model'
  return accounts !== undefined && !isAmong(accounts, account) ? 'account' : undefined
}

/** What else an occasion is wanted to be and is not; undefined when a step that wants its model and account is about it. */
export const misfit = (
  { part, pattern, statuses }: Candidate,
  prompt: string | undefined,
  status: State | undefined,
): Reason | undefined => {
  if (part !== undefined && prompt?.includes(part) !== true) return 'prompt'
  if (pattern !== undefined && !pattern.test(prompt ?? '')) return 'prompt'
  return statuses !== undefined && !isAmong(statuses, status) ? 'status' : undefined
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
  const { lowest, highest, nths, every } = candidate
  if (acted >= candidate.times) return 'times'
  if (nth < lowest || nth > highest || nth % every !== 0) return 'count'
  if (nths !== undefined && !nths.includes(nth)) return 'count'
  if (elapsed < candidate.from) return 'before'
  return elapsed >= candidate.until ? 'after' : undefined
}
