/**
 * Records: what an emulator holds and reports. Accounts, tasks, callbacks, media, events and errors as plain data, time, and the
 * words in which all of these are written. Loads no schema.
 */
import type { probe as read } from '../media/probe.js'

export type { JournalStore } from '../accounts/journals.js'
export type { Store } from '../accounts/store.js'
export { createMutex, idempotent, type Semaphore } from '../concurrency.js'
export {
  DEFAULT_KEY,
  keyKindOf,
  OTHERS_ARE_CALLED,
  RESERVED_KEYS,
  recordCreate,
  STOPPED_CLOCK_START,
} from '../core/account/account.js'
export { accountIdOf, keyOf } from '../core/account/account-id.js'
export { requestIdOf } from '../core/account/random.js'
export type { Asset } from '../core/asset.js'
export { counted, howOften } from '../core/count-words.js'
export { connectionReason, EmulatorError, systemReason, whyUnreadable } from '../core/errors.js'
export { type Events, type HealthReporter, noHealthReporter } from '../core/events.js'
export { hash } from '../core/hash.js'
export {
  type ImageFormat,
  imageFormats,
  type MediaFacts,
  type Probe,
  type ResolvedMedia,
} from '../core/media/input.js'
export { readMark } from '../core/media/mark.js'
export {
  type Account,
  type AccountEvent,
  attemptOutcomes,
  beginRun,
  type Callback,
  type CallbackRecord,
  callbackFacts,
  callbackStates,
  type Effects,
  type ScenarioResult,
  type ScenarioRun,
} from '../core/model/account.js'
export type { FormFile } from '../core/model/call.js'
export { type State, states, statesOf, type Task, viewAt } from '../core/model/task.js'
export {
  advanceHint,
  type ClockMode,
  clockModes,
  durationText,
  formatDuration,
  type Instant,
  isoOf,
  LONGEST_TIMER_MS,
  momentAt,
  parseDuration,
  readClock,
  timings,
} from '../core/schedule/time.js'
export { slug } from '../core/slug.js'
export { nearest, suggestion, unknownPlaceholder, unknownRule } from '../core/suggest.js'
export { packageRoot } from '../package-root.js'
export { isRunning } from '../processes.js'
export { clearInterval, clearTimeout, delay, setInterval, setTimeout } from '../timers.js'
export { rendering, version } from '../version.js'

export const probe: typeof read = async (...args) => (await import('../media/probe.js')).probe(...args)
