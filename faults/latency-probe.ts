import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Latencies of a client since they were last taken. */
interface Latencies {
  readonly asked: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly worstMs: number
  readonly troubles: readonly string[]
}

interface LatencyProbe {
  take(): Promise<Latencies>
  stop(): Promise<void>
}

/** Latency probe: asks for `path` every `everyMs`, in a thread of its own, until it is stopped. */
export const startLatencyProbe = (port: number, path: string, everyMs = 5): LatencyProbe => {
  const worker = new Worker(new URL('./latency-probe.mjs', import.meta.url), {
    workerData: { port, path, everyMs },
  })
  return {
    take: async () => {
      const message = once(worker, 'message')
      worker.postMessage('take')
      const [{ times, troubles }] = (await message) as [{ times: number[]; troubles: string[] }]
      const sorted = times.sort((a, b) => a - b)
      const at = (share: number) =>
        sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
      return { asked: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), worstMs: at(1), troubles }
    },
    stop: async () => void (await worker.terminate()),
  }
}
