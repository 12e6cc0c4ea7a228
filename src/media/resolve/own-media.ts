import { readFile } from 'node:fs/promises'
import type { ResolvedResult, ResultLookup } from '../../core/result.js'
import { isLoopbackHost } from '../../net/host-check.js'
import { FIXTURES_PATH, type Fixtures } from '../fixtures.js'
import type { Renderer } from '../render/renderer.js'
import type { FetchResult } from './fetch-media.js'

interface OwnMediaDependencies {
  readonly fixtures: Fixtures
  readonly resolve: ResultLookup
  readonly renderer: Renderer
}

/** The bytes behind one of the emulator's own URLs, or why there are none; undefined for any other URL. */
export type ReadOwnMedia = (url: URL, reached: OwnAddress) => Promise<FetchResult | undefined>

/**
 * Reader of the emulator's own URLs, without the network: fixtures under any host, since they stand for public URLs
 * (gap Z12), and results at the address of the call. At another port of loopback it reads only URLs that cannot
 * belong to another program: fixtures that exist, and results that carry the emulator's signature.
 */
export const createOwnMediaReader = ({ fixtures, resolve, renderer }: OwnMediaDependencies): ReadOwnMedia => {
  const readFixture = async ({ owner, path }: ResolvedOrigin): Promise<FetchResult | undefined> => {
    const name = decoded(path.slice(FIXTURES_PATH.length + 1))
    const bytes = await fixtures.read(name)
    if (bytes !== undefined) return { bytes }
    return owner === 'loopback' ? undefined : absent(`there is no fixture ${truncate(name)}`)
  }

  const readResult = async (
    { owner, path }: ResolvedOrigin,
    query: URLSearchParams,
  ): Promise<FetchResult | undefined> => {
    const result = await resolve(path, query)
    if (result?.state === 'there') return { bytes: await rendered(result) }
    if (owner === 'loopback' && result?.state !== 'expired') return undefined
    return absent(REASONS[result?.state ?? 'gone'])
  }

  const rendered = async ({ spec }: Extract<ResolvedResult, { state: 'there' }>): Promise<Uint8Array> => {
    const file = await renderer.open(spec)
    try {
      return await readFile(file.path)
    } finally {
      file.release()
    }
  }

  return async (url, reached) => {
    const origin = resolveOrigin(url, reached)
    if (origin.path.startsWith(`${FIXTURES_PATH}/`)) return readFixture(origin)
    if (origin.owner === 'external' || !origin.path.startsWith('/results/')) return undefined
    return readResult(origin, url.searchParams)
  }
}

const absent = (detail: string): FetchResult => ({ reason: 'unreachable', detail })

const REASONS = {
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

interface ResolvedOrigin {
  /** `loopback`: at a port that is not known to be the emulator's: another program's, or its own under another number. */
  readonly owner: 'own' | 'loopback' | 'external'
  /** Without what the public URL puts before the paths of the emulator. */
  readonly path: string
}

/** Whether a URL of a body leads to the emulator itself, and to which of its paths. */
export const resolveOrigin = (url: URL, { origin, port }: OwnAddress): ResolvedOrigin => {
  const { pathname: path, hostname } = url
  const base = URL.canParse(origin) ? new URL(origin) : undefined
  const prefix = base?.pathname.replace(/\/+$/, '') ?? ''
  if (url.origin === base?.origin && path.startsWith(`${prefix}/`))
    return { owner: 'own', path: path.slice(prefix.length) }
  if (!isLoopbackHost(hostname)) return { owner: 'external', path }
  const ports = [port, base !== undefined && isLoopbackHost(base.hostname) ? portOf(base) : undefined]
  return { owner: ports.includes(portOf(url)) ? 'own' : 'loopback', path }
}

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)

const [MAX_LENGTH, SHOWN_LENGTH] = [80, 60]

/** Truncates a name for error messages: clients pass whole data URLs. */
export const truncate = (name: string): string =>
  name.length <= MAX_LENGTH
    ? name
    : `${name.slice(0, SHOWN_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}… (${name.length} characters)`
