import type { Refusal } from '../problem.js'
import { shown } from './shape-refusals.js'

/** A refusal in the form that says most: the field, what may stand there, and what was found. */
export const mustBe = <E extends string>(
  error: E,
  field: string,
  allowed: string,
  found: unknown,
): Refusal<E> => ({ error, field, found, allowed, message: sentence(field, allowed, shown(found)) })

/** The same where what was found is no value of the request but is told of it: `2 text items`, `no text item`. */
export const mustBeButHas = <E extends string>(
  error: E,
  field: string,
  allowed: string,
  told: string,
): Refusal<E> => ({ error, field, found: told, allowed, message: sentence(field, allowed, told) })

const sentence = (field: string, allowed: string, found: string): string =>
  `${field} must be ${allowed}, found ${found}`
