import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

export interface Running {
  readonly url: string
  readonly pid: number
  readonly child: ChildProcess
  stop(): Promise<void>
}

/** What Node is to run for an emulator on a free port, with the options of `start` that are given. */
export const emulatorWith = (...options: readonly string[]): readonly string[] => [
  ...['dist/cli.js', 'start', '--port', '0', '--json', '--quiet'],
  ...options,
]

/** Starts a program of Node's whose first line of output is `{"event":"ready","url":…}`. */
export const startProcess = async (args: readonly string[]): Promise<Running> => {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const [line] = (await once(createInterface({ input: child.stdout as Readable }), 'line')) as [string]
  child.stdout?.resume()
  const { url } = JSON.parse(line) as { url: string }
  return {
    url,
    pid: child.pid as number,
    child,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

// However the benchmark ends, what it has started ends with it.
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/**
 * Milliseconds that the main thread of a process has spent on a processor: of the time that passes, the part in which
 * nothing else was done. NaN where the system does not tell, which only Linux does in this way.
 */
export const processorMs = async (pid: number): Promise<number> => {
  const [nanoseconds] = (await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => 'unknown')).split(' ')
  return Number(nanoseconds) / 1e6
}
