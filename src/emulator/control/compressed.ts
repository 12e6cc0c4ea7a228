import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import zlib from 'node:zlib'

const gzip = promisify(zlib.gzip)

/** Less than this is sent as it is: compressing it takes longer than sending it on one machine. */
const MIN_BYTES = 4_096

/** A quality of 0, by which a client says that it does not take an encoding. */
const REFUSED = /;\s*q=0(\.0*)?\s*$/i

/** Whether a client takes gzip (RFC 9110, 12.5.3). */
export const takesGzip = (acceptEncoding: string | string[] = ''): boolean => {
  const codings = String(acceptEncoding)
    .split(',')
    .map((coding) => coding.trim())
  const named =
    codings.find((coding) => /^(x-)?gzip\b/i.test(coding)) ?? codings.find((coding) => coding.startsWith('*'))
  return named !== undefined && !REFUSED.test(named)
}

/**
 * Ends a response with a body whose type is set: compressed by gzip, in the quickest way, where the client takes it and the body is no small one.
 */
export const endCompressed = async (
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  body: string | Uint8Array,
): Promise<void> => {
  const bytes = Buffer.from(body)
  response.setHeader('Vary', 'Accept-Encoding')
  const isCompressed = bytes.length >= MIN_BYTES && takesGzip(headers['accept-encoding'])
  const sent = isCompressed ? await gzip(bytes, { level: zlib.constants.Z_BEST_SPEED }) : bytes
  if (isCompressed) response.setHeader('Content-Encoding', 'gzip')
  response.setHeader('Content-Length', sent.length)
  response.end(method === 'HEAD' ? undefined : sent)
}
