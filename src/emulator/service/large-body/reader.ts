import { Worker } from 'node:worker_threads'
import { type HealthReporter, noHealthReporter } from '../../core/events.js'
import type { Body } from '../../core/model/call.js'
import { MAX_LEVELS, MAX_VALUES } from '../../core/request.js'
import { type SetTimer, setUnrefTimer } from '../../timers.js'
import { jsonErrorMessage } from '../body.js'

/** Message of the worker about a body: its JSON value without its media, or why it cannot be read. */
type WorkerMessage = { readonly id: number } & (
  | { readonly value: unknown; readonly attachments: readonly (Uint8Array | string)[] }
  | { readonly error: string }
)

// A worker keeps the memory of a large body until it ends. A new one starts in 40 ms.
const IDLE_MS = 5_000

/** Reader of large bodies, in a thread. */
export interface LargeBodyReader {
  /** The chunks are handed over and must not be used afterwards. */
  read(chunks: readonly Uint8Array[]): Promise<Body>
  /** Resolves when no thread is left. */
  stop(): Promise<void>
}

/**
 * Worker pool of one thread, made for the first large body; bodies are read one after the other, so that memory stays bounded. It ends
 * when it has had nothing to do for five seconds, and the next body gets another one.
 * @param mediaKeys under which Base64 is taken out of a body; all other texts stay as they are
 */
export const createLargeBodyReader = (
  mediaKeys: readonly string[],
  health: HealthReporter = noHealthReporter,
  setTimer: SetTimer = setUnrefTimer,
): LargeBodyReader => {
  const pending = new Map<number, (body: Body) => void>()
  const stopping = new Set<Worker>()
  let worker: Worker | undefined
  let lastId = 0
  let cancelIdleTimer = () => {}

  const resolveBody = ({ id, ...read }: WorkerMessage): void => {
    health.resolve('large-bodies')
    pending.get(id)?.('error' in read ? unreadable(read.error) : { kind: 'json', ...read })
    pending.delete(id)
    if (pending.size === 0 && worker !== undefined) cancelIdleTimer = setTimer(stopIdleWorker, IDLE_MS)
  }

  // Detaches the worker before it ends: a body that comes meanwhile gets a new one.
  const stopIdleWorker = (): void => {
    const idle = worker
    if (idle === undefined) return
    worker = undefined
    stopping.add(idle)
    idle.postMessage('end')
  }

  const losePending = (detail: string): void => {
    for (const resolve of pending.values()) resolve({ kind: 'not-kept', detail })
    pending.clear()
  }

  // Out of memory, most likely: the bodies it had are lost, and the next one gets a new worker.
  const failPending = (lost: Worker, why: string): void => {
    if (worker !== lost) return
    worker = undefined
    health.report('large-bodies', new Error(why))
    losePending(`The thread that reads large bodies has ended: ${why}; send it again`)
  }

  const openWorker = (): Worker => {
    if (worker !== undefined) return worker
    const opened = new Worker(new URL('./large-body-worker.mjs', import.meta.url), {
      workerData: { mediaKeys, maxLevels: MAX_LEVELS, maxValues: MAX_VALUES },
    })
    opened.unref()
    opened.on('message', resolveBody)
    opened.on('error', ({ message }) => failPending(opened, message))
    opened.on('exit', (code) => {
      stopping.delete(opened)
      failPending(opened, `exit code ${code}`)
    })
    worker = opened
    return opened
  }

  return {
    read: (chunks) =>
      new Promise((resolve) => {
        cancelIdleTimer()
        lastId += 1
        pending.set(lastId, resolve)
        openWorker().postMessage({ id: lastId, chunks }, chunks.flatMap(transferableOf))
      }),
    stop: async () => {
      cancelIdleTimer()
      const stopped = worker === undefined ? [...stopping] : [...stopping, worker]
      worker = undefined
      losePending('The emulator was stopped')
      await Promise.all(stopped.map((thread) => thread.terminate()))
    },
  }
}

// The worker's own errors are whole sentences; all others are messages of JSON.parse.
const unreadable = (said: string): Body => ({
  kind: 'unreadable',
  detail: said.startsWith('The request body ')
    ? said
    : `The request body is not valid JSON: ${jsonErrorMessage(said)}`,
})

// Small chunks share their memory with others and are copied; large ones have their own and can be handed over.
const transferableOf = ({ buffer, byteLength }: Uint8Array): ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []
