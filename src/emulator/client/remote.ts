import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { buffer } from 'node:stream/consumers'
// The globals of jsdom are older: its URL has no `canParse`.
import { URL } from 'node:url'
import { queryTexts, routes } from '../../generated/routes.js'
import { type controlErrorBody, EmulatorError } from '../core/errors.js'
import { shown } from '../core/request.js'
import { suggestion } from '../core/suggest.js'
import { actionRequest } from './action-request.js'
import { apiKey, object, optional, text, validateArguments, validateNamed } from './arguments.js'
import { createEmulatorHandles, type EmulatorHandles, type Transport } from './handles.js'

export interface RemoteEmulator {
  /** `http://127.0.0.1:4650`, without a slash at its end. */
  readonly url: string
  /** The control token, sent as `X-Backlot-Token`, or undefined where the emulator requires none. */
  readonly token?: string | undefined
}

/** Remote transport: runs actions over the control API, for the account of a key. Rejects with the emulator's own errors. */
export const remoteTransport =
  (emulator: RemoteEmulator, key: string): Transport =>
  async (name, input) => {
    const httpRequest = requestFor(emulator, key, name, input as Input)
    const answer = await send(httpRequest).catch((cause) => {
      throw unreachable(emulator.url, cause)
    })
    const read = readAnswer(answer, emulator.url)
    if (answer.status >= 300) throw errorOf(read, answer, emulator.url)
    return read as never
  }

type Input = Readonly<Record<string, unknown>>

const requestFor = (
  { url: base, token }: RemoteEmulator,
  key: string,
  name: keyof typeof routes,
  input: Input,
): HttpRequest => {
  checkUrlFields(name, input)
  const { method, path, body } = actionRequest(name, input)
  const url = `${base}/_backlot${path}`
  const headers = {
    authorization: `Bearer ${key}`,
    ...(token === undefined ? {} : { 'x-backlot-token': token }),
  }
  if (body === undefined) return { method, url, headers }
  const described = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
  return { method, url, headers: { ...headers, ...described }, body }
}

const checkUrlFields = (name: keyof typeof routes, input: Input): void => {
  // URLs resolve both, encoded or not, so that another route would answer.
  for (const [, field = ''] of routes[name].matchAll(/:(\w+)/g))
    if (input[field] === '.' || input[field] === '..')
      throw badInput(name, `${field} must not be . or .., found ${shown(input[field])}.`)
  for (const field of queryTexts[name] ?? [])
    if (input[field] !== undefined && typeof input[field] !== 'string')
      throw badInput(name, `${field} must be a string, found ${shown(input[field])}.`)
}

/** Error of an input that a URL cannot hold, as the control API words its own. */
const badInput = (name: keyof typeof routes, message: string): EmulatorError =>
  new EmulatorError(message, {
    code: 'bad-input',
    hint: `See ${routes[name].replace(' ', ' /_backlot').replace(/:(\w+)/g, '{$1}')} in docs/control-api.md.`,
  })

const unreachable = (url: string, cause: NodeJS.ErrnoException): EmulatorError => {
  if (cause.code === 'ERR_INVALID_CHAR')
    return new EmulatorError('The control token has a character that no header can have.', {
      code: 'bad-argument',
      hint: 'Line breaks and characters beyond U+00FF cannot be sent.',
      cause,
    })
  if (isIntercepted(cause))
    return new EmulatorError(`No call reaches the emulator at ${url}: ${cause.message}`, {
      code: 'unreachable',
      hint: 'Something in this process intercepts HTTP (nock, msw, a mock of http): let calls of this URL pass.',
      cause,
    })
  return new EmulatorError(`No emulator answers at ${url}: ${cause.code ?? cause.message}.`, {
    code: 'unreachable',
    hint: unreachableHint(url, cause),
    cause,
  })
}

const unreachableHint = (url: string, { code }: NodeJS.ErrnoException): string => {
  if (code === 'ECONNRESET')
    return 'The connection ended before the answer did, as where the emulator stops: await each call before the tests end.'
  return url === process.env.BACKLOT_URL
    ? 'Start one there with `backlot start`, or unset BACKLOT_URL, which names it.'
    : 'Start one with `backlot start`, or name the URL at which it runs.'
}

/** Whether an error comes from a replacement of Node's HTTP client. Those of a connection have a system call, several errors or another code. */
const isIntercepted = (cause: NodeJS.ErrnoException): boolean =>
  cause.syscall === undefined &&
  !('errors' in cause) &&
  [undefined, 'ENETUNREACH', 'ERR_INVALID_ARG_TYPE'].includes(cause.code)

const readAnswer = ({ status, headers, bytes }: HttpAnswer, url: string): unknown => {
  const text = bytes.toString()
  // A recording is lines of JSON, and is returned as text.
  if (headers['content-type']?.startsWith('application/x-ndjson')) return text
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw notAnEmulator(url, status, cause)
  }
}

type ErrorFields = Partial<ReturnType<typeof controlErrorBody>['error']>

