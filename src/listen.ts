import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { EmulatorError } from './core/errors.js'
import type { Emulator } from './emulator.js'
import { urlHostOf } from './net/host-check.js'
import { createListener } from './service/listener.js'

export interface Listening {
  readonly url: string
  readonly port: number
  readonly server: Server
  /** Stops listening, ends open calls, and stops the emulator. */
  close(): Promise<void>
}

/**
 * Starts listening: puts an emulator on a port.
 * @throws EmulatorError `port-taken`, `cannot-listen`, or what keeps its state file from being used
 */
export const listen = async (emulator: Emulator): Promise<Listening> => {
  const { port, host } = emulator.settings
  const server = createListener(emulator.settings, emulator.app, emulator.quotas)
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await Promise.all([closed, emulator.stop()])
  }
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => void explained(error, host, port).then(reject))
      server.listen({ port, host, backlog: BACKLOG }, resolve)
    })
    // Without a listener, an error of the socket (no file handles left, above all) would end the process.
    server.on('error', (error) => (server.listening ? emulator.health.report('listening', error) : undefined))
    server.on('connection', () => emulator.health.resolve('listening'))
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

const explained = async (
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
): Promise<EmulatorError> => {
  if (error.code !== 'EADDRINUSE')
    return new EmulatorError(`Cannot listen on ${host}:${port}: ${error.message}.`, {
      code: 'cannot-listen',
      hint: 'Choose an address of this machine as host (--host), and a port that you may use (--port).',
      cause: error,
    })
  const { portOwner } = await import('./net/port-owner.js')
  const owner = await portOwner(host, port)
  return new EmulatorError(`Port ${port} on ${host} is taken by ${owner ?? 'another program'}.`, {
    code: 'port-taken',
    hint: 'Stop it, choose another port, or let port 0 pick a free one: `--port 0` of a command, `port: 0` in code.',
    cause: error,
  })
}
