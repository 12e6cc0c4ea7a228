import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** What a process says of itself. */
export interface Usage {
  /** Processor time since its start, user and system, of all its threads. */
  readonly cpuMs: number
  /** How late its event loop was at most since it was asked before; 0 until it has been asked for `lateness`. */
  readonly lateMs: number
  /** Its heap and what lies beside it, after a collection; only where it was asked for. */
  readonly heapBytes: number
}

/** Server in a process of its own. */
export interface Server {
  readonly url: string
  usage(of?: 'memory' | 'lateness'): Promise<Usage>
  stop(): Promise<void>
}

const PROBE = fileURLToPath(new URL('probe.mjs', import.meta.url))

/** Starts a program of Node whose first line of output is `{"event":"ready","url":…}`. */
export const startServer = async (...program: readonly string[]): Promise<Server> => {
  const args = ['--expose-gc', '--import', PROBE, ...program]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  running.add(child)
  const ended = once(child, 'exit').finally(() => running.delete(child))
  const line = once(createInterface({ input: child.stdout as Readable }), 'line')
  const first = await Promise.race([line, ended])
  if (typeof first[0] !== 'string') throw new Error(`${program.join(' ')} ended before it was ready.`)
  child.stdout?.resume()
  return {
    url: (JSON.parse(first[0]) as { url: string }).url,
    usage: async (of) => {
      const answered = once(child, 'message')
      child.send(of ?? 'usage')
      return (await answered)[0] as Usage
    },
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Starts an emulator on a free port, with options of `start`. */
export const startBacklot = (...options: readonly string[]): Promise<Server> =>
  startServer('dist/cli.js', 'start', '--port', '0', '--json', '--quiet', ...options)

/** Options of `start` for settings: `set({ tasksInAll: 10 })`. */
export const set = (settings: Readonly<Record<string, number | string>>): string[] =>
  Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${value}`])

/** Starts a yardstick of the folder `peers`. */
export const startPeer = (name: string, ...args: readonly string[]): Promise<Server> =>
  startServer(`bench/peers/${name}.mjs`, ...args)

// However the benchmark ends, what it has started ends with it.
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
