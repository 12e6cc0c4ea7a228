import { type Decision, type FailureKind, noMeta, type Operation } from '../../core/operation.js'
import type { RefusedBy } from '../../core/problem.js'
import { ruleRef, type StatedRule } from '../../core/rule.js'

/** What is wrong with a call that is refused before anything is decided. */
export type PrecheckRefusal = Omit<RefusedBy, 'error' | 'rule' | 'place'>

/** The family's answer to what goes wrong before a call can be decided, with the rule behind it for the journal. */
export const precheckRefusal = (
  operation: Operation,
  standing: FailureKind,
  rule: StatedRule,
  refusal: PrecheckRefusal,
  requestId: string,
): Decision => {
  const { message, retryAfterSeconds } = refusal
  // The answer has the words alone: no field of a body is at fault.
  const said = {
    ...(message === undefined ? {} : { message }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
  const error = operation.standing[standing]
  const refusedBy = [{ ...refusal, error, ...ruleRef(operation.family, rule) }]
  return {
    reply: operation.refuse(standing, said, requestId),
    changes: [],
    notes: { ...noMeta, refusedBy },
  }
}