const errorOf = (read: unknown, answer: HttpAnswer, url: string): EmulatorError => {
  const { code, message, hint, found } = (read as { readonly error?: ErrorFields } | null)?.error ?? {}
  if (!code || message === undefined || hint === undefined) return notAnEmulator(url, answer.status)
  return new EmulatorError(message, { code, found, hint: hint || undefined })
}

export const notAnEmulator = (url: string, status: number, cause?: unknown): EmulatorError =>
  new EmulatorError(
    `What answers at ${url} is no emulator: it sent ${status}, which is no answer of a control API.`,
    { code: 'not-an-emulator', hint: 'Name the URL that the emulator printed, without a path.', cause },
  )

/** Options of a connection: account and control token. */
export interface ConnectOptions {
  /** The account of the emulator's own handles; default: `default`. */
  readonly key?: string | undefined
  /** The emulator's `--control-token`; default: `BACKLOT_CONTROL_TOKEN`. */
  readonly token?: string | undefined
}

/**
 * The handles of an emulator that runs elsewhere: in another process, a container, on another machine. Nothing is sent
 * before a handle is used.
 * @throws EmulatorError `bad-url`; each handle `unreachable` where no emulator answers
 * @example
 * ```ts
 * const emulator = connectEmulator('http://127.0.0.1:4650', { key: 'alice' })
 * await emulator.clock.advance({ to: 'idle' })
 * ```
 */
export const connectEmulator = (url: string, options: ConnectOptions = {}): EmulatorHandles => {
  validateArguments('connectEmulator', [options], { options: object })
  const kinds = { key: optional(apiKey), token: optional(text) }
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(kinds, name))
  if (unknown !== undefined)
    throw new EmulatorError(
      `connectEmulator has no option ${JSON.stringify(unknown)}${suggestion(unknown, Object.keys(kinds))}`,
      { code: 'bad-argument' },
    )
  validateNamed('connectEmulator', options, kinds)
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new EmulatorError(`Expected the URL of an emulator, found ${JSON.stringify(url)}.`, {
      code: 'bad-url',
      hint: `${url === process.env.BACKLOT_URL ? 'It is in BACKLOT_URL. ' : ''}Write it as the emulator printed it, such as http://127.0.0.1:4650.`,
    })
  // A URL object does as well.
  const base = String(url).replace(/\/+$/, '')
  const token = options.token ?? process.env.BACKLOT_CONTROL_TOKEN
  return createEmulatorHandles(base, (key) => remoteTransport({ url: base, token }, key), options.key)
}

interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for no body. */
  readonly body?: string | Uint8Array | undefined
  /** Undefined for no time limit. */
  readonly signal?: AbortSignal
  /** The largest body that is read; a larger one ends the call. Undefined where a body of any size is read. */
  readonly maxBytes?: number
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** Sends a request with Node's own HTTP client: tests replace or lack `fetch`. Rejects with the error of the connection. */
export const send = (httpRequest: HttpRequest): Promise<HttpAnswer> =>
  attempt(httpRequest).catch((error: ConnectionError) => {
    // The other side may just have closed a connection that was kept alive.
    if (error.wasKept === true && error.code === 'ECONNRESET') return attempt(httpRequest)
    throw error
  })

interface ConnectionError extends NodeJS.ErrnoException {
  wasKept?: boolean
}

// Node's own agent would use the proxy of the environment for loopback too (NODE_USE_ENV_PROXY).
const LOOPBACK = /^http:\/\/(?:(?:[^/:@]+\.)?localhost|127\.[\d.]+|\[::1\])[:/]/i
const loopbackAgent = new Agent({ keepAlive: true, timeout: 5_000 })

const attempt = async ({
  method,
  url,
  headers,
  body,
  signal,
  maxBytes,
}: HttpRequest): Promise<HttpAnswer> => {
  const agent = LOOPBACK.test(url) ? loopbackAgent : undefined
  const request = (url.startsWith('https:') ? secure : plain)(url, { method, headers, signal, agent })
  // The header alone does not keep the agent from using the connection again where the server does not close it.
  if (headers.connection === 'close') request.shouldKeepAlive = false
  request.end(body)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve)
    // Once the answer has begun, the answer itself tells how it ended.
    request.on('error', (error) => reject(Object.assign(error, { wasKept: request.reusedSocket })))
    // An answer that changes the protocol ends the call without an error.
    request.once('close', () => reject(connectionError('the connection was closed without an answer')))
  })
  const bytes = await read(response, maxBytes).catch(({ code }) => {
    if (code === TOO_LONG) throw connectionError(`the answer has more than ${maxBytes} bytes`, code)
    throw connectionError('the answer broke off', code)
  })
  return { status: response.statusCode ?? 0, headers: response.headers, bytes }
}

const TOO_LONG = 'ERR_ANSWER_TOO_LONG'

const read = async (response: IncomingMessage, maxBytes: number | undefined): Promise<Buffer> => {
  if (maxBytes === undefined) return buffer(response)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    length += chunk.length
    // Leaving the loop destroys the connection.
    if (length > maxBytes) throw connectionError('too long', TOO_LONG)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const connectionError = (message: string, code = 'ECONNRESET'): ConnectionError =>
  Object.assign(new Error(message), { code })
