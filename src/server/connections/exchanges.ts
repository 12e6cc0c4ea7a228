import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

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
   * and of answers that nobody reads there is one, however many were asked for.
   */
  inTurn(request: IncomingMessage, act: () => void): void
  of(connection: Duplex): readonly Exchange[]
  /** Whether it has ever asked anything. */
  hasAsked(connection: Duplex): boolean
}

interface Line {
  readonly open: Set<Exchange>
  readonly waiting: (() => void)[]
}

export const createExchanges = (): Exchanges => {
  const lines = new WeakMap<Duplex, Line>()

  const lineOf = (connection: Duplex): Line => {
    const known = lines.get(connection) ?? { open: new Set(), waiting: [] }
    lines.set(connection, known)
    return known
  }

  return {
    begun: (request, response) => {
      const { open, waiting } = lineOf(request.socket)
      const exchange = { request, response }
      open.add(exchange)
      response.once('close', () => {
        open.delete(exchange)
        if (!request.complete) leaveRest(request)
        waiting.shift()?.()
      })
      return open.size
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

const leaveRest = (request: IncomingMessage): void => {
  const { socket } = request
  const timer = setTimeout(() => socket.destroy(), REST_MS)
  // Closed as soon as all of it has come, and with its connection.
  request.once('close', () => clearTimeout(timer))
}
