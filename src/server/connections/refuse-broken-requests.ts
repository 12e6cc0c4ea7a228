import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Settings } from '../../core/settings.js'
import type { Exchanges } from './exchanges.js'
import { closeGracefully } from './say-goodbye.js'
import { clientErrorResponse } from './what-is-wrong.js'
import { type ProtocolError, sendProtocolError, serializeProtocolError } from './wire-refusal.js'

// How long a client that is told to go may take to read why; after that the connection ends on both sides.
const FAREWELL_MS = 5_000

/** Answers what Node would answer with an empty body, or with the end of the connection alone. */
export const answerClientErrors = (server: Server, settings: Settings, exchanges: Exchanges): void => {
  const refused = new WeakSet<Duplex>()

  const refuse = async (connection: Duplex, refusal: ProtocolError): Promise<void> => {
    if (refused.has(connection)) return
    refused.add(connection)
    await earlierAnswersOut(connection)
    const isAnswered = exchanges.of(connection).some(({ response }) => response.headersSent)
    if (isAnswered || !connection.writable) return void connection.destroy()
    closeGracefully(connection, serializeProtocolError(refusal), FAREWELL_MS)
  }

  /** Answers come in the order of the requests: what was asked in full before is answered first. */
  const earlierAnswersOut = async (connection: Duplex): Promise<void> => {
    const left = closed(connection)
    for (const { request, response } of exchanges.of(connection))
      if (request.complete) await Promise.race([closed(response), left])
  }

  server.on('clientError', (error: NodeJS.ErrnoException, connection) => {
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return void connection.destroy()
    void refuse(connection, clientErrorResponse(error, settings))
  })
  server.on('connect', (_request: IncomingMessage, connection) => {
    connection.on('error', () => connection.destroy())
    void refuse(connection, noTunnel)
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    sendProtocolError(response, unmetExpectation(request.headers.expect ?? '')),
  )
}

// An error closes it, and is nobody's fault here.
const closed = (one: Duplex | ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (one.closed) resolve()
    else one.once('close', () => resolve())
  })

const noTunnel: ProtocolError = {
  status: 405,
  code: 'no_tunnel',
  message: 'This is no proxy: CONNECT is not a method that it has.',
}

const unmetExpectation = (expect: string): ProtocolError => ({
  status: 417,
  code: 'expectation_not_met',
  message: `Expect can be 100-continue, found ${JSON.stringify(expect.slice(0, 100))}.`,
})
