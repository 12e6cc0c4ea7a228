import { once } from 'node:events'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { addAbortSignal } from 'node:stream'
import { mapTexts } from '../emulator/surface/journal.js'
import { FORM_BYTES } from '../emulator/surface/starting.js'
import type { RecordedRequest } from '../traffic/format.js'
import { placeholderName, type ReadMedium } from './media.js'
import { EMULATOR_ORIGIN } from './sanitise.js'

/** Response to a call, as far as it came. */
export interface HttpResponse {
  /** Undefined where no answer began. */
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for a file, which is not kept. */
  readonly text?: string
  /** Length that the answer declares, else the number of bytes that came. */
  readonly bytes: number
  /** `silent`: nothing came in time; `cut`: not all of it did, or the connection ended. Undefined where the answer was whole. */
  readonly broken?: 'reset' | 'cut' | 'silent'
}

/** HTTP client of a replay: one call after the other, over connections that are kept alive. */
export interface ReplayHttpClient {
  /** Never rejects. `signal` ends the wait for the answer and for its end. */
  send(request: ReplayRequest, key: string | undefined, signal: AbortSignal): Promise<HttpResponse>
  stop(): void
}

/**
 * Client of the service at a URL.
 * @param host the Host header; default: the host of the base URL
 */
export const createHttpClient = (url: string, host?: string): ReplayHttpClient => {
  const { protocol, hostname, port, pathname } = new URL(url)
  const { Agent, request } = protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive: true })
  const base = pathname.replace(/\/$/, '')
  const open = ({ method, target, headers, body, declaredBytes }: ReplayRequest, key: string | undefined) => {
    const length = declaredBytes ?? body?.byteLength
    return request({
      agent,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      method,
      path: base + target,
      headers: {
        ...headers,
        ...(host === undefined ? {} : { host }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(length === undefined ? {} : { 'content-length': String(length) }),
      },
    })
  }
  return {
    send: async (replayRequest, key, signal) => {
      const request = open(replayRequest, key)
      const response = responseTo(request, signal)
      if (replayRequest.declaredBytes === undefined) {
        request.end(replayRequest.body)
        return response
      }
      // The call is refused for its declared length; then the connection is of no more use.
      request.flushHeaders()
      return response.finally(() => request.destroy())
    },
    stop: () => agent.destroy(),
  }
}

const responseTo = async (request: ClientRequest, signal: AbortSignal): Promise<HttpResponse> => {
  // Once the answer has begun, the answer itself tells how it ended.
  request.on('error', () => {})
  try {
    const [response] = await once(request, 'response', { signal })
    return await read(addAbortSignal(signal, response))
  } catch {
    request.destroy()
    return { headers: {}, bytes: 0, broken: signal.aborted ? 'silent' : 'reset' }
  }
}

const read = async (response: IncomingMessage): Promise<HttpResponse> => {
  const { statusCode: status, headers } = response
  const isText = /json|text|xml|html/i.test(headers['content-type'] ?? 'text')
  const chunks: Buffer[] = []
  let bytes = 0
  let isCut = false
  try {
    for await (const chunk of response) {
      bytes += chunk.length
      if (isText) chunks.push(chunk)
    }
  } catch {
    isCut = true
  }
  return {
    status,
    headers: headers as Record<string, string>,
    bytes: Number(headers['content-length'] ?? bytes),
    text: isText ? Buffer.concat(chunks).toString('utf8') : undefined,
    broken: isCut ? 'cut' : undefined,
  }
}

interface ReplayRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Content-Length of a body that was refused for it; nothing of the body is sent. */
  readonly declaredBytes?: number
}

interface ReplayEnvironment {
  readonly readMedium: ReadMedium
  /** Origin of the emulator's URLs. */
  readonly origin: string
  readonly readFixture: (name: string) => Promise<Uint8Array | undefined>
}

