import { once, setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createHostCheck, type HttpAnswer, send } from '../emulator/surface/client.js'
import { exceedsJsonLimits, parseJson, redaction, withoutMedia } from '../emulator/surface/journal.js'
import { connectionReason, keyOf, version } from '../emulator/surface/records.js'
import { decodedBody, redirectedTarget } from './service-answer.js'

// DNS rebinding guard: the target sees its own name as the host, so that it cannot refuse a page whose name leads here.
const isAllowedHost = createHostCheck({ host: '127.0.0.1', publicUrl: undefined, allowedHosts: [] })

/** Exchange of a call and its answer; without an answer, what kept it from coming. */
interface Exchange {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: Buffer
  readonly startedAt: Date
  readonly ms: number
  readonly answer: HttpAnswer | { readonly error: string }
}

type Headers = IncomingMessage['headers']

/** Call that was passed on and answered. */
export interface Passed {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Headers
  readonly body: Buffer
  readonly answer: HttpAnswer
}

/**
 * Recording reverse proxy: passes every call on to the service, and the answer back, and keeps both. An answer is passed on once
 * it came whole. What the service tells clients to fetch elsewhere, such as results, does not come through it.
 * @param target URL of the service, without a slash at its end
 * @param onRedirect is told once of another target to which the service redirects calls, which clients then make there
 * @param onPassed is told of each call with its answer
 */
export const startRecordingProxy = async (
  target: string,
  onRedirect: (target: string) => void,
  onPassed: (passed: Passed) => void = () => {},
) => {
  let isRedirected = false
  const entries: Awaited<ReturnType<typeof entryOf>>[] = []
  const underway = new Set<Promise<void>>()
  const ending = new AbortController()
  setMaxListeners(0, ending.signal)

  const passOn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', headers } = request
    const startedAt = new Date()
    const began = performance.now()
    const url = target + request.url
    const body = await buffer(request)
    const sent = { method, url, headers: passedOn(headers, body.length), body, signal: ending.signal }
    const answer = await send(sent).catch((error) => ({
      error: ending.signal.aborted ? 'the command ended before it' : connectionReason(error),
    }))
    const ms = Math.round(performance.now() - began)
    entries.push(await entryOf({ method, url, headers, body, startedAt, ms, answer }))
    if ('error' in answer) {
      const message = `No answer came from ${target}: ${answer.error}.`
      response.writeHead(502, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ error: { code: 'target-unreachable', message } }))
      return
    }
    onPassed({ method, path: request.url ?? '', headers, body, answer })
    const moved = isRedirected ? undefined : redirectedTarget(target, request.url ?? '', answer)
    if (moved !== undefined) {
      isRedirected = true
      onRedirect(moved)
    }
    response.writeHead(answer.status, withoutFraming(answer.headers)).end(answer.bytes)
  }

  // A client that leaves before its call has come whole has made none. What cannot be passed on ends that connection alone.
  const server = createServer((request, response) => {
    if (!isAllowedHost(request.headers.host)) return void response.writeHead(403).end()
    const call = passOn(request, response).catch(() => void response.destroy())
    underway.add(call)
    void call.then(() => underway.delete(call))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    /** Ends the calls that are under way, and resolves with all of them as an HTTP Archive (HAR 1.2). */
    stop: async () => {
      server.close()
      ending.abort()
      server.closeAllConnections()
      await Promise.all(underway)
      return { log: { version: '1.2', creator: { name: 'backlot', version }, entries } }
    },
  }
}

// Of a connection, not of what it carries (RFC 9110, 7.6.1); and what is only so on the way to the proxy.
const OF_A_CONNECTION = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

const withoutFraming = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_A_CONNECTION.includes(name)))

// Bodies are to be kept as texts, so that none may be compressed. A connection of its own, since a call over one that is kept
// alive may have to be sent again, and a create would make, and cost, a second task.
const passedOn = ({ host, expect, ...headers }: Headers, length: number): Record<string, string> => ({
  ...(withoutFraming(headers) as Record<string, string>),
  // Node declares no length by itself where a method seldom has a body.
  ...(length === 0 ? {} : { 'content-length': String(length) }),
  'accept-encoding': 'identity',
  connection: 'close',
})

/** Entry of a HAR file. It is made when the answer comes, so that no bytes are kept. */
const entryOf = async ({ method, url, headers, body, startedAt, ms, answer }: Exchange) => ({
  startedDateTime: startedAt.toISOString(),
  time: ms,
  request: {
    ...{ method, url, httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: body.length },
    headers: headersOf(headers, keyOf(headers.authorization)),
    queryString: listed(new URLSearchParams(url.replace(/^[^?]*/, ''))),
    ...(body.length === 0 ? {} : { postData: await postDataOf(body, headers['content-type'] ?? '') }),
  },
  response: 'error' in answer ? { ...noResponse, _error: answer.error } : responseOf(answer),
  cache: {},
  timings: { send: 0, wait: ms, receive: 0 },
})

const listed = (pairs: Iterable<readonly [string, string]>) =>
  [...pairs].map(([name, value]) => ({ name, value }))

const headersOf = (headers: Headers, key?: string) =>
  listed(Object.entries(redaction.headers(headers as Record<string, string>, key)))

/** Body of a call: a text, JSON without the Base64 of media; a form as its fields and the names of its files. */
const postDataOf = async (body: Buffer, mimeType: string) => {
  if (/^multipart\/form-data/i.test(mimeType)) {
    const form = await new Response(body, { headers: { 'content-type': mimeType } })
      .formData()
      .catch(() => [])
    const params = [...form].map(([name, value]) =>
      typeof value === 'string' ? { name, value } : { name, fileName: value.name, contentType: value.type },
    )
    return { mimeType, params }
  }
  const text = body.toString()
  const json = parseJson(text)
  // What is nested too deeply cannot be searched for media.
  if (json === undefined || exceedsJsonLimits(json) !== undefined) return { mimeType, text }
  const { value, media } = withoutMedia(json, new Map())
  // Of two equal names the first one is in the text alone.
  const hasMedia = media.length > 0 || BASE64.test(text)
  return { mimeType, text: hasMedia ? JSON.stringify(value) : text }
}

const BASE64 = /;base64,|[a-z0-9+/]{256}/i

const noResponse = {
  ...{ status: 0, statusText: '', httpVersion: 'HTTP/1.1', cookies: [], headers: [], redirectURL: '' },
  ...{ content: { size: 0, mimeType: '' }, headersSize: -1, bodySize: -1 },
}

const responseOf = (answer: HttpAnswer) => {
  const { status, headers, bytes } = answer
  const mimeType = headers['content-type'] ?? ''
  // Of a picture or a video nothing but its size is of use.
  const decoded = /json|text|xml/i.test(mimeType) ? decodedBody(answer) : undefined
  const text = decoded === undefined ? {} : { text: decoded.toString() }
  return {
    ...noResponse,
    ...{
      status,
      statusText: STATUS_CODES[status] ?? '',
      redirectURL: headers.location ?? '',
      bodySize: bytes.length,
    },
    headers: headersOf(headers),
    content: { size: (decoded ?? bytes).length, mimeType, ...text },
  }
}
