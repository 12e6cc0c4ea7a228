import { once } from 'node:events'
import { type ClientRequest, get as getPlain, type IncomingMessage } from 'node:http'
import { get as getSecure } from 'node:https'
import { URL, urlToHttpOptions } from 'node:url'
import { isRedirect } from '../../core/http.js'
import type { UnusableReason } from '../../core/media/input.js'
import {
  AddressRefused,
  type ConnectPolicy,
  checkTarget,
  createLookup,
  describeTarget,
  type Resolve,
  resolveBySystem,
} from '../../net/address-guard.js'
import { isLoopbackHost } from '../../net/host-check.js'

export type FetchResult =
  | { readonly bytes: Uint8Array }
  | {
      readonly reason: Extract<UnusableReason, 'unreachable' | 'too-large'>
      readonly detail: string
      /** The `Location` of a redirect. Default: it was none. */
      readonly movedTo?: string
    }

interface FetchLimits {
  /** Time limit of the whole download, from the look-up of the name to the last byte. */
  readonly timeoutMs: number
  readonly maxBytes: number
  /** Which addresses may be connected to, whatever they are called. */
  readonly mayConnect: ConnectPolicy
  readonly resolve?: Resolve
}

/**
 * HTTP client for media: downloads one within a time and a size, from an address that the SSRF guard allows. Redirects
 * are returned, not followed, and no proxy is used, since it would connect to where this process may not. Never rejects.
 */
export const createMediaFetcher = ({ timeoutMs, maxBytes, mayConnect, resolve }: FetchLimits) => {
  const lookup = createLookup(mayConnect, resolve ?? resolveBySystem)
  const open = (url: URL, signal: AbortSignal): ClientRequest => {
    const options = urlToHttpOptions(url)
    checkTarget(url, String(options.hostname), mayConnect)
    const get = url.protocol === 'https:' ? getSecure : getPlain
    return get({ ...options, lookup, signal, agent: false, maxHeaderSize: MAX_HEADER_BYTES })
  }

  return async (url: URL): Promise<FetchResult> => {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const request = open(url, signal)
      const [response] = await once(request, 'response')
      // From here on the response itself tells how it ended.
      request.on('error', () => {})
      return await collect(response, url, maxBytes)
    } catch (error) {
      const tooSlow = `${url.host} did not send the whole within ${timeoutMs / 1_000} s`
      return { reason: 'unreachable', detail: signal.aborted ? tooSlow : reasonOf(url, error as Error) }
    }
  }
}

const MAX_HEADER_BYTES = 16 * 1024

const collect = async (response: IncomingMessage, { host }: URL, maxBytes: number): Promise<FetchResult> => {
  const { statusCode } = response
  if (statusCode !== 200) {
    response.destroy()
    return { reason: 'unreachable', detail: `${host} answered ${statusCode}`, ...redirectOf(response) }
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    chunks.push(chunk)
    if (size > maxBytes) return { reason: 'too-large', detail: `it is larger than ${maxBytes} bytes` }
  }
  return { bytes: Buffer.concat(chunks) }
}

const redirectOf = ({ statusCode, headers: { location } }: IncomingMessage): { movedTo?: string } =>
  location !== undefined && isRedirect(statusCode) ? { movedTo: location } : {}

const reasonOf = ({ host }: URL, error: Error): string =>
  error instanceof AddressRefused
    ? `media are not read from ${describeTarget(error.hostname, error.addresses)} (setting fetchMedia)`
    : `${host} cannot be reached (${error.message})`

// Development servers redirect once or twice: from / to a folder, from one name of this machine to another.
const MAX_REDIRECTS = 3

/**
 * Reads a medium through redirects from loopback to loopback, as those of development servers are. No other redirect is
 * followed: a foreign page could make the emulator read what only this machine can reach (SSRF).
 */
export const followRedirects = async (
  first: URL,
  read: (url: URL) => Promise<FetchResult>,
): Promise<FetchResult> => {
  let url = first
  for (let redirects = 0; ; redirects += 1) {
    const result = await read(url)
    const next = nextOf(url, result)
    if (next === undefined) return result
    const refusal = refusalOf(url, next, redirects)
    if (refusal !== undefined) return { reason: 'unreachable', detail: refusal }
    url = next
  }
}

const nextOf = (url: URL, fetched: FetchResult): URL | undefined => {
  const movedTo = 'movedTo' in fetched ? fetched.movedTo : undefined
  return movedTo !== undefined && URL.canParse(movedTo, url.href) ? new URL(movedTo, url) : undefined
}

const refusalOf = (from: URL, to: URL, redirects: number): string | undefined => {
  if (!isLoopbackHost(from.hostname) || !isLoopbackHost(to.hostname))
    return `${from.host} redirects to ${to.host || to.protocol}, and redirects are followed from loopback to loopback alone`
  return redirects < MAX_REDIRECTS
    ? undefined
    : `${from.host} redirects once more after ${MAX_REDIRECTS} redirects`
}
