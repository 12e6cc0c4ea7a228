import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Events } from '../core/events.js'
import type { Settings } from '../core/settings.js'
import { sendProtocolError } from './listener.js'
import { randomRequestId } from './request-id.js'

/** CORS handler: sets the headers of an answer, and answers preflights itself. True: it has answered. */
export type HandleCors = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * CORS of the service and of results: pages of `corsOrigins` may call the service, and pages of any origin may read
 * results, as of object stores (gap X9). The control API has none.
 * @param onRefused called for the preflight of any other page
 */
export const createCors = (
  { corsOrigins }: Pick<Settings, 'corsOrigins'>,
  onRefused: (refused: Events['preflight'][0]) => void,
): HandleCors => {
  const isAllowed = (origin: string) => corsOrigins.includes('*') || corsOrigins.includes(origin)

  return (request, response) => {
    const { method, url = '', headers } = request
    const origin = headers.origin?.slice(0, MAX_ORIGIN)
    const isResult = url.startsWith('/results/')
    if (!isResult && origin === undefined) return false
    if (!isResult && isAllowed(origin as string)) {
      response.setHeader('Access-Control-Allow-Origin', origin as string)
      response.setHeader('Access-Control-Expose-Headers', '*')
      response.setHeader('Vary', 'Origin')
    }
    if (method !== 'OPTIONS') return false
    if (isResult) sendPreflight(response, { 'Access-Control-Allow-Origin': '*' }, 'GET, HEAD')
    else if (isAllowed(origin as string)) sendPreflight(response, {}, 'GET, POST, DELETE')
    else {
      const says = `Pages of ${origin} may not call the service. The setting corsOrigins lets them (--set corsOrigins=${origin}), or have the server of the page pass its calls on: docs/browser.md.`
      onRefused({ origin: origin as string, says })
      sendProtocolError(response, { status: 403, code: 'foreign_origin', message: says })
    }
    return true
  }
}

const MAX_ORIGIN = 300

/** The answer to a preflight of a page that may call. */
const sendPreflight = (response: ServerResponse, origin: Record<string, string>, methods: string): void => {
  response.writeHead(204, {
    ...origin,
    'Access-Control-Allow-Methods': methods,
    // The star does not include Authorization.
    'Access-Control-Allow-Headers': '*, Authorization',
    'Access-Control-Max-Age': '600',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': randomRequestId(),
  })
  response.end()
}
