import { retryAfterMsIn } from '../core/retry-after.js'
import { saysFinal } from '../core/verdict/facts.js'
import {
  fileFaults,
  hasFailed,
  isCharged,
  isEarly,
  isLockedOut,
  isRefusedCallback,
  isWithheld,
  MIN_HAMMERING,
  openStates,
  repetitionsIn,
} from '../core/verdict/faults.js'
import { findingsOf } from '../core/verdict/findings.js'

export { groupBy } from '../core/collections/group-by.js'

/** Faults of clients, as the verdict and the sweep define them: predicates of observed calls, callbacks and tasks. */
export const faults = {
  findingsOf,
  ofFiles: fileFaults,
  hasFailed,
  isCharged,
  isEarly,
  isLockedOut,
  isRefusedCallback,
  isWithheld,
  MIN_HAMMERING,
  openStates,
  repetitionsIn,
  retryAfterMsIn,
  saysFinal,
} as const
