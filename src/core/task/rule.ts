import type { Refusal } from '../problem.js'
import type { StatedRule } from '../rule.js'
import type { DecisionContext } from '../world.js'

/**
 * What a request still may not ask once its shape is right. Rules run in order and the first refusal answers; the
 * journal keeps them all.
 */
export interface Rule<In, E extends string = string> extends StatedRule {
  /** The refusal, or undefined when the rule is kept. */
  readonly check: (input: In, world: DecisionContext) => Refusal<E> | undefined
}
