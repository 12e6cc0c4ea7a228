import { once } from 'node:events'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { ReplayRequest } from './request.js'

/** Response to a call, as far as it came. */
export interface HttpResponse {
  /** Undefined: no answer began. */
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  /** Undefined: a file, which is not kept. */
  readonly text?: string
  /** Length that the answer declares, else the number of bytes that came. */
  readonly bytes: number
  /** `silent`: nothing came in time. Undefined: the answer was whole. */
  readonly broken?: 'reset' | 'cut' | 'silent'
}

/** HTTP client of a replay: one call after the other, over connections that are kept alive. */
export interface HttpClient {
  /** Never rejects. `timeoutMs` is for the answer to begin. */
  send(request: ReplayRequest, key: string | undefined, timeoutMs: number): Promise<HttpResponse>
  stop(): void
}

/** @param host the Host header; default: the host of the base URL */
export const createHttpClient = (url: string, host?: string): HttpClient => {
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
    send: async (replayRequest, key, timeoutMs) => {
      const request = open(replayRequest, key)
      const response = responseTo(request, timeoutMs)
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

const responseTo = async (request: ClientRequest, timeoutMs: number): Promise<HttpResponse> => {
  // Once the answer has begun, the answer itself tells how it ended.
  request.on('error', () => {})
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const [response] = await once(request, 'response', { signal })
    return await read(response)
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
