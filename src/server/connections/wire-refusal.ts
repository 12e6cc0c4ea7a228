import { type ServerResponse, STATUS_CODES } from 'node:http'
import { randomRequestId } from '../http/request-id.js'

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
