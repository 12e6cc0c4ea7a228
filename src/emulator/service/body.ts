import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { getHeapStatistics } from 'node:v8'
import { ClientDisconnected } from '../core/errors.js'
import { compressedBody } from '../core/http.js'
import type { Body } from '../core/model/call.js'
import { exceedsJsonLimits } from '../core/request.js'

/** Memory budget of all request bodies that are being read or decided. */
interface BodyBudget {
  /** Size of the largest body that fits while no other is read. */
  readonly maxBodyBytes: number
  /** How many bytes are reserved. */
  readonly bytes: number
  /** Reserves the share of one body, which has to be released. */
  reserve(): {
    /** Reserves memory for bytes that were received; false if there is none left. */
    grow(more: number): boolean
    release(): void
  }
}

// Not counted for any body, so that large bodies never keep small ones out.
const UNCOUNTED_BYTES = 64 * 1024

/**
 * Creates the budget: at most a sixth of the heap, since a body as text and as values takes a multiple of its bytes. The limit
 * that V8 names includes the young generation, up to 192 MiB of it.
 */
export const createBodyBudget = (maxBytes: number): BodyBudget => {
  const max = Math.min(maxBytes, Math.floor(getHeapStatistics().heap_size_limit / 6))
  let reserved = 0
  return {
    maxBodyBytes: max + UNCOUNTED_BYTES,
    get bytes() {
      return reserved
    },
    reserve: () => {
      let bytes = 0
      const counted = (): number => Math.max(0, bytes - UNCOUNTED_BYTES)
      return {
        grow: (more) => {
          const before = counted()
          bytes += more
          reserved += counted() - before
          return counted() === 0 || reserved <= max
        },
        release: () => {
          reserved -= counted()
          bytes = 0
        },
      }
    },
  }
}

/** A body that was read, or the reason why it was not. */
export interface ReadBody {
  readonly body: Body
  /** Of the body, as far as they are known. */
  readonly bytes: number
  /** Gives its memory back to the budget, when nothing of the body is needed any more. Default: it takes none of it. */
  readonly release?: () => void
}

/**
 * Request body reader: parses JSON under any Content-Type, since `curl -d` labels it as a form.
 * @param readLarge parses large bodies elsewhere. Default: all are parsed on the event loop
 * @throws ClientDisconnected
 */
export const readBody = (
  request: IncomingMessage,
  limit: number,
  budget: BodyBudget,
  readLarge?: ReadLarge,
): Promise<ReadBody> =>
  read(request, limit, budget, noJsonIn(request), (chunks, size) => parseChunks(chunks, size, readLarge))

/**
 * Reads a body of any type, whose bytes are passed on as they came.
 * @throws ClientDisconnected
 */
export const readBytes = (request: IncomingMessage, limit: number, budget: BodyBudget): Promise<ReadBody> =>
  read(request, limit, budget, undefined, (chunks, size) => {
    const bytes = concat(chunks)
    const isJson = size <= LARGE_BYTES && noJsonIn(request) === undefined
    const parsed = isJson ? parseBody(bytes) : undefined
    return parsed?.kind === 'json' ? { kind: 'raw', bytes, value: parsed.value } : { kind: 'raw', bytes }
  })

/** Why no body of a request is read as JSON, or undefined where it is. */
const noJsonIn = ({ headers }: IncomingMessage): Body | undefined => {
  const contentType = headers['content-type'] ?? ''
  if (/^multipart\//i.test(contentType)) return { kind: 'unsupported', contentType }
  return compressedBody(headers['content-encoding'])
}

type ParseChunks = (chunks: readonly Buffer[], size: number) => Promise<Body> | Body

const read = async (
  request: IncomingMessage,
  limit: number,
  budget: BodyBudget,
  refused: Body | undefined,
  parse: ParseChunks,
): Promise<ReadBody> => {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > limit) return unread({ kind: 'too-large', limit }, declared)
  if (declared > budget.maxBodyBytes) return unread(tooLargeForBudget(budget), declared)
  if (refused !== undefined) return unread(refused, declared)
  const reservation = budget.reserve()
  try {
    const collected = await collect(request, limit, budget, reservation)
    if ('kind' in collected) {
      reservation.release()
      return unread(collected, collected.kind === 'too-large' ? limit + 1 : declared)
    }
    const { chunks, size } = collected
    const body = size === 0 ? noBody : await parse(chunks, size)
    return size > UNCOUNTED_BYTES
      ? { body, bytes: size, release: reservation.release }
      : { body, bytes: size }
  } catch (error) {
    reservation.release()
    throw error
  }
}

