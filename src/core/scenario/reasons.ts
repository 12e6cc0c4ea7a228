import { drawFor } from '../account/draw.js'
import type { Candidate } from './about.js'
import type { Look } from './look.js'
import type { When } from './when.js'

/** Which part of a step kept it from acting. `refused`: there was nothing to act on, since the call was refused. */
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
export const misfit = (
  { step, pattern }: Candidate,
  { model, account, prompt, callback }: Pick<Look, 'model' | 'account' | 'prompt' | 'callback'>,
): Reason | undefined => {
  const { when } = step
  if (when.model !== undefined && !isAmong(when.model, model)) return 'model'
  if (when.account !== undefined && !isAmong(when.account, account)) return 'account'
  if (when.prompt !== undefined && !isPrompt(prompt ?? '', when.prompt, pattern)) return 'prompt'
  const wanted = when.callback
  return typeof wanted === 'object' && !isAmong(wanted.status, callback?.status) ? 'status' : undefined
}

const isAmong = <T>(wanted: T | readonly T[], value: T | undefined): boolean =>
  value !== undefined && (Array.isArray(wanted) ? wanted.includes(value) : wanted === value)

const isPrompt = (text: string, prompt: NonNullable<When['prompt']>, pattern: RegExp | undefined): boolean =>
  'contains' in prompt ? text.includes(prompt.contains) : pattern?.test(text) === true

/** What keeps a step from acting on a fitting occasion; undefined when nothing does. */
export const reluctance = (
  { step, index }: Candidate,
  look: Pick<Look, 'seen' | 'acted' | 'elapsed' | 'seed' | 'account'>,
  scenario: string,
): Reason | undefined => {
  const { from, until, probability } = step.when
  if (step.times !== undefined && (look.acted[index] ?? 0) >= step.times) return 'times'
  if (isMiscounted(step.when, look.seen[index] ?? 0)) return 'count'
  if (from !== undefined && look.elapsed < from) return 'before'
  if (until !== undefined && look.elapsed >= until) return 'after'
  return probability === undefined || fractionOf(scenario, index, look) < probability ? undefined : 'chance'
}

const isMiscounted = ({ nth: wanted, first, every, after }: When, nth: number): boolean =>
  (wanted !== undefined && !isAmong(wanted, nth)) ||
  (first !== undefined && nth > first) ||
  (every !== undefined && nth % every !== 0) ||
  (after !== undefined && nth <= after)

type Drawn = Pick<Look, 'seen' | 'seed' | 'account'>

/** One draw for each fitting occasion of each step: what happens at other steps changes nothing here. */
export const drawOf = (scenario: string, index: number, { seen, seed, account }: Drawn) =>
  drawFor(seed, account, `${scenario}|${index}|${seen[index] ?? 0}`)

/** What is held against a step's probability. */
export const fractionOf = (scenario: string, index: number, drawn: Drawn): number =>
  drawOf(scenario, index, drawn).fraction('scenario')
