import type { Settings } from '../../core/settings.js'
import type { ProtocolError } from './wire-refusal.js'

/** What the reader of requests found, in words that say what is allowed and which setting allows more. */
export const clientErrorResponse = (
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
