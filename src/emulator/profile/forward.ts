import { connectionReason, controlErrorBody, EmulatorError } from '../core/errors.js'
import type { Call, Reply, ReplyStream } from '../core/model/call.js'
import { setUnrefTimer } from '../timers.js'
import { isBodiless } from './bodiless.js'
import { withOwnNames } from './headers.js'

// Of what is changed before it is sent, or on what a scenario acts; anything else is sent as it comes.
const MAX_WHOLE_BYTES = 16 * 2 ** 20

// Of one connection, not of the message (RFC 9110, 7.6.1), or written anew by the client.
const OF_CONNECTION =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|expect|accept-encoding)$/i

/** Headers that an answer of the emulator has of its own, the encoding of a body, which the client has undone, and cookies. */
const OF_EMULATOR = /^(x-request-id|date|content-encoding|set-cookie)$/i

/**
 * Reverse proxy of one route: sends a call to the named host, its body byte by byte as it came, and gives its answer, whose body is
 * handed on as it comes. Redirects are handed to the client, so that no other host is asked. A host that does not answer is 502, one
 * that takes too long 504.
 * @param gone ends the call to the host, since the client has left
 */
export const forwardCall = async (
  call: Call,
  base: string,
  timeoutMs: number,
  gone: AbortSignal,
): Promise<Reply> => {
  const { rawQuery: query = call.query.toString() } = call
  const url = `${base.replace(/\/+$/, '')}${call.path}${query === '' ? '' : `?${query}`}`
  const silence = new Silence(timeoutMs)
  try {
    const asked = fetch(url, {
      method: call.method,
      headers: headersOf(call),
      ...(call.body.kind === 'raw' ? { body: call.body.bytes as Uint8Array<ArrayBuffer> } : {}),
      redirect: 'manual',
      signal: AbortSignal.any([gone, silence.signal]),
    })
    return replyOf(await silence.during(asked), call.method, silence, base)
  } catch (error) {
    return failureReply(gone.aborted ? new HostFailure(LEFT) : failureOf(error, timeoutMs), base)
  }
}

const LEFT = 'the client left before it answered'

/** Time limit of a host: how long nothing may come from it. While a client does not read, it does not run. */
class Silence {
  readonly limitMs: number
  readonly #controller = new AbortController()

  constructor(limitMs: number) {
    this.limitMs = limitMs
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  async during<T>(work: Promise<T>): Promise<T> {
    const timeout = new DOMException('The host is silent', 'TimeoutError')
    const clear = setUnrefTimer(() => this.#controller.abort(timeout), this.limitMs)
    return work.finally(clear)
  }

  end(): void {
    this.#controller.abort()
  }
}

const headersOf = ({ method, headers = {} }: Call): [string, string][] => [
  ...Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || OF_CONNECTION.test(name) ? [] : [[name, [value].flat().join(', ')]],
  ),
  // So that the length is that of the file itself.
  ...(method === 'HEAD' ? [['accept-encoding', 'identity'] satisfies [string, string]] : []),
]

const replyOf = (response: Response, method: string, silence: Silence, base: string): Reply => {
  const kept = [...response.headers].filter(([name]) => !OF_CONNECTION.test(name) && !OF_EMULATOR.test(name))
  const headers = withOwnNames(Object.fromEntries(kept))
  const length = response.headers.get('content-length')
  // Of a body that the client has decoded, it is another one.
  const isLengthKnown = length !== null && !response.headers.has('content-encoding')
  if (isLengthKnown || (method === 'HEAD' && length !== null)) headers['Content-Length'] = length
  const without = [
    ...(headers['Content-Type'] === undefined ? ['content-type'] : []),
    ...(isBodiless(response.status) ? ['content-length'] : []),
  ]
  const cookies = response.headers.getSetCookie()
  const reply = {
    status: response.status,
    headers,
    ...(cookies.length === 0 ? {} : { cookies }),
    ...(without.length === 0 ? {} : { without }),
    body: undefined,
  }
  if (response.body === null) return { ...reply, text: '' }
  const chunks = chunksOf(response.body, silence)
  return { ...reply, stream: { chunks, whole: () => wholeOf(reply, chunks, base) } }
}

async function* chunksOf(body: ReadableStream<Uint8Array>, silence: Silence): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await silence.during(reader.read())
      if (done) return
      yield value
    }
  } catch (error) {
    throw failureOf(error, silence.limitMs)
  } finally {
    silence.end()
  }
}

const wholeOf = async (
  reply: Reply,
  chunks: AsyncIterable<Uint8Array>,
  base: string,
): ReturnType<ReplyStream['whole']> => {
  const { 'Content-Length': _, ...headers } = reply.headers ?? {}
  try {
    const bytes = await readWithin(chunks)
    return { reply: { ...reply, headers, ...bodyOf(bytes, headers['Content-Type']) }, isInstead: false }
  } catch (error) {
    return { reply: failureReply(error as HostFailure, base), isInstead: true }
  }
}

const readWithin = async (chunks: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const read: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > MAX_WHOLE_BYTES)
      throw new HostFailure(
        `its answer is larger than ${MAX_WHOLE_BYTES} bytes, so that it cannot be changed before it is sent`,
      )
    read.push(chunk)
  }
  return Buffer.concat(read)
}

/** A body as the journal keeps it and effects change it: JSON, a text, or bytes. */
export const bodyOf = (bytes: Buffer, type = ''): Pick<Reply, 'body' | 'text' | 'bytes'> => {
  if (/\bjson\b/i.test(type)) {
    const text = bytes.toString('utf8')
    return { body: parsed(text), text }
  }
  return /^text\/|event-stream|xml|ndjson|jsonl/i.test(type) || bytes.length === 0
    ? { body: undefined, text: bytes.toString('utf8') }
    : { body: undefined, bytes }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Why no answer of a host came, or not all of it: its message follows a colon. */
class HostFailure extends Error {
  readonly isTimeout: boolean

  constructor(why: string, isTimeout = false) {
    super(why)
    this.isTimeout = isTimeout
  }
}

const failureOf = (error: unknown, timeoutMs: number): HostFailure =>
  error instanceof DOMException && error.name === 'TimeoutError'
    ? new HostFailure(`nothing came within ${timeoutMs / 1_000} s`, true)
    : new HostFailure(connectionReason((error as { cause?: unknown }).cause ?? error))

const failureReply = ({ message, isTimeout }: HostFailure, base: string): Reply => {
  const failure = new EmulatorError(`The call was to be forwarded to ${base}: ${message}.`, {
    code: 'forward-failed',
    hint: 'The profile names this host (routes, forward). Start it, or give the route an answer.',
  })
  return { status: isTimeout ? 504 : 502, body: controlErrorBody(failure) }
}
