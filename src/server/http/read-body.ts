import type { IncomingMessage } from 'node:http'
import type { Body } from '../../core/operation.js'
import type { LargeBodyReader } from './large-body/reader.js'

/** The client went away in the middle of its body; there is nobody to answer. */
export class ClientGone extends Error {}

/**
 * A request's body as data. JSON is read whatever it is labelled, since `curl -d` labels it as a form. Without a
 * reader for large bodies, all are read here.
 */
export const readBody = async (
  request: IncomingMessage,
  limit: number,
  large?: LargeBodyReader,
): Promise<{ body: Body; bytes: number }> => {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > limit) return { body: { kind: 'too-large', limit }, bytes: declared }
  const contentType = request.headers['content-type'] ?? ''
  if (contentType.startsWith('multipart/'))
    return { body: { kind: 'unsupported', contentType }, bytes: declared }
  const collected = await collect(request, limit)
  if (collected === undefined) return { body: { kind: 'too-large', limit }, bytes: limit + 1 }
  const { chunks, size } = collected
  if (size === 0) return { body: { kind: 'none' }, bytes: 0 }
  return {
    body: large !== undefined && size > LARGE_BYTES ? await large.read(chunks) : parse(Buffer.concat(chunks)),
    bytes: size,
  }
}

// What the event loop reads itself: a millisecond or two at the most.
const LARGE_BYTES = 512 * 1024

interface Collected {
  readonly chunks: readonly Buffer[]
  readonly size: number
}

const collect = (request: IncomingMessage, limit: number): Promise<Collected | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) {
        chunks.length = 0
        resolve(undefined)
      } else chunks.push(chunk)
    })
    request.once('end', () => resolve({ chunks, size }))
    request.once('close', () => reject(new ClientGone()))
    request.once('error', () => reject(new ClientGone()))
  })

const parse = (bytes: Buffer): Body => {
  const text = bytes.toString('utf8')
  try {
    return { kind: 'json', value: JSON.parse(text) }
  } catch (error) {
    const detail = `The request body is not valid JSON: ${(error as Error).message}`
    return { kind: 'unreadable', detail, ...(text.length > MOST_KEPT ? {} : { text }) }
  }
}

// What a replay can send again of a body that is no JSON.
const MOST_KEPT = 64 * 1024
