import {
  type ClientRequest,
  type IncomingMessage,
  Agent as PlainAgent,
  request as requestPlain,
} from 'node:http'
import { request as requestSecure, Agent as SecureAgent } from 'node:https'
import type { ReplayRequest } from './request.js'

/** What came back for a call. */
export interface HttpResponse {
  /** Left out where no answer began. */
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  /** Left out for files, which are not kept. */
  readonly text?: string
  /** As the answer says; where it does not, as many as came. */
  readonly bytes: number
  /** `silent`: nothing came in time. Left out where the answer was whole. */
  readonly broken?: 'reset' | 'cut' | 'silent'
}

export interface HttpClientOptions {
  /** Where calls go: `http://127.0.0.1:4010`. */
  readonly url: string
  /** What they say in the header Host; left out, the host of the URL. */
  readonly host?: string
}

/** Makes calls, one after the other, over connections that are kept. */
export interface HttpClient {
  /** Never rejects. Waits so long for an answer to begin. */
  call(callable: ReplayRequest, key: string | undefined, patienceMs: number): Promise<HttpResponse>
  stop(): void
}

export const createHttpClient = ({ url, host }: HttpClientOptions): HttpClient => {
  const { protocol, hostname, port, pathname } = new URL(url)
  const isSecure = protocol === 'https:'
  const agent = isSecure ? new SecureAgent({ keepAlive: true }) : new PlainAgent({ keepAlive: true })
  const base = pathname.replace(/\/$/, '')
  const open = ({ method, target, headers, body, declaredBytes }: ReplayRequest, key: string | undefined) =>
    (isSecure ? requestSecure : requestPlain)({
      ...{ agent, hostname: hostname.replace(/^\[|\]$/g, ''), port, method, path: base + target },
      headers: {
        ...headers,
        ...(host === undefined ? {} : { host }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...lengthOf(body, declaredBytes),
      },
    })
  return {
    call: (callable, key, patienceMs) => {
      const request = open(callable, key)
      const heard = hear(request, patienceMs)
      if (callable.declaredBytes === undefined) request.end(callable.body)
      // Nothing of the body is sent: it is refused for its length, and then the connection is of no more use.
      else request.flushHeaders()
      return heard.finally(() => {
        if (callable.declaredBytes !== undefined) request.destroy()
      })
    },
    stop: () => agent.destroy(),
  }
}

const lengthOf = (body: Uint8Array | undefined, declaredBytes: number | undefined) => {
  const bytes = declaredBytes ?? body?.byteLength
  return bytes === undefined ? {} : { 'content-length': String(bytes) }
}

const hear = (request: ClientRequest, patienceMs: number): Promise<HttpResponse> =>
  new Promise((resolve) => {
    const nothing = (broken: 'reset' | 'silent') => resolve({ headers: {}, bytes: 0, broken })
    const timer = setTimeout(() => {
      nothing('silent')
      request.destroy()
    }, patienceMs)
    request.once('response', (response) => {
      clearTimeout(timer)
      read(response, resolve)
    })
    request.once('error', () => {
      clearTimeout(timer)
      nothing('reset')
    })
  })

const read = (response: IncomingMessage, done: (heard: HttpResponse) => void): void => {
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
