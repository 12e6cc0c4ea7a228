/** Faults of clients, as the verdict and the sweep define them. */
export { groupBy } from '../core/collections/group-by.js'
export { retryAfterMsIn } from '../core/retry-after.js'
export { saysFinal } from '../core/verdict/facts.js'
export {
  fileFaults,
  hasFailed,
  isCharged,
  isEarly,
  isRefusedCallback,
  isWithheld,
  MIN_HAMMERING,
  openStates,
  repetitionsIn,
} from '../core/verdict/faults.js'
