import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Server as TlsServer } from 'node:tls'
import { createAdmissionQueue } from '../concurrency.js'
import { counted } from '../core/count-words.js'
import type { Settings } from '../core/settings.js'
import type { Quotas } from '../quotas.js'
import { clearInterval, clearTimeout, setInterval, setTimeout } from '../timers.js'
import { randomRequestId } from './request-id.js'
import { terminateTls } from './tls.js'

/** Protocol error: what is wrong with a request as HTTP, before its operation is known. */
export interface ProtocolError {
  readonly status: number
  /** A stable name for programs. */
  readonly code: string
  /** Says what was received, what was expected, and the setting, if there is one. */
  readonly message: string
}

/** Told of a request that is refused before its family is known. */
export type OnRefused = (error: ProtocolError) => void

/** The responses of each connection that are not sent yet, in the order of the requests. */
type PendingResponses = WeakMap<Duplex, ServerResponse[]>

// A request takes a fraction of a millisecond, so that a turn of the event loop takes some milliseconds.
const REQUESTS_PER_TURN = 16

// With so many requests without an answer, a connection is read on only as its answers go out (backpressure).
const MAX_PIPELINED = 16

/** Reads a connection on, or not, by the responses that it waits for. Later in this turn, since Node resumes it after each request. */
const holdBack = (socket: Socket, queue: readonly ServerResponse[]): void =>
  process.nextTick(() => {
    if (queue.length >= MAX_PIPELINED) socket.pause()
    else if (socket.isPaused()) socket.resume()
  })

/**
 * HTTP listener: Node's server with its time limits, a limit of connections, and JSON bodies for everything that Node
 * itself would answer with a bare status. Pipelined requests are handled one after another, so that a client that does
 * not read has one answer in memory and not a thousand.
 * @param tls decrypts the connections that begin with a handshake; without it, they are answered as malformed requests
 */
export const createListener = (
  settings: Settings,
  handle: RequestListener,
  quotas: Pick<Quotas, 'refuse' | 'observe' | 'measure'>,
  onRefused: OnRefused,
  tls?: TlsServer,
): Server => {
  const pending: PendingResponses = new WeakMap()
  const admit = createAdmissionQueue(REQUESTS_PER_TURN)
  const server = createServer(serverOptions(settings), (request, response) => {
    const { socket } = request
    let queue = pending.get(socket)
    if (queue === undefined) {
      queue = []
      pending.set(socket, queue)
      closeHalfOpen(socket)
    }
    const previous = queue.at(-1)
    queue.push(response)
    if (queue.length >= MAX_PIPELINED) holdBack(socket, queue)
    response.once('close', () => {
      queue.splice(queue.indexOf(response), 1)
      if (queue.length >= MAX_PIPELINED - 1) holdBack(socket, queue)
      if (!request.complete) drainBody(request)
    })
    // Node announces the end of such a connection, and leaves it open until its keep-alive time is over.
    if ('maxRequestsOnConnectionReached' in response && response.maxRequestsOnConnectionReached === true)
      response.shouldKeepAlive = false
    const error = protocolCheck(request, queue.length, settings)
    const start = () => (socket.destroyed ? undefined : handle(request, response))
    if (error !== undefined) sendProtocolError(response, error, onRefused)
    else if (previous === undefined) admit(start)
    else previous.once('close', () => admit(start))
  })
  server.maxRequestsPerSocket = settings.requestsPerConnection
  // Node counts 2,000 headers and drops the others, Origin and Host among them; headerBytes bounds them all.
  server.maxHeadersCount = 0
  server.timeout = settings.unreadTimeoutMs
  // A client may close its half after the request, as `nc` does; it still gets its answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  answerClientErrors(server, settings, pending, onRefused)
  destroyIdle(server, pending)
  limitConnections(server, settings, quotas, tls)
  return server
}

const serverOptions = (settings: Settings) => {
  const headersTimeout = Math.min(settings.headersTimeoutMs, settings.requestTimeoutMs)
  return {
    headersTimeout,
    requestTimeout: settings.requestTimeoutMs,
    keepAliveTimeout: settings.keepAliveTimeoutMs,
    // A time limit is noticed a second late at most, or a tenth of it if it is below ten seconds.
    connectionsCheckingInterval: Math.max(1, Math.min(1_000, Math.ceil(headersTimeout / 10))),
    maxHeaderSize: settings.headerBytes,
    // Node answers a request without a Host with a bare status; protocolCheck answers it with a reason.
    requireHostHeader: false,
    insecureHTTPParser: false,
  }
}

// How long nothing may be sent to a client that has closed its half of the connection.
const HALF_OPEN_MS = 1_000

