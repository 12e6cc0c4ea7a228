import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { promisify } from 'node:util'
import { idempotent } from './concurrency.js'
import { EmulatorError } from './core/errors.js'
import { formatDuration } from './core/schedule/time.js'
import type { Emulator } from './emulator.js'
import { urlHostOf } from './net/host-check.js'
import { createListener, type OnRefused } from './service/listener.js'
import { createTlsServer } from './service/tls.js'

export interface Listening {
  readonly url: string
  readonly port: number
  readonly server: Server
  /** Stops listening, ends open calls, and stops the emulator. */
  close(): Promise<void>
}

/**
 * Starts listening: puts an emulator on a port.
 * @throws EmulatorError `port-taken`, `cannot-listen`, `bad-certificate`, `bad-setting` of one, or what keeps its state
 * file from being used
 */
export const listen = async (emulator: Emulator): Promise<Listening> => {
  const { port, host } = emulator.settings
  const tls = await createTlsServer(emulator.settings).catch(async (error) => {
    // As below: another process may want its state file.
    await emulator.stop()
    throw error
  })
  const onRefused: OnRefused = (error) => void emulator.events.emit('refused', error)
  const server = createListener(emulator.settings, emulator.app, emulator.quotas, onRefused, tls)
  // Node's closeAllConnections leaves those open that are still in a handshake.
  const open = new Set<Socket>()
  const close = idempotent(async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of open) socket.destroy()
    await Promise.all([closed, emulator.stop()])
  })
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => void explained(error, host, port).then(reject))
      server.listen({ port, host, backlog: BACKLOG }, resolve)
    })
    // Without a listener, an error of the socket (no file handles left, above all) would end the process.
    server.on('error', (error) => (server.listening ? emulator.health.report('listening', error) : undefined))
    server.on('connection', (socket) => {
      emulator.health.resolve('listening')
      open.add(socket)
      socket.once('close', () => open.delete(socket))
    })
    const address = server.address() as AddressInfo
    const url = `http://${urlHostOf(host)}:${address.port}`
    await emulator.resume(url)
    return { url, port: address.port, server, close }
  } catch (error) {
    // Another process may want its port and its state file.
    await close()
    throw error
  }
}

// Connections that wait until they are accepted: with Node's 511, many that come at once are dropped, and TCP tries them
// again seconds later. The system may allow fewer (`somaxconn` on Linux).
const BACKLOG = 16_384

const explained = async (error: NodeJS.ErrnoException, host: string, port: number) => {
  if (error.code !== 'EADDRINUSE')
    return new EmulatorError(`Cannot listen on ${host}:${port}: ${error.message}.`, {
      code: 'cannot-listen',
      hint: 'Choose an address of this machine as host (--host), and a port that you may use (--port).',
      cause: error,
    })
  const owner = await portOwner(host, port)
  return new EmulatorError(`Port ${port} on ${host} is taken by ${owner ?? 'another program'}.`, {
    code: 'port-taken',
    hint: 'Stop it, choose another port, or let port 0 pick a free one: `--port 0` of a command, `port: 0` in code.',
    cause: error,
  })
}

// Most programs answer at once, and some never. One that runs on Node may be a Backlot on a machine under load.
const PROBE_TIMEOUT_MS = 1_000
const NODE_TIMEOUT_MS = 10_000

/** Owner of a port, as far as it can be found out: `another Backlot (version 0.2.0, …)`, `node (process 123)`. */
const portOwner = async (host: string, port: number): Promise<string | undefined> => {
  const program = await listener(port)
  const isNode = program?.startsWith('the program node') === true
  const emulator = await backlotAt(host, port, isNode ? NODE_TIMEOUT_MS : PROBE_TIMEOUT_MS)
  if (emulator === undefined) return program
  return program === undefined ? emulator : `${emulator}, ${program}`
}

const backlotAt = async (host: string, port: number, timeoutMs: number): Promise<string | undefined> => {
  try {
    const response = await fetch(`http://${urlHostOf(host)}:${port}/_backlot/health`, {
      signal: AbortSignal.timeout(timeoutMs),
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
    const { execFile } = await import('node:child_process')
    const { stdout } = await promisify(execFile)(tool, args, { timeout: NODE_TIMEOUT_MS })
    const { name, id } = pattern.exec(stdout)?.groups ?? {}
    return name === undefined ? undefined : `the program ${name} (process ${id})`
  } catch {
    return undefined
  }
}
