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
import type { HealthReporter } from '../core/health-issue.js'
import type { Settings } from '../core/settings.js'
import { randomRequestId } from './request-id.js'

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

/** A request and its answer, as long as the answer has not gone out. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** What every connection has asked and has no answer to yet, in the order in which it asked. */
interface Exchanges {
  /** Remembers an exchange until its answer is out; returns how many its connection has now. */
  begun(request: IncomingMessage, response: ServerResponse): number
  /**
   * Calls back as soon as what the connection asked before has gone out. What is asked in one go is so done in order,
   * and of answers that nobody reads there is one, however many were asked for. What had to wait is done between what
   * others ask, a little in each turn of the event loop.
   */
  inTurn(request: IncomingMessage, act: () => void): void
  of(connection: Duplex): readonly Exchange[]
  /** Whether it has ever asked anything. */
  hasAsked(connection: Duplex): boolean
}

interface Line {
  readonly open: Set<Exchange>
  readonly waiting: (() => void)[]
  /** Nothing more is read of the connection until all but one are answered. */
  isHeld: boolean
}

// Of all connections together: about two milliseconds, in which nobody else is heard.
const ANSWERS_IN_ONE_TURN = 16

// Node reads 64 KiB of a connection at a time, and takes all requests in it at once: a thousand, some ten milliseconds.
const READS_IN_ONE_TURN = 1

// No client that means well asks so much ahead of its answers; what more it has sent stays with the system meanwhile.
const MOST_AHEAD = 100

const createExchanges = (): Exchanges => {
  const lines = new WeakMap<Duplex, Line>()
  const answers = createTickBudget(ANSWERS_IN_ONE_TURN)
  const reads = createTickBudget(READS_IN_ONE_TURN)

  const lineOf = (connection: Duplex): Line => {
    const known = lines.get(connection) ?? { open: new Set(), waiting: [], isHeld: false }
    lines.set(connection, known)
    return known
  }

  const hold = (line: Line, connection: Duplex): void => {
    line.isHeld = true
    // Node itself goes on reading at the end of the request that it hands over now.
    process.nextTick(() => connection.pause())
  }

  const letGo = (line: Line, connection: Duplex): void => {
    line.isHeld = false
    reads.take(() => {
      if (!line.isHeld) connection.resume()
    })
  }

  return {
    begun: (request, response) => {
      const { socket } = request
      const line = lineOf(socket)
      const exchange = { request, response }
      line.open.add(exchange)
      if (line.open.size > MOST_AHEAD && !line.isHeld) hold(line, socket)
      response.once('close', () => {
        line.open.delete(exchange)
        if (!request.complete) drainBody(request)
        if (line.isHeld && line.open.size <= 1) letGo(line, socket)
        const next = line.waiting.shift()
        if (next !== undefined) answers.take(next)
      })
      return line.open.size
    },
    inTurn: (request, act) => {
      const { open, waiting } = lineOf(request.socket)
      if (open.size === 1) act()
      else waiting.push(() => (request.socket.destroyed ? undefined : act()))
    },
    of: (connection) => [...(lines.get(connection)?.open ?? [])],
    hasAsked: (connection) => lines.has(connection),
  }
}

// How long a client may go on sending what has been answered already: an end in the middle could cost it the answer.
const REST_MS = 1_000

const drainBody = (request: IncomingMessage): void => {
  const { socket } = request
  const timer = setTimeout(() => socket.destroy(), REST_MS)
  // Closed as soon as all of it has come, and with its connection.
  request.once('close', () => clearTimeout(timer))
}

/** Lets so much be done in one turn of the event loop, so that whoever else asks comes in between. */
interface TickBudget {
  /** Does it at once, or in one of the next turns where so much has been done in this one, or others wait already. */
  take(act: () => void): void
}

const createTickBudget = (mostInOne: number): TickBudget => {
  const waiting: (() => void)[] = []
  let left = mostInOne
  let isPlanned = false

  const plan = (): void => {
    if (isPlanned) return
    isPlanned = true
    setImmediate(turn)
  }

  const turn = (): void => {
    isPlanned = false
    const now = waiting.splice(0, mostInOne)
    left = mostInOne - now.length
    if (now.length > 0) plan()
    for (const act of now) act()
  }

  return {
    take: (act) => {
      plan()
      if (left === 0 || waiting.length > 0) return void waiting.push(act)
      left -= 1
      act()
    },
  }
}

/**
 * Ends connections on which nothing has moved for the server's timeout: those that ask nothing more, and those that
 * leave an answer unread. One that waits for its answer is left alone, however long the emulator takes on purpose, and
 * for the headers of one that has yet to ask there is a time of its own.
 */
const destroyIdle = (server: Server, exchanges: Exchanges): void => {
  server.on('timeout', (connection: Socket) => {
    const isIdle = exchanges.hasAsked(connection) && exchanges.of(connection).length === 0
    if (!isIdle && connection.writableLength === 0) connection.setTimeout(server.timeout)
    else connection.destroy()
  })
}