/** Ends a half-open connection once nothing more is sent: most clients that close their half have gone. */
const closeHalfOpen = (socket: Socket): void => {
  socket.once('end', () => {
    let sent = socket.bytesWritten
    const timer = setInterval(() => {
      if (socket.bytesWritten === sent) socket.destroy()
      sent = socket.bytesWritten
    }, HALF_OPEN_MS)
    socket.once('close', () => clearInterval(timer))
  })
}

// How often it is looked at whether a client still sends a body that is answered already, and how long it may.
const DRAIN_MS = 1_000
const MAX_DRAIN_MS = 30_000

/**
 * Drains a body that is answered already: a client that writes all of it before it reads would lose the answer by a reset. The
 * connection ends when nothing has come for a second, or after half a minute.
 */
const drainBody = (request: IncomingMessage): void => {
  const { socket } = request
  let read = socket.bytesRead
  let waitedMs = 0
  const timer = setInterval(() => {
    waitedMs += DRAIN_MS
    if (socket.bytesRead === read || waitedMs >= MAX_DRAIN_MS) socket.destroy()
    read = socket.bytesRead
  }, DRAIN_MS)
  // Emitted as soon as all of it has been received, or with the end of the connection.
  request.once('close', () => clearInterval(timer))
}

/** @param rawHeaders names and values in turn */
const repeatsHost = (rawHeaders: readonly string[]): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

/** Protocol-level checks that apply to every request. `pipelined` counts the unanswered requests of its connection. */
const protocolCheck = (
  { headers, httpVersion, rawHeaders }: IncomingMessage,
  pipelined: number,
  { requestsAtOncePerConnection: max }: Settings,
): ProtocolError | undefined => {
  if (pipelined > max) {
    const message = `This connection has ${counted(max, 'request')} without an answer, and the setting requestsAtOncePerConnection is ${max}.`
    return { status: 503, code: 'too_many_requests_at_once', message }
  }
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    const message = `The request line must name HTTP/1.1 or HTTP/1.0, received HTTP/${httpVersion}.`
    return { status: 505, code: 'http_version_not_supported', message }
  }
  // HTTP/1.0 has no Host; from 1.1 on a request has exactly one (RFC 9112, 3.2). It is empty where a URL has no host, as none of ours.
  if (!headers.host && httpVersion !== '1.0') {
    const message = 'The request has no Host header, or an empty one, and HTTP/1.1 requires it.'
    return { status: 400, code: 'host_missing', message }
  }
  if (repeatsHost(rawHeaders))
    return { status: 400, code: 'host_repeated', message: 'The request has more than one Host header.' }
  return undefined
}

// How long a refused client may take to read the answer; after that both sides of the connection are closed.
const CLOSE_TIMEOUT_MS = 5_000

/** The `clientError` handler, and what else Node answers by itself: JSON in place of a bare status. */
const answerClientErrors = (
  server: Server,
  settings: Settings,
  pending: PendingResponses,
  onRefused: OnRefused,
): void => {
  const refused = new WeakSet<Duplex>()

  /** Answers come in the order of the requests: what was received whole before is answered first. */
  const refuse = (socket: Duplex, error: ProtocolError): void => {
    if (refused.has(socket)) return
    refused.add(socket)
    // Browsers open connections that they may never use.
    if ((socket as Socket).bytesRead !== 0) onRefused(error)
    const queue = pending.get(socket) ?? []
    const write = () => {
      if (!socket.writable || queue.some(({ headersSent }) => headersSent)) socket.destroy()
      else closeGracefully(socket, serializeProtocolError(error), CLOSE_TIMEOUT_MS)
    }
    const earlier = queue.findLast(({ req }) => req.complete)
    if (earlier === undefined) write()
    else earlier.once('close', write)
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') socket.destroy()
    else refuse(socket, clientErrorResponse(error, settings))
  })
  server.on('connect', (_request: IncomingMessage, socket) => {
    socket.on('error', () => socket.destroy())
    const message = 'CONNECT is not supported: Backlot is not a proxy.'
    refuse(socket, { status: 405, code: 'no_tunnel', message })
  })
  server.on('checkExpectation', ({ headers }: IncomingMessage, response: ServerResponse) => {
    const message = `Expect must be 100-continue, received ${JSON.stringify((headers.expect ?? '').slice(0, 100))}.`
    sendProtocolError(response, { status: 417, code: 'expectation_not_met', message }, onRefused)
  })
}

// The type of the first record of TLS, with which a client begins (RFC 8446, 5.1). No request begins with it.
const TLS_HANDSHAKE = 0x16

