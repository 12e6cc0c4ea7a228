import {
  type ClientRequest,
  type IncomingMessage,
  Agent as PlainAgent,
  request as requestPlain,
} from 'node:http'
import { request as requestSecure, Agent as SecureAgent } from 'node:https'
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

interface HttpClientOptions {
  /** Base URL: `http://127.0.0.1:4010`. */
  readonly url: string
  /** Host header. Default: the host of the URL. */
  readonly host?: string
}

/** HTTP client of a replay: one call after the other, over connections that are kept alive. */
export interface HttpClient {
  /** Never rejects. `timeoutMs` is for the answer to begin. */
  send(request: ReplayRequest, key: string | undefined, timeoutMs: number): Promise<HttpResponse>
  stop(): void
}

export const createHttpClient = ({ url, host }: HttpClientOptions): HttpClient => {
  const { protocol, hostname, port, pathname } = new URL(url)
  const isSecure = protocol === 'https:'
  const agent = isSecure ? new SecureAgent({ keepAlive: true }) : new PlainAgent({ keepAlive: true })
  const base = pathname.replace(/\/$/, '')
  const open = ({ method, target, headers, body, declaredBytes }: ReplayRequest, key: string | undefined) => {
    const length = declaredBytes ?? body?.byteLength
    return (isSecure ? requestSecure : requestPlain)({
      ...{ agent, hostname: hostname.replace(/^\[|\]$/g, ''), port, method, path: base + target },
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

const responseTo = (request: ClientRequest, timeoutMs: number): Promise<HttpResponse> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve({ headers: {}, bytes: 0, broken: 'silent' })
      request.destroy()
    }, timeoutMs)
    request.once('response', (response) => {
      clearTimeout(timer)
      read(response, resolve)
    })
    request.once('error', () => {
      clearTimeout(timer)
      resolve({ headers: {}, bytes: 0, broken: 'reset' })
    })
  })

const read = (response: IncomingMessage, done: (response: HttpResponse) => void): void => {
  const isText = /json|text|xml|html/i.test(response.headers['content-type'] ?? 'text')
  const chunks: Buffer[] = []
  let bytes = 0
  const finish = (broken?: 'cut') =>
    done({
      ...(response.statusCode === undefined ? {} : { status: response.statusCode }),
      headers: response.headers as Record<string, string>,
      bytes: Number(response.headers['content-length'] ?? bytes),
      ...(isText ? { text: Buffer.concat(chunks).toString('utf8') } : {}),
      ...(broken === undefined ? {} : { broken }),
    })
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (isText) chunks.push(chunk)
  })
  response.once('end', () => finish())
  response.once('error', () => finish('cut'))
}