/** Rebuilds a recorded request. A medium whose bytes are lost is a placeholder (`{medium 1}`). */
export const replayRequestOf = async (
  request: RecordedRequest,
  environment: ReplayEnvironment,
): Promise<ReplayRequest> => {
  const { method, path, query, headers = {} } = request
  const target = query === undefined ? path : `${path}?${query}`
  const { type, ...body } = await bodyOf(request, environment)
  const contentType: Record<string, string> = type === undefined ? {} : { 'content-type': type }
  return { method, target, headers: { ...headers, ...contentType }, ...body }
}

interface Body extends Pick<ReplayRequest, 'body' | 'declaredBytes'> {
  readonly type?: string
}

const JSON_TYPE = 'application/json'

const bodyOf = async (request: RecordedRequest, environment: ReplayEnvironment): Promise<Body> => {
  const { readMedium, origin } = environment
  const { json, media = [], form, text, declaredBytes, contentType, lost } = request
  if (json !== undefined) {
    const texts = await textsOf(media, readMedium)
    const body = mapTexts(json, (text) => texts.get(text) ?? text.replaceAll(EMULATOR_ORIGIN, origin))
    return { type: JSON_TYPE, body: Buffer.from(JSON.stringify(body)) }
  }
  if (form !== undefined) return { type: MULTIPART, body: await multipart(form, environment) }
  if (text !== undefined) return { type: JSON_TYPE, body: Buffer.from(text) }
  // A form with a file that is too large is refused at once only where its other parts could not be what is too large.
  if (declaredBytes !== undefined) return { type: MULTIPART, declaredBytes: declaredBytes + FORM_BYTES }
  // The refusal of these does not depend on the body, or the body is unknown.
  if (contentType !== undefined) return { type: contentType, body: Buffer.from('-') }
  return lost === undefined ? {} : { type: JSON_TYPE, body: Buffer.from('{') }
}

/** Placeholder map: from the placeholders of a recorded body to the Base64 texts that they replace. */
const textsOf = async (
  media: NonNullable<RecordedRequest['media']>,
  readMedium: ReadMedium,
): Promise<Map<string, string>> => {
  const texts = new Map<string, string>()
  for (const medium of media) {
    if (/^https?:/i.test(medium.is)) continue
    const head = medium.is.replace(/\{medium \d+\}$/, '')
    // A refusal may quote the number of characters, and the journal cuts what looks like Base64: all three kinds of letters.
    if ('characters' in medium)
      texts.set(medium.is, head + 'Aa0'.repeat(medium.characters / 3 + 1).slice(0, medium.characters))
    const bytes = 'sha256' in medium ? await readMedium(medium.sha256) : undefined
    if (bytes !== undefined) texts.set(medium.is, head + Buffer.from(bytes).toString('base64'))
  }
  return texts
}

const NO_BYTES = Buffer.alloc(0)
const BOUNDARY = 'backlot-recording'
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`

const multipart = async (
  { fields, files }: NonNullable<RecordedRequest['form']>,
  { readMedium, readFixture }: ReplayEnvironment,
): Promise<Uint8Array> => {
  const parts = Object.entries(fields).map(([name, value]) =>
    part(`name="${quoted(name)}"`, Buffer.from(value)),
  )
  for (const { field, name, sha256, probe } of files) {
    const bytes = (await readMedium(sha256)) ?? (await readFixture(placeholderName(probe.kind))) ?? NO_BYTES
    parts.push(part(`name="${quoted(field)}"; filename="${quoted(name)}"`, bytes))
  }
  return Buffer.concat([...parts.flat(), Buffer.from(`--${BOUNDARY}--\r\n`)])
}

const part = (disposition: string, bytes: Uint8Array): Uint8Array[] => [
  Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
  bytes,
  Buffer.from('\r\n'),
]

// A line break as browsers write it in a form.
const quoted = (name: string): string => name.replace(/["\\]/g, '\\$&').replace(/[\r\n]/g, encodeURIComponent)