/** The answer to an error of Node's HTTP parser or to one of its time limits, with the setting that allows more. */
const clientErrorResponse = (
  error: NodeJS.ErrnoException & { reason?: string; rawPacket?: Buffer },
  { headerBytes, headersTimeoutMs, requestTimeoutMs }: Settings,
): ProtocolError => {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW': {
      const message = `The request line and headers are larger than ${headerBytes} bytes (setting headerBytes).`
      return { status: 431, code: 'headers_too_large', message }
    }
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW': {
      const message = 'The chunks of the request body have extensions that are too large.'
      return { status: 413, code: 'chunk_extensions_too_large', message }
    }
    case 'ERR_HTTP_REQUEST_TIMEOUT': {
      const message = `The headers must arrive within ${headersTimeoutMs} ms (setting headersTimeoutMs) and the whole request within ${requestTimeoutMs} ms (setting requestTimeoutMs).`
      return { status: 408, code: 'request_timeout', message }
    }
    default: {
      if (error.rawPacket?.[0] === TLS_HANDSHAKE) {
        const message =
          'A client speaks TLS here, and this port speaks plain HTTP: give the client a URL that begins with http://, or set tlsCert and tlsKey.'
        return { status: 400, code: 'tls_without_certificate', message }
      }
      const message =
        error.code === 'HPE_PAUSED_H2_UPGRADE'
          ? 'The request is HTTP/2, which is not supported without TLS: send HTTP/1.1.'
          : `The request is not HTTP/1.1: ${error.reason ?? error.message}.`
      return { status: 400, code: 'malformed_request', message }
    }
  }
}

/**
 * Idle timeout: ends connections on which nothing has moved for `unreadTimeoutMs`, those with nothing to answer and
 * those that leave an answer unread. One that waits for its answer stays open, however long a scenario delays it, and
 * one that has sent no headers yet has Node's `headersTimeout`.
 */
const destroyIdle = (server: Server, pending: PendingResponses): void => {
  server.on('timeout', (socket: Socket) => {
    const isIdle = pending.get(socket)?.length === 0
    if (!isIdle && socket.writableLength === 0) socket.setTimeout(server.timeout)
    else socket.destroy()
  })
}

// How many connections above the limit get an answer at a time, and for how long; further ones are closed without one.
const REFUSED_AT_ONCE = 100
const REFUSED_CLOSE_TIMEOUT_MS = 1_000

/** Connection limit: answers connections above it with 503 when they open, and closes them. */
const limitConnections = (
  server: Server,
  { maxConnections: max, headersTimeoutMs }: Settings,
  quotas: Pick<Quotas, 'refuse' | 'observe' | 'measure'>,
  tls: TlsServer | undefined,
): void => {
  // Node reads requests in a listener of its own, which connections above the limit must not reach.
  const readers = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  const read = (socket: Socket): void => {
    for (const reader of readers) reader.call(server, socket)
  }
  const accept = tls === undefined ? read : terminateTls(tls, headersTimeoutMs, read)
  let open = 0
  server.maxConnections = max + REFUSED_AT_ONCE
  server.on('connection', (socket: Socket) => {
    if (open >= max) {
      quotas.refuse('connections')
      const message = `There are ${max} connections already, and the setting maxConnections is ${max}.`
      const error = { status: 503, code: 'too_many_connections', message }
      return closeGracefully(socket, serializeProtocolError(error), REFUSED_CLOSE_TIMEOUT_MS)
    }
    open += 1
    quotas.observe('connections', open)
    socket.once('close', () => {
      open -= 1
    })
    accept(socket)
  })
  server.on('drop', () => quotas.refuse('connections'))
  quotas.measure({ connections: () => open })
}

/**
 * Graceful close: writes a last answer and ends the connection. Destroyed at once, the answer would be lost if the client
 * is still sending, because its system discards what it has not read yet. So the connection is destroyed when the client
 * has closed its side, or after a time.
 */
const closeGracefully = (socket: Duplex, answer: string, timeoutMs: number): void => {
  socket.on('error', () => socket.destroy())
  socket.end(answer)
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), timeoutMs)
  socket.once('close', () => clearTimeout(timer))
}

/** Answers a request that was understood as HTTP, and closes its connection. */
export const sendProtocolError = (
  response: ServerResponse,
  error: ProtocolError,
  onRefused?: OnRefused,
): void => {
  onRefused?.(error)
  const bytes = protocolErrorBody(error)
  response.writeHead(error.status, protocolErrorHeaders(bytes))
  response.end(bytes)
}

/** The same answer as bytes on the wire, for a connection on which no request was understood. */
const serializeProtocolError = (error: ProtocolError): string => {
  const body = protocolErrorBody(error)
  const headers = { ...protocolErrorHeaders(body), Date: new Date().toUTCString() }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines, '', body].join('\r\n')
}

/** In the shape of the answer to an unknown path (gap X7). */
const protocolErrorBody = ({ code, message }: ProtocolError): Buffer =>
  Buffer.from(JSON.stringify({ error: { message, type: 'invalid_request_error', param: '', code } }))

const protocolErrorHeaders = (body: Buffer) => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': body.length,
  'X-Content-Type-Options': 'nosniff',
  'X-Request-Id': randomRequestId(),
  Connection: 'close',
})
