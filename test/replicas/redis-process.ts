import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@redis/client'

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Client that looks into a server. A server that is ended is no error of its. */
export const openClient = async (url: string) => {
  const client = createClient({ url })
  client.on('error', () => {})
  return client.connect()
}

/** How a client reaches a server. */
interface Access {
  /** Default: neither TLS nor a password. */
  readonly urlOf?: (port: number) => string
  /** Certificate that is trusted. Default: those of the system. */
  readonly ca?: string
}

/**
 * Redis server that `start` runs in a process of its own, with a folder that `remove` deletes. For tests, benchmarks and fault
 * injection.
 */
export const createRedisProcess = async (
  options: readonly string[] = [],
  { urlOf = (port) => `redis://127.0.0.1:${port}`, ca }: Access = {},
) => {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'backlot-redis-'))
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const save = options.includes('--appendonly') ? [] : ['--save', '']
    const ports = ca === undefined ? ['--port', String(port)] : ['--port', '0', '--tls-port', String(port)]
    const given = [...ports, '--dir', folder, '--bind', '127.0.0.1', ...save, ...options]
    child = spawn('redis-server', given, { stdio: 'ignore' })
    const tls = ca === undefined ? {} : { tls: true as const, ca: readFileSync(ca) }
    const client = createClient({ url, socket: { reconnectStrategy: 20, ...tls } })
    client.on('error', () => {})
    await client.connect()
    // An append file is being read.
    while ((await client.ping().catch(() => '')) !== 'PONG');
    await client.close()
  }
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  const url = urlOf(port)
  const remove = async (): Promise<void> => {
    await stop('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  return { url, port, start, stop, remove, signal: (signal: NodeJS.Signals) => void child?.kill(signal) }
}