/** Takes the chunks over: they must not be used afterwards. */
type ReadLarge = (chunks: readonly Buffer[]) => Promise<Body>

const parseChunks = (
  chunks: readonly Buffer[],
  size: number,
  readLarge: ReadLarge | undefined,
): Promise<Body> | Body =>
  readLarge !== undefined && size > LARGE_BYTES ? readLarge(chunks) : parseBody(concat(chunks))

const noBody: Body = { kind: 'none' }

const unread = (body: Body, bytes: number): ReadBody => ({ body, bytes })

// Parsed on the event loop up to this size: a millisecond or two.
const LARGE_BYTES = 512 * 1024

const BUDGET = '(setting bodyBytesAtOnce, and a sixth of the heap)'

const noMemory: Body = {
  kind: 'busy',
  detail: `The request bodies that are being read take all the memory that they may have ${BUDGET}`,
}

// A client that sends it again would do so for ever.
const tooLargeForBudget = ({ maxBodyBytes }: BodyBudget): Body => ({
  kind: 'busy',
  isTooLarge: true,
  detail: `The request body is larger than the ${maxBodyBytes} bytes that all request bodies together may have ${BUDGET}; send large media as URLs`,
})

// Reading a megabyte byte by byte keeps the event loop busy for a second; no client sends one so.
const MAX_TINY_CHUNKS = 20_000
const TINY_CHUNK_BYTES = 64

// Built when it is needed: the first number that Intl formats loads its tables, a tenth of what importing the package takes.
const tooManyChunks = (): Body => ({
  kind: 'unreadable',
  detail: `The request body was sent in too many tiny chunks (more than ${MAX_TINY_CHUNKS.toLocaleString('en-US')} below ${TINY_CHUNK_BYTES} bytes)`,
})

/** Collects the chunks of a body, or finds the reason not to. */
const collect = (
  request: IncomingMessage,
  limit: number,
  budget: BodyBudget,
  reservation: ReturnType<BodyBudget['reserve']>,
): Promise<{ readonly chunks: readonly Buffer[]; readonly size: number } | Body> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const add = createJoiner(chunks)
    let size = 0
    let count = 0
    let isRefused = false
    /** Why no more is read, once a chunk has come. */
    const refusalAfter = (chunk: Buffer): Body | undefined => {
      size += chunk.length
      count += 1
      if (size > limit) return { kind: 'too-large', limit }
      if (size > budget.maxBodyBytes) return tooLargeForBudget(budget)
      if (count > MAX_TINY_CHUNKS && size < count * TINY_CHUNK_BYTES) return tooManyChunks()
      return reservation.grow(chunk.length) ? undefined : noMemory
    }
    request.on('data', (chunk: Buffer) => {
      if (isRefused) return
      const reason = refusalAfter(chunk)
      if (reason === undefined) return add(chunk)
      isRefused = true
      chunks.length = 0
      resolve(reason)
    })
    let isComplete = false
    request.on('end', () => {
      isComplete = true
      resolve({ chunks, size })
    })
    // Every request emits `close`. An error with its stack for each would cost more than the reading.
    const closed = () => {
      if (!isComplete) reject(new ClientDisconnected())
    }
    request.on('close', closed)
    request.on('error', closed)
  })

