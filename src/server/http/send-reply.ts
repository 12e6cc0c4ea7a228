import type { ServerResponse } from 'node:http'
import type { Reply } from '../../core/operation.js'

/** Writes a reply as JSON, with the request id that every answer carries (defaults X3). */
export const sendReply = (response: ServerResponse, reply: Reply, requestId: string): void => {
  const bytes = Buffer.from(JSON.stringify(reply.body), 'utf8')
  response.writeHead(reply.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    'X-Request-Id': requestId,
    ...reply.headers,
  })
  response.end(bytes)
}
