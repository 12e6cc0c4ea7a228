import { readFile } from 'node:fs/promises'
import { URL } from 'node:url'
import { LRUCache } from 'lru-cache'
import { createSemaphore, lateImport } from '../../concurrency.js'
import { type Asset, assetPhaseAt } from '../../core/asset.js'
import { attachedIn, type MediaFacts, type MediaRef, type ResolvedMedia } from '../../core/media/input.js'
import type { Account } from '../../core/model/account.js'
import { percentDecoded } from '../../core/model/path.js'
import { beginningOf } from '../../core/request.js'
import type { ResolvedResult, ResultLookup } from '../../core/result.js'
import type { Instant } from '../../core/schedule/time.js'
import type { Settings } from '../../core/settings.js'
import { isLoopbackHost, portOf } from '../../net/host-check.js'
import { type BlobStore, hashOfBytes } from '../files/blob-store.js'
import { FIXTURES_PATH, type Fixtures } from '../fixtures.js'
import type { Renderer } from '../render/renderer.js'
import { type FetchResult, followRedirects } from './fetch-media.js'

interface MediaResolverDependencies {
  readonly settings: Settings
  readonly blobs: BlobStore
  readonly readOwnMedia: ReadOwnMedia
  readonly readAsset: (accountKey: string, id: string) => Promise<ResolvedMedia>
  readonly fetchMedia: (url: URL) => Promise<FetchResult>
}

/** Attachments: the bytes of data URLs that were taken out of a large body, or a sentence that says what is wrong with one. */
type Attachments = readonly (Uint8Array | string)[]

/** Resolves the media that a body names, each URL once. */
export type ResolveMedia = (
  mediaRefs: readonly MediaRef[],
  accountKey: string,
  reached: OwnAddress,
  attachments: Attachments,
) => Promise<ReadonlyMap<string, ResolvedMedia>>

const importProbe = lateImport(() => import('../probe.js'))

/** Media resolver: turns the media that a body names into facts. The only step before a decision that reads bytes. */
export const createMediaResolver = (dependencies: MediaResolverDependencies): ResolveMedia => {
  const { settings, blobs, readOwnMedia, readAsset, fetchMedia } = dependencies

  /** Facts of the inputs that were read last, by their hash: bytes that come again are not probed again. */
  const factsByHash = new LRUCache<string, MediaFacts>({ max: MAX_FACTS })

  // Of all calls together, since each holds its bytes in memory.
  const fetches = createSemaphore(MAX_FETCHES_AT_ONCE)

  const read = async (bytes: Uint8Array, origin: string): Promise<ResolvedMedia> => {
    const hash = await hashOfBytes(bytes)
    const facts = factsByHash.get(hash) ?? (await (await importProbe()).probe(bytes))
    if (facts.kind === 'unreadable') return refused('unreadable', facts.detail)
    factsByHash.set(hash, facts)
    return { state: 'read', facts, blob: await blobs.put(bytes, hash), origin }
  }

  const fromDataUrl = async (url: string, attachments: Attachments): Promise<ResolvedMedia> => {
    const decoded = decodeDataUrl(url, attachments)
    return typeof decoded === 'string' ? refused('unreadable', decoded) : read(decoded, 'Base64')
  }

  const fromUrl = async (url: URL, reached: OwnAddress): Promise<ResolvedMedia> => {
    const name = url.pathname.split('/').at(-1) || url.hostname
    if (settings.fetchMedia === 'none') return { state: 'unseen', origin: name }
    const own = await readOwnMedia(url, reached)
    if (own === undefined && !isLoopbackHost(url.hostname) && settings.fetchMedia === 'local')
      return { state: 'unseen', origin: name }
    const result = own ?? (await fetchFrom(url, reached))
    return 'bytes' in result ? read(result.bytes, name) : refused(result.reason, result.detail)
  }

  // A redirect may lead to one of the emulator's own URLs.
  const fetchFrom = (first: URL, reached: OwnAddress): Promise<FetchResult> =>
    fetches.run(() =>
      followRedirects(first, async (url) => {
        const own = url === first ? undefined : await readOwnMedia(url, reached)
        return own ?? fetchMedia(url)
      }),
    )

  return async (mediaRefs, accountKey, reached, attachments) => {
    const resolve = async (url: string): Promise<ResolvedMedia> => {
      if (url.startsWith('asset://')) return readAsset(accountKey, url.slice('asset://'.length))
      if (/^data:/i.test(url)) return fromDataUrl(url, attachments)
      return URL.canParse(url) ? fromUrl(new URL(url), reached) : refused('form', 'it is no URL')
    }
    const urls = [...new Set(mediaRefs.map(({ url }) => url))]
    const semaphore = createSemaphore(MAX_AT_ONCE)
    const resolveInTurn = async (url: string) => [url, await semaphore.run(() => resolve(url))] as const
    const unread = urls.slice(MAX_READ).map((url) => [url, tooMany] as const)
    return new Map([...(await Promise.all(urls.slice(0, MAX_READ).map(resolveInTurn))), ...unread])
  }
}

const MAX_FACTS = 1_000

