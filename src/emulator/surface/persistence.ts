/** Persistence: the port of the log, its records, the documents and files of states. */
export {
  callbackOf,
  parseScenarios,
  queueOf,
  readAccount,
  runOf,
  type Scenarios,
} from '../accounts/persistence/account-records.js'
export { batchOf, everythingIn } from '../accounts/persistence/batch.js'
export { BadRecord, logGap, otherSeed } from '../accounts/persistence/errors.js'
export { acquireLock } from '../accounts/persistence/lock.js'
export {
  applyRecord,
  type Batch,
  type ChangeRecord,
  emptyState,
  recordsFor,
  type StoredAccount,
  type StoredCallback,
  type StoredHead,
  type StoredQueue,
} from '../accounts/persistence/records.js'
export { clockNotBefore, scheduledAccount } from '../accounts/persistence/resume-account.js'
export { mediaFactsSchema } from '../accounts/persistence/schemas.js'
export type {
  EntryHead,
  LoadedLog,
  LogEntry,
  Note,
  OpenStore,
  Position,
  SharedLog,
  SharedStoreParts,
  StoredEvent,
} from '../accounts/persistence/shared-log.js'
export {
  documentOf,
  exportStoredState,
  importState,
  parseStateDocument,
  storedStateOf,
} from '../accounts/persistence/state-document.js'
export { openStateFile } from '../accounts/persistence/state-file.js'
export { followed, freeName, readStateFiles, realStatePath } from '../accounts/persistence/state-files.js'
export { secretOfSeed, signingSecretOf } from '../accounts/signing-secret.js'
export { jobsSince, type SharedAccess } from '../accounts/store.js'
export { type Savepoint, TrackedAccount } from '../accounts/tracked.js'
export { createWakeTimer, wakeTimeOf } from '../accounts/wake-timer.js'
export { putAsset, runDue, scheduleNext } from '../core/account/apply.js'
export { abandonAttempt } from '../core/callback/attempts.js'
export { createBlobStore } from '../media/files/blob-store.js'
