import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@redis/client'
import { afterAll, describe } from 'vitest'

const isInstalled = (): boolean => {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** `describe` for tests that need redis-server. They are skipped with a sentence where it is missing, and never where REDIS_SERVER=required. */
export const describeWithRedis = (name: string, tests: () => void): void => {
  if (process.env.REDIS_SERVER === 'required' || isInstalled())
    describe(name, () => {
      afterAll(async () => {
        for (const end of running.splice(0)) await end()
      })
      tests()
    })
  else {
    console.warn(`Skipped, since redis-server is not installed here: ${name}.`)
    describe.skip(name, tests)
  }
}

/** What ends the servers that the tests of this block have started. */
const running: (() => Promise<void>)[] = []

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

/** A Redis server of its own for a test file, with a folder that goes with it. */
export const startRedis = async (
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
  // A hook that is registered while a test runs is never called.
  running.push(async () => {
    await stop('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  await start()
  return { url, port, start, stop, signal: (signal: NodeJS.Signals) => void child?.kill(signal) }
}
