import { drawFor } from '../account/draw.js'
import type { Candidate } from './about.js'
import type { Occasion } from './occasion.js'
import type { When } from './when.js'

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
export const misfit = ({ step, pattern }: Candidate, occasion: Occasion): Reason | undefined => {
  const { model, account, prompt, callback } = step.when
  if (model !== undefined && !isAmong(model, occasion.model)) return 'model'
  if (account !== undefined && !isAmong(account, occasion.account)) return 'account'
  if (prompt !== undefined && !isPrompt(occasion.prompt ?? '', prompt, pattern)) return 'prompt'
  const isOther = typeof callback === 'object' && !isAmong(callback.status, occasion.callback?.status)
  return isOther ? 'status' : undefined
}

const isAmong = <T>(wanted: T | readonly T[], value: T | undefined): boolean =>
  value !== undefined && (Array.isArray(wanted) ? wanted.includes(value) : wanted === value)

const isPrompt = (text: string, prompt: NonNullable<When['prompt']>, pattern: RegExp | undefined): boolean =>
  'contains' in prompt ? text.includes(prompt.contains) : pattern?.test(text) === true

/**
 * What keeps a step from acting on the nth fitting occasion, but for chance; undefined when nothing does. `elapsed` is
 * in milliseconds since the scenario began.
 */
export const reluctance = (
  { step: { when, times } }: Candidate,
  nth: number,
  acted: number,
  elapsed: number,
): Reason | undefined => {
  if (times !== undefined && acted >= times) return 'times'
  if (isMiscounted(when, nth)) return 'count'
  if (when.from !== undefined && elapsed < when.from) return 'before'
  return when.until !== undefined && elapsed >= when.until ? 'after' : undefined
}

const isMiscounted = ({ nth: wanted, first, every, after }: When, nth: number): boolean =>
  (wanted !== undefined && !isAmong(wanted, nth)) ||
  (first !== undefined && nth > first) ||
  (every !== undefined && nth % every !== 0) ||
  (after !== undefined && nth <= after)

/** One draw for each fitting occasion of each step: what happens at other steps changes nothing here. */
export const drawOf = (seed: number, account: string, scenario: string, index: number, nth: number) =>
  drawFor(seed, account, `${scenario}|${index}|${nth}`)
