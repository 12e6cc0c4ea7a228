import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/**
 * Writes the first `length` bytes of a state file into another file, with the records that hold alone: beside the event
 * loop, since it takes a second for a hundred megabytes.
 * @throws Error where it cannot be written, or the signal ends it
 */
export const compact = async (
  path: string,
  length: number,
  into: string,
  signal: AbortSignal,
): Promise<void> => {
  const worker = new Worker(new URL('./compact-worker.mjs', import.meta.url), {
    workerData: { path, length, into },
  })
  worker.unref()
  try {
    // Raises what the worker raises.
    await once(worker, 'message', { signal })
  } finally {
    await worker.terminate()
  }
}