// Above what is parsed on the event loop, so that all of these go to the worker, which gives them back at once.
const JOIN_BYTES = 2 ** 20

// A body that comes byte by byte would otherwise take a hundred times its size.
const JOIN_CHUNKS = 1_024

/** Adds the received chunks of a body to a list, and joins them while they come, a mebibyte or a thousand at a time. */
const createJoiner = (chunks: Buffer[]) => {
  let joined = 0
  let unjoinedBytes = 0
  return (chunk: Buffer): void => {
    chunks.push(chunk)
    unjoinedBytes += chunk.length
    if (unjoinedBytes < JOIN_BYTES && chunks.length - joined < JOIN_CHUNKS) return
    const unjoined = chunks.splice(joined)
    chunks.push(
      unjoinedBytes < JOIN_BYTES ? Buffer.concat(unjoined) : concatResizable(unjoined, unjoinedBytes),
    )
    joined += 1
    unjoinedBytes = 0
  }
}

declare global {
  interface ArrayBufferConstructor {
    // Node has it from 20 on; the library that the compiler is told to use is older.
    new (bytes: number, options: { readonly maxByteLength: number }): ArrayBuffer
  }
}

/**
 * Concatenates chunks, of so many bytes together, in memory that is returned to the system. Chunks of a socket come from a
 * heap that hardly ever shrinks: with a few large bodies in it, it would stay some hundred megabytes for good. A resizable
 * buffer is allocated outside of it.
 */
export const concatResizable = (chunks: readonly Buffer[], bytes: number): Buffer => {
  const whole = Buffer.from(new ArrayBuffer(bytes, { maxByteLength: bytes }))
  let at = 0
  for (const chunk of chunks) at += chunk.copy(whole, at)
  return whole
}

// Most bodies come in one chunk.
const concat = (chunks: readonly Buffer[]): Buffer =>
  chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)

/** Parses the bytes of a JSON body. */
export const parseBody = (bytes: Buffer): Body => {
  if (!isUtf8(bytes)) return inEncoding('not UTF-8')
  // A text of JSON in UTF-16 has a 0 in its first two bytes, unless a mark is before it, which is no UTF-8.
  if (bytes[0] === 0 || bytes[1] === 0) return inEncoding('UTF-16, not UTF-8')
  const text = bytes.toString('utf8')
  const kept = text.length > MAX_RECORDED_LENGTH ? {} : { text }
  try {
    const value: unknown = JSON.parse(text)
    const limit = text.length > SIMPLE_LENGTH ? exceedsJsonLimits(value) : undefined
    if (limit === undefined) return { kind: 'json', value }
    return { kind: 'unreadable', detail: `The request body must be ${limit}`, ...kept }
  } catch (error) {
    const detail = `The request body is not valid JSON: ${jsonErrorMessage((error as Error).message)}`
    return { kind: 'unreadable', detail, ...kept }
  }
}

// A shorter text cannot be deep enough to exhaust the stack of a recursive walk.
const SIMPLE_LENGTH = 1_024

const inEncoding = (encoding: string): Body => ({
  kind: 'unreadable',
  detail: `The request body is not valid JSON: its text is ${encoding}`,
})

// What a replay can send again of a body that is not JSON.
const MAX_RECORDED_LENGTH = 64 * 1024

/** JSON.parse error message without the piece of the text that it quotes, which can be a part of a key. */
export const jsonErrorMessage = (message: string): string =>
  message
    .replace(/,? ?(?:\.\.\.)?"[\s\S]*"(?:\.\.\.)? is not valid JSON$/, '')
    .replace(INVISIBLE_TOKEN, (_, token: string) => nameOf(token))

// A character that is invisible in a message has to be named.
const INVISIBLE_TOKEN = /'([\p{C}\p{Z}])'/u

const nameOf = (token: string): string => {
  const code = `U+${(token.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  return token === '\uFEFF' ? `${code}, a byte order mark, which JSON does not have` : code
}
