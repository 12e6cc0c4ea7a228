import type { Refusal } from '../problem.js'
import type { World } from '../world.js'

/** What a rule says of itself. */
export interface StatedRule {
  /** Unique within the family: `size-area`. */
  readonly id: string
  /** What must be true, as a sentence: "The area of `size` is from 512*512 to 2048*2048 pixels." */
  readonly says: string
  /** Where the specification says so: `§A parameters size`, or `defaults B9`. */
  readonly place: string
}

/**
 * What a request still may not ask once its shape is right. Rules run in order and the first refusal answers; the
 * journal keeps them all.
 */
export interface Rule<In, E extends string = string> extends StatedRule {
  /** The refusal, or undefined when the rule is kept. */
  readonly check: (input: In, world: World) => Refusal<E> | undefined
}