/** What is wrong with a request whoever it is for; undefined where nothing is. `atOnce` counts those of its connection. */
const protocolCheck = (
  request: IncomingMessage,
  atOnce: number,
  { requestsAtOncePerConnection: most }: Settings,
): ProtocolError | undefined => {
  if (atOnce > most) return tooManyAtOnce(most)
  // HTTP/1.0 has no Host; from 1.1 on it is an error to leave it out (RFC 9112, 3.2).
  if (request.headers.host === undefined && request.httpVersion !== '1.0') return noHost
  return undefined
}

const noHost: ProtocolError = {
  status: 400,
  code: 'host_missing',
  message: 'The request has no Host header, which HTTP/1.1 asks for.',
}

// Answered rather than left waiting: what is answered counts against what Node lets a connection keep unread, and
// so a connection that goes on asking is no longer read.
const tooManyAtOnce = (most: number): ProtocolError => ({
  status: 503,
  code: 'too_many_requests_at_once',
  message: `This connection has ${most} requests without an answer, and the setting requestsAtOncePerConnection is ${most}.`,
})

// How long a client that is told to go may take to read why; after that the connection ends on both sides.
const FAREWELL_MS = 5_000

/** Answers what Node would answer with an empty body, or with the end of the connection alone. */
const answerClientErrors = (server: Server, settings: Settings, exchanges: Exchanges): void => {
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

/** What the reader of requests found, in words that say what is allowed and which setting allows more. */
const clientErrorResponse = (
  error: NodeJS.ErrnoException & { reason?: string },
  { headerBytes, headersTimeoutMs, requestTimeoutMs }: Settings,
): ProtocolError => {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        code: 'headers_too_large',
        message: `The request line and headers are larger than ${headerBytes} bytes (setting headerBytes).`,
      }
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return {
        status: 413,
        code: 'chunk_extensions_too_large',
        message: 'The chunks of the request body have extensions that are too large.',
      }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        status: 408,
        code: 'request_timeout',
        message: `The headers have to come within ${headersTimeoutMs} ms (setting headersTimeoutMs) and the whole request within ${requestTimeoutMs} ms (setting requestTimeoutMs).`,
      }
    default:
      return {
        status: 400,
        code: 'malformed_request',
        message: `The request is not HTTP/1.1: ${error.reason ?? error.message}.`,
      }
  }
}

/** What is wrong with a request as HTTP, before it is known which operation it is for. */
export interface ProtocolError {
  readonly status: number
  /** A stable name for programs. */
  readonly code: string
  /** Says what was found, what is allowed, and the setting where there is one. */
  readonly message: string
}

/** The body of the answer, in the shape that unknown paths have (gap X7). */
const protocolErrorBody = ({ code, message }: ProtocolError) => ({
  error: { message, type: 'invalid_request_error', param: '', code },
})

/** Answers a request that was understood as HTTP, and ends its connection after that. */
export const sendProtocolError = (response: ServerResponse, refusal: ProtocolError): void => {
  const bytes = Buffer.from(JSON.stringify(protocolErrorBody(refusal)))
  response.writeHead(refusal.status, { ...headersFor(bytes), Connection: 'close' })
  response.end(bytes)
}

/** The same answer as it stands on the wire, for a connection on which nothing was understood. */
export const serializeProtocolError = (refusal: ProtocolError): string => {
  const body = JSON.stringify(protocolErrorBody(refusal))
  const headers = { ...headersFor(Buffer.from(body)), Connection: 'close', Date: new Date().toUTCString() }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`, ...lines, '', body].join('\r\n')
}

const headersFor = (bytes: Buffer) => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': bytes.length,
  'X-Request-Id': randomRequestId(),
})

/**
 * Writes a last answer and closes. Ended at once, the answer would be lost where the client is still sending: its system
 * throws away what it has not read yet. So the connection ends on both sides when the client has gone, or after a time.
 */
export const closeGracefully = (connection: Duplex, answer: string, patienceMs: number): void => {
  connection.on('error', () => connection.destroy())
  connection.end(answer)
  connection.resume()
  const timer = setTimeout(() => connection.destroy(), patienceMs)
  connection.once('close', () => clearTimeout(timer))
}

const BETWEEN_TRIES_MS = 1_000

interface Place {
  readonly port: number
  readonly host: string
}

/**
 * Keeps a server that listens listening: what goes wrong with its socket is told and outlived, and a port that was lost
 * is taken again as soon as it can be had.
 * @returns what lets it close
 */
export const relisten = (server: Server, { port, host }: Place, health: HealthReporter): (() => void) => {
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  const tryAgainSoon = () => {
    clearTimeout(timer)
    if (isOver || server.listening) return
    timer = setTimeout(() => server.listen(port, host), BETWEEN_TRIES_MS)
    timer.unref()
  }

  // Without a listener, an error of the socket (no file handles left, above all) would end the process.
  server.on('error', (error) => {
    if (!isOver) health.report('listening', error)
    tryAgainSoon()
  })
  server.on('close', () => {
    if (isOver) return
    health.report('listening', new Error(`port ${port} on ${host} was lost`))
    tryAgainSoon()
  })
  const works = () => health.resolve('listening')
  server.on('listening', works)
  server.on('connection', works)

  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
