import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url))

/** An emulator in a process of its own, as it was built. */
export interface EmulatorProcess {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** What it has said on its standard error so far. */
  errors(): string
  /** With SIGKILL. */
  kill(): Promise<void>
  /** With SIGTERM. Rejects with what it printed if it ends with an error. */
  stop(): Promise<void>
}

export interface Surroundings {
  /** The most files and connections that it may have open; default: as many as this process. */
  readonly handles?: number
  readonly environment?: NodeJS.ProcessEnv
}

/** Starts one with these arguments of `backlot start`. */
export const startEmulatorProcess = async (
  args: readonly string[],
  { handles, environment }: Surroundings = {},
): Promise<EmulatorProcess> => {
  const limited = handles === undefined ? [] : ['bash', '-c', `ulimit -n ${handles}; exec "$0" "$@"`]
  const [program = '', ...words] = [...limited, process.execPath, CLI, 'start', '--port', '0', '--json']
  const child = spawn(program, [...words, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  })
  let errors = ''
  child.stderr.on('data', (data) => {
    errors = (errors + data).slice(-20_000)
  })
  const ended = once(child, 'exit')
  let isAskedToEnd = false
  void ended.then(([code, signal]) => {
    if (!isAskedToEnd) errors += `\nError: it ended by itself, with ${code ?? signal}`
  })
  const lines = createInterface({ input: child.stdout })
  const first = await Promise.race([once(lines, 'line'), ended.then(() => undefined)])
  if (first === undefined) throw new Error(`The emulator did not start:\n${errors}`)
  lines.removeAllListeners()
  child.stdout.resume()
  const { url, port, pid } = JSON.parse(String(first[0])) as { url: string; port: number; pid: number }
  const end = async (signal: NodeJS.Signals) => {
    isAskedToEnd = true
    child.kill(signal)
    return (await ended) as [code: number | null]
  }
  return {
    url,
    port,
    pid,
    errors: () => errors,
    kill: async () => void (await end('SIGKILL')),
    stop: async () => {
      const [code] = await end('SIGTERM')
      if (code !== 0) throw new Error(`The emulator ended with ${code}:\n${errors}`)
    },
  }
}

/** Of a process, in MiB; from the system, so that it counts what the process itself does not know of. NaN where it has ended. */
export const memoryOf = (pid: number): number => {
  const file = `/proc/${pid}/status`
  const kib = existsSync(file) ? /VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] : undefined
  return Number(kib ?? Number.NaN) / 1024
}

/** Files, connections and the like that a process holds; none where it has ended. */
export const handlesOf = (pid: number): number => {
  const folder = `/proc/${pid}/fd`
  return existsSync(folder) ? readdirSync(folder).length : 0
}
