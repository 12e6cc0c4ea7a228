import { readFile } from 'node:fs/promises'
import type { ResolvedResult, ResolveResult } from '../../core/result/resolve.js'
import { isLoopbackHost } from '../../net/loopback.js'
import { FIXTURES_PATH, type Fixtures } from '../fixtures.js'
import type { Renderer } from '../render/renderer.js'
import type { FetchResult } from './fetch-media.js'
import { truncate } from './resolve-media.js'

interface OwnMediaDependencies {
  readonly fixtures: Fixtures
  readonly resolve: ResolveResult
  readonly renderer: Renderer
}

/** Bytes behind one of the emulator's own URLs, or why there are none; undefined where it is no such URL. */
export type ReadOwnMedia = (url: URL, reached: OwnAddress) => Promise<FetchResult | undefined>

const absent = (detail: string): FetchResult => ({ reason: 'unreachable', detail })

/**
 * Reads the emulator's own URLs without going over the network: fixtures under any host, since they stand for public
 * URLs (gap Z12), and results where the call came to. What is at another port of loopback is ours only where
 * nobody else could have it: a fixture of that name, a result that was signed here. All the rest there is fetched.
 */
export const createOwnMediaReader = ({ fixtures, resolve, renderer }: OwnMediaDependencies): ReadOwnMedia => {
  const readFixture = async ({ whose, path }: ResolvedOrigin): Promise<FetchResult | undefined> => {
    const name = decoded(path.slice(FIXTURES_PATH.length + 1))
    const bytes = await fixtures.read(name)
    if (bytes !== undefined) return { bytes }
    return whose === 'near' ? undefined : absent(`there is no fixture ${truncate(name)}`)
  }

  const readResult = async (
    { whose, path }: ResolvedOrigin,
    query: URLSearchParams,
  ): Promise<FetchResult | undefined> => {
    const resolved = await resolve(path, query)
    if (resolved?.state === 'there') return drawn(resolved)
    if (whose === 'near' && resolved?.state !== 'expired') return undefined
    return absent(words[resolved?.state ?? 'gone'])
  }

  const drawn = async ({ spec }: Extract<ResolvedResult, { state: 'there' }>): Promise<FetchResult> => {
    const file = await renderer.open(spec)
    try {
      return { bytes: await readFile(file.path) }
    } finally {
      file.release()
    }
  }

  return async (url, reached) => {
    const place = resolveOrigin(url, reached)
    if (place.path.startsWith(`${FIXTURES_PATH}/`)) return readFixture(place)
    if (place.whose === 'elsewhere') return undefined
    return place.path.startsWith('/results/') ? readResult(place, url.searchParams) : undefined
  }
}

const words = {
  expired: 'the result has expired',
  forged: 'the signature of the result is not the one that it was given out with',
  gone: 'the result does not exist',
} as const

// A name that cannot be decoded is that of no fixture.
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Where a call reached the emulator. */
export interface OwnAddress {
  /** What its absolute URLs begin with for the caller; may have a path. */
  readonly origin: string
  /** The port that it listens on; undefined where it is not known. */
  readonly port: number | undefined
}

/** `near`: on loopback, at a port that is not known to be ours: another program's, or ours under another number. */
type UrlOwner = 'ours' | 'near' | 'elsewhere'

interface ResolvedOrigin {
  readonly whose: UrlOwner
  /** Without what the public URL puts before the paths of the emulator. */
  readonly path: string
}

/** Whether a URL of a body leads to the emulator itself, and to which of its paths. */
export const resolveOrigin = (url: URL, { origin, port }: OwnAddress): ResolvedOrigin => {
  const { pathname: path, hostname } = url
  const base = URL.canParse(origin) ? new URL(origin) : undefined
  const before = base?.pathname.replace(/\/+$/, '') ?? ''
  if (url.origin === base?.origin && path.startsWith(`${before}/`))
    return { whose: 'ours', path: path.slice(before.length) }
  if (!isLoopbackHost(hostname)) return { whose: 'elsewhere', path }
  const ports = [port, base !== undefined && isLoopbackHost(base.hostname) ? portOf(base) : undefined]
  return { whose: ports.includes(portOf(url)) ? 'ours' : 'near', path }
}

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
