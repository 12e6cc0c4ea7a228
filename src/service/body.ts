import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Body } from '../core/contract.js'
import { exceedsJsonLimits } from '../core/request/body-checks.js'
import { createChunkList } from './large-body/chunks.js'
import type { LargeBodyReader } from './large-body/reader.js'

/** The client went away in the middle of its body; there is nobody to answer. */
export class ClientDisconnected extends Error {}

interface BodyMeans {
  /** Left out, all bodies are read on the event loop. */
  readonly large?: LargeBodyReader
  readonly room: BodyBudget
}

/** A request's body as data. JSON is read whatever it is labelled, since `curl -d` labels it as a form. */
export const readBody = async (
  request: IncomingMessage,
  limit: number,
  { large, room }: BodyMeans,
): Promise<{ body: Body; bytes: number }> => {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > limit) return { body: { kind: 'too-large', limit }, bytes: declared }
  const contentType = request.headers['content-type'] ?? ''
  if (/^multipart\//i.test(contentType))
    return { body: { kind: 'unsupported', contentType }, bytes: declared }
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') return { body: compressed(encoding), bytes: declared }
  const place = room.enter()
  try {
    const collected = await collect(request, limit, place)
    if (collected === 'too-large') return { body: { kind: 'too-large', limit }, bytes: limit + 1 }
    if (collected === 'no-room') return { body: noRoom, bytes: declared }
    if (collected === 'crumbled') return { body: tooManyChunks, bytes: declared }
    const { chunks, size } = collected
    if (size === 0) return { body: { kind: 'none' }, bytes: 0 }
    const isLarge = large !== undefined && size > LARGE_BYTES
    return { body: isLarge ? await large.read(chunks) : parse(joinedUp(chunks)), bytes: size }
  } finally {
    place.leave()
  }
}

// What the event loop reads itself: a millisecond or two at the most.
const LARGE_BYTES = 512 * 1024

// Never unpacked, so that a kilobyte stays a kilobyte.
const compressed = (encoding: string): Body => ({
  kind: 'unreadable',
  detail: `The request body is packed (Content-Encoding: ${encoding.slice(0, 100)}); send it as it is`,
})

const noRoom: Body = {
  kind: 'busy',
  detail: 'The bodies that are being read have no more room together (setting bodyBytesAtOnce)',
}

// Reading a megabyte byte by byte keeps the event loop busy for a second; no client sends one so.
const [MOST_CRUMBS, CRUMB_BYTES] = [20_000, 64]

const tooManyChunks: Body = {
  kind: 'unreadable',
  detail: `The request body comes in more than ${MOST_CRUMBS} pieces of less than ${CRUMB_BYTES} bytes`,
}

type Refused = 'too-large' | 'no-room' | 'crumbled'

interface Collected {
  readonly chunks: readonly Buffer[]
  readonly size: number
}

const collect = (
  request: IncomingMessage,
  limit: number,
  place: BodyReservation,
): Promise<Collected | Refused> =>
  new Promise((resolve, reject) => {
    const pieces = createChunkList()
    let size = 0
    let count = 0
    let isRefused = false
    const refuse = (reason: Refused) => {
      isRefused = true
      pieces.clear()
      resolve(reason)
    }
    request.on('data', (chunk: Buffer) => {
      if (isRefused) return
      size += chunk.length
      count += 1
      if (size > limit) return refuse('too-large')
      if (count > MOST_CRUMBS && size < count * CRUMB_BYTES) return refuse('crumbled')
      if (!place.take(chunk.length)) return refuse('no-room')
      pieces.add(chunk)
    })
    let isWhole = false
    request.on('end', () => {
      isWhole = true
      resolve({ chunks: pieces.all, size })
    })
    // Every request closes in the end, and to make an error for each, with its stack, would cost more than the reading.
    const closed = () => {
      if (!isWhole) reject(new ClientDisconnected())
    }
    request.on('close', closed)
    request.on('error', closed)
  })

// Most bodies come in one piece.
const joinedUp = (chunks: readonly Buffer[]): Buffer =>
  chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)

const parse = (bytes: Buffer): Body => {
  if (!isUtf8(bytes)) return notUtf8
  const text = bytes.toString('utf8')
  const kept = text.length > MOST_KEPT ? {} : { text }
  try {
    const value: unknown = JSON.parse(text)
    const bound = text.length > PLAIN_LENGTH ? exceedsJsonLimits(value) : undefined
    if (bound === undefined) return { kind: 'json', value }
    return { kind: 'unreadable', detail: `The request body must be ${bound}`, ...kept }
  } catch (error) {
    const detail = `The request body is not valid JSON: ${jsonErrorMessage((error as Error).message)}`
    return { kind: 'unreadable', detail, ...kept }
  }
}

// A shorter text cannot go deep enough to exhaust the stack of whatever walks the value.
const PLAIN_LENGTH = 1_024

const notUtf8: Body = {
  kind: 'unreadable',
  detail: 'The request body is not valid JSON: its text is not UTF-8',
}

// What a replay can send again of a body that is no JSON.
const MOST_KEPT = 64 * 1024

/** How much of all the bodies that are being read may be in memory. */
interface BodyBudget {
  /** The place of one body; it has to be left when the body has been read. */
  enter(): BodyReservation
  /** What is taken at present. */
  readonly bytes: number
}

interface BodyReservation {
  /** Takes room for bytes that have come; false where there is none left. */
  take(bytes: number): boolean
  leave(): void
}

// What every body may have without being counted, so that those who send large ones never keep others out.
const UNCOUNTED_BYTES = 64 * 1024

export const createBodyBudget = (maxBytes: number): BodyBudget => {
  let takenBytes = 0
  return {
    get bytes() {
      return takenBytes
    },
    enter: () => {
      let bytes = 0
      const counted = (): number => Math.max(0, bytes - UNCOUNTED_BYTES)
      return {
        take: (more) => {
          const before = counted()
          bytes += more
          takenBytes += counted() - before
          return counted() === 0 || takenBytes <= maxBytes
        },
        leave: () => {
          takenBytes -= counted()
          bytes = 0
        },
      }
    },
  }
}

/**
 * What the runtime has against a text that is no JSON, without the piece of the text that it quotes: that can be a part
 * of a key, and what is wrong is said without.
 */
export const jsonErrorMessage = (message: string): string =>
  message
    .replace(/,? ?(?:\.\.\.)?"[\s\S]*"(?:\.\.\.)? is not valid JSON$/, '')
    .replace(INVISIBLE_TOKEN, (_, token: string) => nameOf(token))

// A character that nobody sees in a message has to be named.
const INVISIBLE_TOKEN = /'([\p{C}\p{Z}])'/u

const nameOf = (token: string): string => {
  const code = `U+${(token.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  return token === '\uFEFF' ? `${code}, a byte order mark, which JSON does not have` : code
}
