import { type Decision, noNotes, type Operation, type Standing } from '../../core/operation.js'
import type { RefusedBy } from '../../core/problem.js'
import { named, type StatedRule } from '../../core/rule.js'

/** What is wrong with a call that is refused before anything is decided. */
export type EarlyRefusal = Omit<RefusedBy, 'error' | 'rule' | 'place'>

/** The family's answer to what goes wrong before a call can be decided, with the rule behind it for the journal. */
export const refusedEarly = (
  operation: Operation,
  standing: Standing,
  rule: StatedRule,
  refusal: EarlyRefusal,
  requestId: string,
): Decision => {
  const { message, retryAfterSeconds } = refusal
  // The answer has the words alone: no field of a body is at fault.
  const said = {
    ...(message === undefined ? {} : { message }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
  const error = operation.standing[standing]
  const refusedBy = [{ ...refusal, error, ...named(operation.family, rule) }]
  return {
    reply: operation.refuse(standing, said, requestId),
    changes: [],
    notes: { ...noNotes, refusedBy },
  }
}