// No rule for numbers has been checked yet, so that one call may name a thousand. Calls that are accepted seldom name more than 15.
const MAX_READ = 64
const MAX_AT_ONCE = 16
const MAX_FETCHES_AT_ONCE = 32

const tooMany: ResolvedMedia = { state: 'unseen', origin: 'one medium too many' }

type Refusal = Extract<ResolvedMedia, { state: 'refused' }>

const refused = (reason: Refusal['reason'], detail: string): Refusal => ({ state: 'refused', reason, detail })

const DATA_URL = /^data:[^,]{0,200};base64,/i

/** The bytes of a Base64 data URL, or a sentence that says why it is none. */
const decodeDataUrl = (url: string, attachments: Attachments): Uint8Array | string => {
  const head = DATA_URL.exec(url)?.[0]
  if (head === undefined) return 'it is not of the form data:{MIME_type};base64,{data}'
  const attached = attachments.length === 0 ? undefined : attachments[attachedIn(url)?.number ?? -1]
  if (attached !== undefined) return attached
  const text = url.slice(head.length)
  // The runtime's decoder skips what it does not know; a client that sends such text has a bug worth reporting. White space
  // can be matched in one way only: in two, the time would grow with the square of its length (ReDoS).
  if (!/^[A-Za-z0-9+/\s]*(?:={1,2}\s*)?$/.test(text))
    return 'it contains characters that are not valid Base64'
  if (hasImpossibleLength(text)) return 'its Base64 is cut short: no bytes have a text of that length'
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === 0 ? 'its Base64 is empty or cut short' : bytes
}

/** Whether so many letters are Base64 of no bytes at all: four hold three bytes, and one alone holds none. */
const hasImpossibleLength = (text: string): boolean => {
  const letters = /\s/.test(text) ? text.replace(/\s+/g, '') : text
  return letters.replace(/=+$/, '').length % 4 === 1
}

/** Account store, as far as the asset reader needs it. */
interface AccountReader {
  read<T>(key: string, use: (account: Account, now: Instant) => T): Promise<T>
}

/** Asset reader: what stands behind `asset://<id>` for an account (§D, gap B10): only its own assets that are ready. */
export const createAssetReader =
  (accounts: AccountReader) =>
  (accountKey: string, id: string): Promise<ResolvedMedia> =>
    accounts.read(accountKey, ({ assets }, now) => resolvedAsset(assets.get(id), id, now))

const resolvedAsset = (asset: Asset | undefined, id: string, now: Instant): ResolvedMedia => {
  if (asset === undefined) return refused('asset', `the account has no asset ${truncate(id)}`)
  const phase = assetPhaseAt(asset, now)
  if (phase.state === 'Failed') return refused('asset', `the asset ${id} has failed: ${phase.error.message}`)
  if (phase.state === 'Processing' || asset.facts === undefined)
    return refused('asset', `the asset ${id} is still being processed`)
  return { state: 'read', facts: asset.facts, blob: asset.blob, origin: id }
}

interface OwnMediaDependencies {
  readonly fixtures: Fixtures
  readonly resolve: ResultLookup
  readonly renderer: Renderer
}

/** The bytes behind one of the emulator's own URLs, or why there are none; undefined for any other URL. */
type ReadOwnMedia = (url: URL, reached: OwnAddress) => Promise<FetchResult | undefined>

/**
 * Reader of the emulator's own URLs, without the network: fixtures under any host, since they stand for public URLs
 * (gap Z12), and results at the address of the call. At another port of loopback it reads only URLs that cannot
 * belong to another program: fixtures that exist, and results that carry the emulator's signature.
 */
export const createOwnMediaReader = ({ fixtures, resolve, renderer }: OwnMediaDependencies): ReadOwnMedia => {
  const readFixture = async ({ owner, path }: ResolvedOrigin): Promise<FetchResult | undefined> => {
    const name = percentDecoded(path.slice(FIXTURES_PATH.length + 1))
    const bytes = await fixtures.read(name)
    if (bytes !== undefined) return { bytes }
    return owner === 'loopback' ? undefined : absent(`there is no fixture ${truncate(name)}`)
  }

  const readResult = async (
    origin: ResolvedOrigin,
    query: URLSearchParams,
  ): Promise<FetchResult | undefined> => {
    const { owner, path } = origin
    const result = await resolve(path, query)
    if (result?.state === 'there') return { bytes: await rendered(result) }
    if (owner === 'loopback' && result?.state !== 'expired') return undefined
    return absent(REASONS[result?.state ?? 'gone'])
  }

  const rendered = async ({ spec }: Extract<ResolvedResult, { state: 'there' }>): Promise<Uint8Array> => {
    const { path, release } = await renderer.open(spec)
    return readFile(path).finally(release)
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

/** Address at which a call reached the emulator. */
interface OwnAddress {
  /** Base of its absolute URLs for the caller; may have a path. */
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

/** Resolves the origin of a URL in a body: whether it leads to the emulator itself, and to which of its paths. */
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

const MAX_LENGTH = 80

/** Truncates a name for error messages: clients pass whole data URLs. */
export const truncate = (name: string): string =>
  name.length <= MAX_LENGTH ? name : `${beginningOf(name)}… (${name.length} characters)`
