import type { IncomingMessage } from 'node:http'
import type { Settings } from '../../core/settings.js'
import type { ProtocolError } from './wire-refusal.js'

/** What is wrong with a request whoever it is for; undefined where nothing is. `atOnce` counts those of its connection. */
export const protocolCheck = (
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
