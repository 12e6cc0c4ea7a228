import type { IncomingMessage } from 'node:http'
import type { Body } from '../../core/operation.js'

/** The client went away in the middle of its body; there is nobody to answer. */
export class ClientGone extends Error {}

/** A request's body as data. JSON is read whatever it is labelled, since `curl -d` labels it as a form. */
export const readBody = async (
  request: IncomingMessage,
  limit: number,
): Promise<{ body: Body; bytes: number }> => {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > limit) return { body: { kind: 'too-large', limit }, bytes: declared }
  const contentType = request.headers['content-type'] ?? ''
  if (contentType.startsWith('multipart/'))
    return { body: { kind: 'unsupported', contentType }, bytes: declared }
  const bytes = await collect(request, limit)
  if (bytes === undefined) return { body: { kind: 'too-large', limit }, bytes: limit + 1 }
  return { body: bytes.length === 0 ? { kind: 'none' } : parse(bytes), bytes: bytes.length }
}

const collect = (request: IncomingMessage, limit: number): Promise<Buffer | undefined> =>
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
    request.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    request.once('close', () => reject(new ClientGone()))
    request.once('error', () => reject(new ClientGone()))
  })

const parse = (bytes: Buffer): Body => {
  try {
    return { kind: 'json', value: JSON.parse(bytes.toString('utf8')) }
  } catch (error) {
    return { kind: 'unreadable', detail: `The request body is not valid JSON: ${(error as Error).message}` }
  }
}
