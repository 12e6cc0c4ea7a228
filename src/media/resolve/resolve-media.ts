import { LRUCache } from 'lru-cache'
import { assetPhaseAt } from '../../core/asset.js'
import { attachedIn, type MediaFacts, type MediaRef, type ResolvedMedia } from '../../core/media/media.js'
import type { Account } from '../../core/model/account.js'
import type { Asset } from '../../core/model/asset.js'
import type { Instant } from '../../core/schedule/time.js'
import type { Settings } from '../../core/settings.js'
import { isLoopbackHost } from '../../net/host-check.js'
import { type BlobStore, hashOfBytes } from '../files/blob-store.js'
import { type FetchResult, followRedirects } from './fetch-media.js'
import { type OwnAddress, type ReadOwnMedia, truncate } from './own-media.js'

interface MediaResolverDependencies {
  readonly settings: Settings
  readonly blobs: BlobStore
  readonly readOwnMedia: ReadOwnMedia
  readonly readAsset: (accountKey: string, id: string) => Promise<ResolvedMedia>
  readonly fetchMedia: (url: URL) => Promise<FetchResult>
}

/** The bytes of data URLs that were taken out of a large body, or a sentence that says what is wrong with one. */
type Attachments = readonly (Uint8Array | string)[]

/** Resolves the media that a body names, each URL once. */
export type ResolveMedia = (
  mediaRefs: readonly MediaRef[],
  accountKey: string,
  reached: OwnAddress,
  attachments: Attachments,
) => Promise<ReadonlyMap<string, ResolvedMedia>>

/** Media resolver: turns the media that a body names into facts. The only step before a decision that reads bytes. */
export const createMediaResolver = (dependencies: MediaResolverDependencies): ResolveMedia => {
  const { settings, blobs, readOwnMedia, readAsset, fetchMedia } = dependencies

  /** Facts of the inputs that were read last, by their hash: bytes that come again are not probed again. */
  const factsByHash = new LRUCache<string, MediaFacts>({ max: MAX_FACTS })

  const read = async (bytes: Uint8Array, origin: string): Promise<ResolvedMedia> => {
    const hash = await hashOfBytes(bytes)
    const facts = factsByHash.get(hash) ?? (await (await import('../probe.js')).probe(bytes))
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
    followRedirects(first, async (url) => {
      const own = url === first ? undefined : await readOwnMedia(url, reached)
      return own ?? fetchMedia(url)
    })

  return async (mediaRefs, accountKey, reached, attachments) => {
    const resolve = async (url: string): Promise<ResolvedMedia> => {
      if (url.startsWith('asset://')) return readAsset(accountKey, url.slice('asset://'.length))
      if (/^data:/i.test(url)) return fromDataUrl(url, attachments)
      return URL.canParse(url) ? fromUrl(new URL(url), reached) : refused('form', 'it is no URL')
    }
    const urls = [...new Set(mediaRefs.map(({ url }) => url))]
    return new Map(await Promise.all(urls.map(async (url) => [url, await resolve(url)] as const)))
  }
}

const MAX_FACTS = 1_000

type Refusal = Extract<ResolvedMedia, { state: 'refused' }>

const refused = (reason: Refusal['reason'], detail: string): Refusal => ({ state: 'refused', reason, detail })

const DATA_URL = /^data:[^,]{0,200};base64,/i

/** The bytes of a Base64 data URL, or a sentence that says why it is none. */
const decodeDataUrl = (url: string, attachments: Attachments = []): Uint8Array | string => {
  const head = DATA_URL.exec(url)?.[0]
  if (head === undefined) return 'it is not of the form data:{MIME_type};base64,{data}'
  const attached = attachments.length === 0 ? undefined : attachments[attachedIn(url)?.number ?? -1]
  if (attached !== undefined) return attached
  const text = url.slice(head.length)
  // The runtime's decoder skips what it does not know; a client that sends such text has a bug worth reporting.
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text))
    return 'its Base64 holds characters that Base64 does not have'
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === 0 ? 'its Base64 is empty' : bytes
}

/** What the asset reader needs of the store of accounts. */
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
