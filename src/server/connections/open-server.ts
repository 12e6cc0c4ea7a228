import { createServer, type RequestListener, type Server } from 'node:http'
import type { Settings } from '../../core/settings.js'
import { destroyIdle } from './end-unread.js'
import { createExchanges } from './exchanges.js'
import { protocolCheck } from './refusal-before-use.js'
import { answerClientErrors } from './refuse-broken-requests.js'
import { sendProtocolError } from './wire-refusal.js'

/**
 * An HTTP server that no client can hold up, fill or leave without an answer: whatever is wrong with a request before
 * anybody looks at what it asks is answered in JSON, and every wait for a client has an end that is a setting.
 */
export const openServer = (settings: Settings, listener: RequestListener): Server => {
  const exchanges = createExchanges()
  const server = createServer(optionsOf(settings), (request, response) => {
    const refusal = protocolCheck(request, exchanges.begun(request, response), settings)
    if (refusal === undefined) exchanges.inTurn(request, () => listener(request, response))
    else sendProtocolError(response, refusal)
  })
  server.maxRequestsPerSocket = settings.requestsPerConnection
  server.timeout = settings.unreadTimeoutMs
  allowHalfOpen(server)
  answerClientErrors(server, settings, exchanges)
  destroyIdle(server, exchanges)
  return server
}

const optionsOf = (settings: Settings) => ({
  headersTimeout: Math.min(settings.headersTimeoutMs, settings.requestTimeoutMs),
  requestTimeout: settings.requestTimeoutMs,
  keepAliveTimeout: settings.keepAliveTimeoutMs,
  connectionsCheckingInterval: checkingIntervalMs(settings),
  maxHeaderSize: settings.headerBytes,
  // Node answers a request without a Host with nothing but a status; it is refused with a reason instead.
  requireHostHeader: false,
  insecureHTTPParser: false,
})

// A time that is up is noticed at most a second later, or a tenth where it is shorter than ten seconds.
const checkingIntervalMs = ({ headersTimeoutMs, requestTimeoutMs }: Settings): number =>
  Math.max(1, Math.min(1_000, Math.ceil(Math.min(headersTimeoutMs, requestTimeoutMs) / 10)))

/** A client may close its half after it has asked, as `nc` does; it still gets its answer. */
const allowHalfOpen = (server: Server & { httpAllowHalfOpen?: boolean }): void => {
  server.httpAllowHalfOpen = true
}
