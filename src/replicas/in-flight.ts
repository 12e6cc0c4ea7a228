import type { Batch } from '../accounts/persistence/port.js'
import type { StoredQueue } from '../accounts/persistence/records.js'

/** Attempt to deliver a callback whose result is not in the log. */
interface PendingAttempt {
  /** Entry of the queue under which it was taken. */
  readonly entry: number
  /** Id of the replica that sends it; empty: that one does not know of it. */
  readonly writer: string
  /** When it was appended, by the store's time. */
  readonly since: number
}

/** Attempts of an account that are in flight, by task id. */
export type InFlight = ReadonlyMap<string, PendingAttempt>

/** Those that are in flight once a batch is applied: a queue whose first callback is due at no instant is being sent. */
export const inFlightAfter = (before: InFlight, batch: Batch, writer: string, since: number): InFlight => {
  const queues = batch.filter(([kind]) => kind === 'correspondence')
  if (queues.length === 0) return before
  const after = new Map(before)
  for (const [, taskId, value] of queues) {
    const queue = value as StoredQueue | null
    if (queue === null || queue.dueAt !== null || queue.waiting.length === 0) after.delete(taskId)
    else if (after.get(taskId)?.entry !== queue.entry)
      after.set(taskId, { entry: queue.entry, writer, since })
  }
  return after
}
