/** Persistence: the port of the log, its batches, the documents and files of states. */

export type { Scenarios } from '../accounts/persistence/account-records.js'
export { applyBatch, loadAccount } from '../accounts/persistence/apply-batch.js'
export { batchOf } from '../accounts/persistence/batch.js'
export { logGap, otherSeed } from '../accounts/persistence/errors.js'
export type { Batch, ChangeRecord } from '../accounts/persistence/records.js'
export { valueSchemas } from '../accounts/persistence/schemas.js'
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
export { documentOfAccount } from '../accounts/persistence/state-document.js'
export { followed, freeName } from '../accounts/persistence/state-files.js'
export { exportStateFile, importStateFile, noSuchAccount } from '../accounts/persistence/state-transfer.js'
export { secretOfSeed, signingSecretOf } from '../accounts/signing-secret.js'
export { jobsSince } from '../accounts/store.js'
export { type Savepoint, TrackedAccount } from '../accounts/tracked.js'
export { createWakeTimer, type WakeTimer, wakeTimeOf } from '../accounts/wake-timer.js'
export { runDue } from '../core/account/apply.js'
export { abandonAttempt } from '../core/callback/attempts.js'
