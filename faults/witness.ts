import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** How others fared since the last look. */
export interface Testimony {
  readonly asked: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly worstMs: number
  readonly troubles: readonly string[]
}

export interface Witness {
  look(): Promise<Testimony>
  stop(): Promise<void>
}

/** Asks for `path` every `everyMs` until it is stopped. */
export const startWitness = (port: number, path: string, everyMs = 5): Witness => {
  const worker = new Worker(new URL('./witness.mjs', import.meta.url), {
    workerData: { port, path, everyMs },
  })
  return {
    look: async () => {
      const told = once(worker, 'message')
      worker.postMessage('look')
      const [{ times, troubles }] = (await told) as [{ times: number[]; troubles: string[] }]
      const sorted = times.sort((a, b) => a - b)
      const at = (share: number) =>
        sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
      return { asked: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), worstMs: at(1), troubles }
    },
    stop: async () => void (await worker.terminate()),
  }
}
