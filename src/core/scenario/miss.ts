import { drawFor } from '../account/draw.js'
import { type Candidate, listOf } from './about.js'
import type { Occasion } from './occasion.js'
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

/** Why a step did not act on an occasion that it is about. Plain data, made into words when somebody asks. */
export interface Miss {
  readonly reason: Reason
  /** Which of the fitting occasions it was, from 1; 0 where it did not fit. */
  readonly nth: number
  /** What was found where something else is wanted: a model, a status, milliseconds since the start, a draw. */
  readonly found?: string | number
}

/** What an occasion is wanted to be and is not; undefined when a step that is about its operation is about it. */
export const misfit = ({ step, pattern }: Candidate, occasion: Occasion): Miss | undefined => {
  const { model, account, prompt, callback } = step.when
  if (model !== undefined && !isAmong(model, occasion.model))
    return { reason: 'model', nth: 0, ...found(occasion.model) }
  if (account !== undefined && !isAmong(account, occasion.account)) return { reason: 'account', nth: 0 }
  if (prompt !== undefined && !isPrompt(occasion.prompt ?? '', prompt, pattern))
    return { reason: 'prompt', nth: 0 }
  const status = occasion.callback?.status
  return typeof callback === 'object' && !isAmong(callback.status, status)
    ? { reason: 'status', nth: 0, ...found(status) }
    : undefined
}

const found = (value: string | undefined) => (value === undefined ? {} : { found: value })

const isAmong = <T>(wanted: T | readonly T[], value: T | undefined): boolean =>
  value !== undefined && listOf(wanted).includes(value)

const isPrompt = (text: string, prompt: NonNullable<When['prompt']>, pattern: RegExp | undefined): boolean =>
  'contains' in prompt ? text.includes(prompt.contains) : pattern?.test(text) === true

/** Where an occasion stands among those that fit a step. */
export interface Turn {
  readonly nth: number
  /** Milliseconds since the scenario began, on the account's clock. */
  readonly elapsed: number
  /** How often the step has acted. */
  readonly acted: number
  /** What its draws depend on. */
  readonly draw: { readonly seed: number; readonly account: string; readonly label: string }
}

/** What keeps a step from acting on the nth fitting occasion; undefined when nothing does. */
export const reluctance = ({ step }: Candidate, turn: Turn): Miss | undefined => {
  const { nth, elapsed } = turn
  const { from, until } = step.when
  if (step.times !== undefined && turn.acted >= step.times) return { reason: 'times', nth }
  if (isMiscounted(step.when, nth)) return { reason: 'count', nth }
  if (from !== undefined && elapsed < from) return { reason: 'before', nth, found: elapsed }
  if (until !== undefined && elapsed >= until) return { reason: 'after', nth, found: elapsed }
  return unlucky(step.when.probability, turn)
}

const isMiscounted = ({ nth: wanted, first, every, after }: When, nth: number): boolean =>
  (wanted !== undefined && !isAmong(wanted, nth)) ||
  (first !== undefined && nth > first) ||
  (every !== undefined && nth % every !== 0) ||
  (after !== undefined && nth <= after)

const unlucky = (probability: number | undefined, { nth, draw }: Turn): Miss | undefined => {
  if (probability === undefined) return undefined
  const fraction = drawFor(draw.seed, draw.account, draw.label).fraction('scenario')
  return fraction < probability ? undefined : { reason: 'chance', nth, found: fraction }
}
