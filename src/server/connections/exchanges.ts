import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { createTickBudget } from './turns.js'

/** A request and its answer, as long as the answer has not gone out. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** What every connection has asked and has no answer to yet, in the order in which it asked. */
export interface Exchanges {
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

export const createExchanges = (): Exchanges => {
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
