import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import type { Server, TlsOptions } from 'node:tls'
import { EmulatorError } from '../core/errors.js'
import type { Settings } from '../core/settings.js'

/**
 * Creates the server of TLS termination, which listens nowhere; undefined where the settings name no certificate. The files
 * are read once.
 * @throws EmulatorError `bad-setting` or `bad-certificate`
 */
export const createTlsServer = async (settings: Settings): Promise<Server | undefined> => {
  const { tlsCert, tlsKey, headersTimeoutMs } = settings
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined)
    throw new EmulatorError(`${tlsCert === undefined ? 'tlsKey' : 'tlsCert'} is given alone.`, {
      code: 'bad-setting',
      hint: 'tlsCert names the file of a certificate, and tlsKey the one of its key.',
    })
  try {
    const { createServer } = await import('node:tls')
    const [cert, key] = await Promise.all([readFile(tlsCert), readFile(tlsKey)])
    const options: TlsOptions = { cert, key, ALPNProtocols: ['http/1.1'], handshakeTimeout: headersTimeoutMs }
    return createServer(options)
  } catch (cause) {
    const problem = (cause as Error).message
    throw new EmulatorError(`The certificate ${tlsCert} and the key ${tlsKey} cannot be used: ${problem}.`, {
      code: 'bad-certificate',
      hint: 'tlsCert names a PEM file with the certificate and those between it and its root, tlsKey one with its key, without a passphrase.',
      cause,
    })
  }
}

// The record that opens a handshake begins with this byte (RFC 8446, 5.1). No request line does.
const HANDSHAKE = 22

/**
 * TLS termination on a port that speaks HTTP too: a connection that begins with a handshake is decrypted, any other is
 * accepted as it is.
 * @param timeoutMs how long a connection may take to send its first byte
 */
export const terminateTls = (
  tls: Server,
  timeoutMs: number,
  accept: (socket: Socket) => void,
): ((socket: Socket) => void) => {
  tls.on('secureConnection', accept)
  // Node tells of a handshake that takes too long, and leaves its connection open.
  tls.on('tlsClientError', (_error, socket) => void socket.destroy())
  return (socket) => {
    const destroy = () => void socket.destroy()
    socket.on('error', destroy)
    socket.setTimeout(timeoutMs, destroy)
    socket.once('readable', () => {
      const first = socket.read(1) as Buffer | null
      if (first === null) return destroy()
      socket.setTimeout(0).off('timeout', destroy)
      socket.unshift(first)
      if (first[0] === HANDSHAKE) tls.emit('connection', socket)
      else accept(socket)
    })
  }
}
