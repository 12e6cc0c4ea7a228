import { brotliDecompressSync, unzipSync } from 'node:zlib'
import type { HttpAnswer } from '../emulator/surface/client.js'

/** Body without its compression, of services that compress unasked. Undefined where the coding is another, or the body is broken. */
export const decodedBody = ({ headers, bytes }: HttpAnswer): Buffer | undefined => {
  const decode = decoders[headers['content-encoding']?.toLowerCase() ?? 'identity']
  if (decode === undefined) return undefined
  // As of HEAD.
  if (bytes.length === 0) return bytes
  try {
    return decode(bytes)
  } catch {
    return undefined
  }
}

// A small body can hold a large one.
const options = { maxOutputLength: 64 * 1024 * 1024 }
const unzip = (bytes: Buffer): Buffer => unzipSync(bytes, options)

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  identity: (bytes) => bytes,
  br: (bytes) => brotliDecompressSync(bytes, options),
  deflate: unzip,
  gzip: unzip,
  'x-gzip': unzip,
}

/** Other target to which an answer redirects its call, with the same path below it. Undefined where it does not. */
export const redirectedTarget = (
  target: string,
  path: string,
  { status, headers: { location = '' } }: Pick<HttpAnswer, 'status' | 'headers'>,
): string | undefined => {
  if (status < 300 || status > 399 || !URL.canParse(location, target + path)) return undefined
  const { origin, pathname } = new URL(location, target + path)
  const [end = ''] = path.split('?')
  const moved = origin + pathname.slice(0, pathname.length - end.length)
  return pathname.endsWith(end) && moved !== target ? moved : undefined
}
