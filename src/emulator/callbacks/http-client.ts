import {
  type ClientRequest,
  type IncomingMessage,
  Agent as PlainAgent,
  type RequestOptions,
  request as requestPlain,
} from 'node:http'
import { request as requestSecure, Agent as SecureAgent } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { connectionReason } from '../core/errors.js'
import type { Attempt } from '../core/model/account.js'
import type { Settings } from '../core/settings.js'
import {
  AddressRefused,
  callbackConnectPolicy,
  checkTarget,
  createLookup,
  hostMatcher,
  type Resolve,
  resolveBySystem,
} from '../net/address-guard.js'
import { clearTimeout, setTimeout } from '../timers.js'

/** The header that names a delivery, the same on every attempt. */
export const DELIVERY_ID_HEADER = 'X-Backlot-Delivery-Id'

/** How much of an answer is read; the rest of a longer one is not waited for. */
const MAX_ANSWER_BYTES = 64 * 1024

/** Reads an answer's text up to the bound. Not called back where the answer breaks off. */
const readAnswer = (response: IncomingMessage, done: (text: string) => void): void => {
  const chunks: Buffer[] = []
  let size = 0
  const finish = () => done(Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8'))
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size <= MAX_ANSWER_BYTES) return
    finish()
    response.destroy()
  })
  response.once('end', finish)
  // The request's `close` event reports it.
  response.on('error', () => {})
}

/** Hosts that callbacks may reach besides loopback and private addresses: the built-in receiver is reached under the public URL. */
export const callbackHostsOf = ({ callbackHosts, publicUrl }: Settings): readonly string[] =>
  publicUrl === undefined ? callbackHosts : [...callbackHosts, connectHostOf(new URL(publicUrl))]

/** Host that a connection is made to: an IPv6 address without the brackets of a URL. */
const connectHostOf = (url: URL): string => String(urlToHttpOptions(url).hostname)

/** Result of an HTTP call. `answer` is all the text that was read. */
export type CallResult = Omit<Attempt, 'at'>
type UntimedResult = Omit<CallResult, 'durationMs'>

/** HTTP call that is in flight. */
export interface OutboundCall {
  /** Never rejects. */
  readonly result: Promise<CallResult>
  /** Breaks it off. */
  abort(): void
}

/** Posts to receivers. Redirects are not followed, and no more is read than has to be. */
export interface CallbackHttpClient {
  /** @param timeoutMs of real time, until the whole answer is there */
  send(url: URL, headers: Readonly<Record<string, string>>, text: string, timeoutMs: number): OutboundCall
  /** Closes the connections that stand idle. */
  stop(): void
}

// A connection that stood idle for longer may be about to be closed by the receiver.
const POOL = { keepAlive: true, timeout: 1_000, maxFreeSockets: 256 }

export const createCallbackHttpClient = (
  callbackHosts: readonly string[],
  resolve: Resolve = resolveBySystem,
): CallbackHttpClient => {
  const mayConnect = callbackConnectPolicy(callbackHosts)
  const isAllowedHost = hostMatcher(callbackHosts)
  const lookup = createLookup(mayConnect, resolve)
  const plain = new PlainAgent(POOL)
  const secure = new SecureAgent(POOL)

  const open = (url: URL, headers: Readonly<Record<string, string>>): ClientRequest => {
    const options: RequestOptions = { ...urlToHttpOptions(url), method: 'POST', headers, lookup }
    checkTarget(url, connectHostOf(url), mayConnect)
    return url.protocol === 'https:'
      ? requestSecure({ ...options, agent: secure })
      : requestPlain({ ...options, agent: plain })
  }

  return {
    send: (url, headers, text, timeoutMs) => {
      const begunAt = performance.now()
      const isAllowed = isAllowedHost(url.hostname)
      let request: ClientRequest | undefined
      const post = async (): Promise<UntimedResult> => {
        request = open(url, { ...headers, 'Content-Length': String(Buffer.byteLength(text)) })
        request.end(text)
        return awaitAnswer(request, timeoutMs, isAllowed)
      }
      const result: Promise<CallResult> = post()
        .catch((error) => failure(error, isAllowed))
        .then((untimed) => ({ durationMs: Math.round(performance.now() - begunAt), ...untimed }))
      return { result, abort: () => void request?.destroy() }
    },
    stop: () => {
      plain.destroy()
      secure.destroy()
    },
  }
}

const awaitAnswer = (
  request: ClientRequest,
  timeoutMs: number,
  isAllowedHost: boolean,
): Promise<UntimedResult> =>
  new Promise((resolve) => {
    let status: number | undefined
    const finish = (result: UntimedResult) => {
      clearTimeout(timer)
      resolve(status === undefined ? result : { ...result, status })
    }
    const timer = setTimeout(() => {
      finish({ outcome: 'timeout', error: `No whole answer came within ${timeoutMs / 1_000} s.` })
      request.destroy()
    }, timeoutMs)
    request.once('response', (response) => {
      status = response.statusCode
      // A receiver that does not say that it keeps the connection can close it under the next message.
      if (!/\bkeep-alive\b/i.test(response.headers.connection ?? '')) request.shouldKeepAlive = false
      readAnswer(response, (answer) => finish({ outcome: 'answered', answer }))
    })
    request.on('error', (error) => finish(failure(error, isAllowedHost)))
    // Also when a connection is closed in the middle of an answer, or handed over to another protocol.
    request.once('close', () =>
      finish({ outcome: 'failed', error: 'The connection was closed before the whole answer had come.' }),
    )
  })

/** @param isAllowedHost callbacks may go to this host wherever it is */
const failure = (error: unknown, isAllowedHost: boolean): UntimedResult => {
  const { code = '', hostname, message } = error as NodeJS.ErrnoException & { readonly hostname?: string }
  if (error instanceof AddressRefused) return { outcome: 'refused-address', error: message }
  if (hostname !== undefined && ['ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return { outcome: 'failed', error: unknownHost(hostname, message, isAllowedHost) }
  const problem = connectionReason(error)
  return { outcome: 'failed', error: `The receiver could not be reached, or did not speak HTTP: ${problem}.` }
}

// Where there is no network every public name is unknown, and where there is one it would be refused.
const unknownHost = (hostname: string, message: string, isAllowedHost: boolean): string => {
  const problem = `No address is known here for ${hostname}: ${message}.`
  return isAllowedHost
    ? problem
    : `${problem} If it is a public host, --callback-hosts ${hostname} is needed besides, since callbacks go to loopback and private addresses only.`
}
