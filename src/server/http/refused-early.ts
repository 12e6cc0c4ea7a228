import { type Decision, noNotes, type Operation, type Standing } from '../../core/operation.js'
import type { RefusedBy } from '../../core/problem.js'

/** Why a call is refused before anything is decided. The rule's id is without its family. */
export type EarlyRefusal = Omit<RefusedBy, 'error'>

/** The family's answer to what goes wrong before a call can be decided, with the rule behind it for the journal. */
export const refusedEarly = (
  operation: Operation,
  standing: Standing,
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
  const refusedBy = [{ ...refusal, error, rule: `${operation.family}.${refusal.rule}` }]
  return {
    reply: operation.refuse(standing, said, requestId),
    changes: [],
    notes: { ...noNotes, refusedBy },
  }
}
