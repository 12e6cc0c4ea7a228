import { readFile } from 'node:fs/promises'
import { bytesOfStandIn } from '../../../core/media/stand-in.js'
import { STAND_INS_PATH } from '../../../core/recording/emulator-origin.js'
import { FIXTURES_PATH, type Fixtures } from '../../fixtures/fixtures.js'
import type { ResolvedResult, ResolveResult } from '../../results/results.js'
import type { Renderer } from '../studio/index.js'
import { truncate } from './brief.js'
import type { FetchResult } from './fetch-bytes.js'
import { type OwnAddress, type ResolvedOrigin, resolveOrigin } from './whose.js'

export interface OwnMediaDependencies {
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
    if (place.path.startsWith(`${STAND_INS_PATH}/`)) return readStandIn(url, place)
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

const readStandIn = async (url: URL, { whose }: ResolvedOrigin): Promise<FetchResult | undefined> => {
  const { readStandInUrl } = await import('../../../core/recording/stand-in-url.js')
  const behind = readStandInUrl(url)
  if (behind === undefined)
    return whose === 'near' ? undefined : absent('the stand-in says nothing that can be understood')
  return 'standIn' in behind ? { bytes: bytesOfStandIn(behind.standIn) } : behind
}
