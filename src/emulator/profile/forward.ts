import { connectionReason, controlErrorBody, EmulatorError } from '../core/errors.js'
import type { Call, Reply } from '../core/model/call.js'
import { withOwnNames } from './headers.js'

const MAX_ANSWER_BYTES = 16 * 2 ** 20

// Of one connection, not of the message (RFC 9110, 7.6.1), or written anew by the client.
const OF_CONNECTION =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|expect|accept-encoding)$/i

/** Headers that an answer of the emulator has of its own, the encoding of a body, which the client has undone, and cookies. */
const OF_EMULATOR = /^(x-request-id|date|content-encoding|set-cookie)$/i

/**
 * Reverse proxy of one route: sends a call to the named host, its body byte by byte as it came, and gives its answer, which is read
 * to its end first. Redirects are handed to the client, so that no other host is asked. A host that does not answer is 502, one that takes too long 504.
 */
export const forwardCall = async (call: Call, base: string, timeoutMs: number): Promise<Reply> => {
  const { rawQuery: query = call.query.toString() } = call
  const url = `${base.replace(/\/+$/, '')}${call.path}${query === '' ? '' : `?${query}`}`
  try {
    const response = await fetch(url, {
      method: call.method,
      headers: headersOf(call),
      ...(call.body.kind === 'raw' ? { body: call.body.bytes as Uint8Array<ArrayBuffer> } : {}),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return await replyOf(response, call.method)
  } catch (error) {
    return failure(error, base, timeoutMs)
  }
}

const headersOf = ({ method, headers = {} }: Call): [string, string][] => [
  ...Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || OF_CONNECTION.test(name) ? [] : [[name, [value].flat().join(', ')]],
  ),
  // So that the length is that of the file itself.
  ...(method === 'HEAD' ? [['accept-encoding', 'identity'] satisfies [string, string]] : []),
]

const replyOf = async (response: Response, method: string): Promise<Reply> => {
  const bytes = await readWithin(response)
  const kept = [...response.headers].filter(([name]) => !OF_CONNECTION.test(name) && !OF_EMULATOR.test(name))
  const headers = withOwnNames(Object.fromEntries(kept))
  const length = response.headers.get('content-length')
  if (method === 'HEAD' && length !== null) headers['Content-Length'] = length
  const without = headers['Content-Type'] === undefined ? { without: ['content-type'] } : {}
  const cookies = response.headers.getSetCookie()
  const reply = { status: response.status, headers, ...(cookies.length === 0 ? {} : { cookies }), ...without }
  const type = response.headers.get('content-type') ?? ''
  if (/\bjson\b/i.test(type)) {
    const text = bytes.toString('utf8')
    return { ...reply, body: parsed(text), text }
  }
  return /^text\/|event-stream|xml/i.test(type) || bytes.length === 0
    ? { ...reply, body: undefined, text: bytes.toString('utf8') }
    : { ...reply, body: undefined, bytes }
}

const readWithin = async (response: Response): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_ANSWER_BYTES) throw new Error(`its answer is larger than ${MAX_ANSWER_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const failure = (error: unknown, base: string, timeoutMs: number): Reply => {
  const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
  const cause = (error as { cause?: unknown }).cause ?? error
  const why = isTimeout ? `no answer came within ${timeoutMs / 1_000} s` : connectionReason(cause)
  const unreachable = new EmulatorError(`The call was to be forwarded to ${base}: ${why}.`, {
    code: 'forward-failed',
    hint: 'The profile names this host (routes, forward). Start it, or give the route an answer.',
  })
  return { status: isTimeout ? 504 : 502, body: controlErrorBody(unreachable) }
}
