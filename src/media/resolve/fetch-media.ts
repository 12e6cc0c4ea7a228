import { type ClientRequest, get as getPlain, type IncomingMessage } from 'node:http'
import { get as getSecure } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import type { UnusableReason } from '../../core/media/input.js'
import {
  AddressRefused,
  type ConnectPolicy,
  checkLiteralAddress,
  checkPort,
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
  const open = (url: URL, answered: (response: IncomingMessage) => void): ClientRequest => {
    const options = urlToHttpOptions(url)
    const refusal = checkPort(url) ?? checkLiteralAddress(String(options.hostname), mayConnect)
    if (refusal !== undefined) throw refusal
    const get = url.protocol === 'https:' ? getSecure : getPlain
    const signal = AbortSignal.timeout(timeoutMs)
    return get({ ...options, lookup, signal, agent: false, maxHeaderSize: MAX_HEADER_BYTES }, answered)
  }

  return (url: URL): Promise<FetchResult> =>
    new Promise((resolve) => {
      const failed = (error: unknown) =>
        resolve({ reason: 'unreachable', detail: reasonOf(url, error, timeoutMs) })
      try {
        open(url, (response) => collect(response, url, maxBytes, resolve)).on('error', failed)
      } catch (error) {
        failed(error)
      }
    })
}

const MAX_HEADER_BYTES = 16 * 1024

const collect = (
  response: IncomingMessage,
  url: URL,
  maxBytes: number,
  done: (fetched: FetchResult) => void,
): void => {
  const { statusCode } = response
  if (statusCode !== 200) {
    done({ reason: 'unreachable', detail: `${url.host} answered ${statusCode}`, ...redirectOf(response) })
    response.destroy()
    return
  }
  const chunks: Buffer[] = []
  let size = 0
  response.on('data', (chunk: Buffer) => {
    size += chunk.length
    chunks.push(chunk)
    if (size <= maxBytes) return
    response.destroy()
    done({ reason: 'too-large', detail: `it is larger than ${maxBytes} bytes` })
  })
  response.on('end', () => done({ bytes: Buffer.concat(chunks) }))
  response.on('error', (error) => done({ reason: 'unreachable', detail: error.message }))
}

const REDIRECTS: readonly (number | undefined)[] = [301, 302, 303, 307, 308]

const redirectOf = ({ statusCode, headers: { location } }: IncomingMessage): { movedTo?: string } =>
  location !== undefined && REDIRECTS.includes(statusCode) ? { movedTo: location } : {}

const reasonOf = ({ host }: URL, error: unknown, timeoutMs: number): string => {
  if (error instanceof AddressRefused)
    return `media are not read from ${describeTarget(error.hostname, error.addresses)} (setting fetchMedia)`
  const { name, message } = error as Error
  return name === 'AbortError'
    ? `${host} did not send the whole within ${timeoutMs / 1_000} s`
    : `${host} cannot be reached (${message})`
}

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
