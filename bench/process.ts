import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface Running {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/** Starts a program of Node's whose first line of output is `{"event":"ready","url":…}`. */
export const startProcess = async (args: readonly string[]): Promise<Running> => {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  child.stdout.resume()
  const { url } = JSON.parse(line) as { url: string }
  return {
    url,
    pid: child.pid as number,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
