import type { Refusal } from '../problem.js'
import { shown } from './shape-refusals.js'

/** A refusal in the form that says most: the field, what may stand there, and what was found. */
export const mustBe = <E extends string>(
  error: E,
  field: string,
  allowed: string,
  found: unknown,
): Refusal<E> => ({
  error,
  field,
  found,
  allowed,
  message: `${field} must be ${allowed}, found ${shown(found)}`,
})
