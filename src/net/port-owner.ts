import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { formatDuration } from '../core/schedule/time.js'
import { urlHostOf } from './host-check.js'

/** Long enough for a machine under load; most programs answer at once. */
const PROBE_TIMEOUT_MS = 10_000

/** Owner of a port, as far as it can be found out: `another Backlot (version 0.1.0, …)`, `node (process 123)`. */
export const portOwner = async (host: string, port: number): Promise<string | undefined> => {
  const [emulator, program] = await Promise.all([backlotAt(host, port), listener(port)])
  if (emulator === undefined) return program
  return program === undefined ? emulator : `${emulator}, ${program}`
}

const backlotAt = async (host: string, port: number): Promise<string | undefined> => {
  try {
    const response = await fetch(`http://${urlHostOf(host)}:${port}/_backlot/health`, {
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    })
    const { version, uptime_ms } = (await response.json()) as { version?: unknown; uptime_ms?: unknown }
    if (typeof version !== 'string' || typeof uptime_ms !== 'number') return undefined
    return `another Backlot (version ${version}, running for ${formatDuration(uptime_ms)})`
  } catch {
    return undefined
  }
}

// lsof is on every Mac and on some Linux machines, ss on most of the others.
const listener = async (port: number): Promise<string | undefined> =>
  (await programIn(
    'lsof',
    ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'],
    /^p(?<id>\d+)\nc(?<name>.+)$/m,
  )) ?? (await programIn('ss', ['-ltnpH', `sport = :${port}`], /\("(?<name>[^"]+)",pid=(?<id>\d+)/))

const programIn = async (tool: string, args: string[], pattern: RegExp): Promise<string | undefined> => {
  try {
    const { stdout } = await promisify(execFile)(tool, args, { timeout: PROBE_TIMEOUT_MS })
    const { name, id } = pattern.exec(stdout)?.groups ?? {}
    return name === undefined ? undefined : `the program ${name} (process ${id})`
  } catch {
    return undefined
  }
}
