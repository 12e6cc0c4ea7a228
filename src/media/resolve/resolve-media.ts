import type { Store } from '../../accounts/store.js'
import { assetPhaseAt } from '../../core/asset.js'
import { attachedIn, type MediaRef, type ResolvedMedia } from '../../core/media/references.js'
import type { Asset } from '../../core/model/asset.js'
import { readClock } from '../../core/schedule/clock.js'
import type { Instant } from '../../core/schedule/timeline.js'
import type { Settings } from '../../core/settings.js'
import { isLoopbackHost } from '../../net/loopback.js'
import type { BlobStore } from '../files/blob-store.js'
import { type FetchResult, followRedirects } from './fetch-media.js'
import type { OwnAddress, ReadOwnMedia } from './own-media.js'

interface MediaResolverDependencies {
  readonly settings: Settings
  readonly blobs: BlobStore
  readonly readOwnMedia: ReadOwnMedia
  readonly readAsset: (accountKey: string, id: string) => Promise<ResolvedMedia>
  readonly fetchMedia: (url: URL) => Promise<FetchResult>
}

export type ResolveMedia = (
  mediaRefs: readonly MediaRef[],
  accountKey: string,
  reached: OwnAddress,
  attachments: readonly (Uint8Array | string)[],
) => Promise<ReadonlyMap<string, ResolvedMedia>>

/** Turns the media that a body names into facts: the only step before a decision that touches bytes. */
export const createMediaResolver = (parts: MediaResolverDependencies): ResolveMedia => {
  const find = (
    url: string,
    accountKey: string,
    reached: OwnAddress,
    attachments: readonly (Uint8Array | string)[],
  ): Promise<ResolvedMedia> => {
    if (url.startsWith('asset://')) return parts.readAsset(accountKey, url.slice('asset://'.length))
    if (/^data:/i.test(url)) return fromDataUrl(url, attachments)
    const address = parse(url)
    return address === undefined
      ? Promise.resolve(refused('form', 'it is no URL'))
      : fromUrl(address, reached)
  }

  const fromDataUrl = async (
    url: string,
    attachments: readonly (Uint8Array | string)[],
  ): Promise<ResolvedMedia> => {
    const decoded = decodeDataUrl(url, attachments)
    return typeof decoded === 'string' ? refused('unreadable', decoded) : read(decoded, 'Base64')
  }

  const fromUrl = async (url: URL, reached: OwnAddress): Promise<ResolvedMedia> => {
    const name = url.pathname.split('/').at(-1) || url.hostname
    if (parts.settings.fetchMedia === 'none') return { state: 'unseen', origin: name }
    const own = await parts.readOwnMedia(url, reached)
    if (own === undefined && !isLoopbackHost(url.hostname) && parts.settings.fetchMedia === 'local')
      return { state: 'unseen', origin: name }
    const fetched = own ?? (await fetchedFrom(url, reached))
    return 'bytes' in fetched ? read(fetched.bytes, name) : refused(fetched.reason, fetched.detail)
  }

  // A redirect may lead to what is the emulator's own.
  const fetchedFrom = (first: URL, reached: OwnAddress): Promise<FetchResult> =>
    followRedirects(async (url) => {
      const own = url === first ? undefined : await parts.readOwnMedia(url, reached)
      return own ?? parts.fetchMedia(url)
    })(first)

  const read = async (bytes: Uint8Array, origin: string): Promise<ResolvedMedia> => {
    const { probe } = await import('../probe.js')
    const facts = await probe(bytes)
    if (facts.kind === 'unreadable') return refused('unreadable', facts.detail)
    return { state: 'read', facts, blob: await parts.blobs.put(bytes), origin }
  }

  return async (mediaRefs, accountKey, reached, attachments) => {
    const urls = [...new Set(mediaRefs.map(({ url }) => url))]
    const found = await Promise.all(urls.map((url) => find(url, accountKey, reached, attachments)))
    return new Map(urls.map((url, index) => [url, found[index] as ResolvedMedia]))
  }
}

const refused = (
  reason: Extract<ResolvedMedia, { state: 'refused' }>['reason'],
  detail: string,
): ResolvedMedia => ({
  state: 'refused',
  reason,
  detail,
})

const parse = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined)

const HEAD = /^data:[^,]{0,200};base64,/i

/**
 * The bytes of a Base64 data URL, or a sentence that says why it is none. Those of a large body were taken out of it
 * when it was read, and a number stands in their place; a body without attachments has no such numbers.
 */
const decodeDataUrl = (
  url: string,
  attachments: readonly (Uint8Array | string)[] = [],
): Uint8Array | string => {
  const head = HEAD.exec(url)?.[0]
  if (head === undefined) return 'it is not of the form data:{MIME_type};base64,{data}'
  const attached = attachments.length === 0 ? undefined : attachments[attachedIn(url)?.number ?? -1]
  if (attached !== undefined) return attached
  const text = url.slice(head.length)
  // The runtime's decoder skips what it does not know; a client that sends such text has a bug worth hearing of.
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text))
    return 'its Base64 holds characters that Base64 does not have'
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === 0 ? 'its Base64 is empty' : bytes
}

/** What stands behind `asset://<id>` for an account, by its clock (§D, gap B10): only its own that are ready. */
export const createAssetReader =
  (store: Store, wall: () => number) =>
  (accountKey: string, id: string): Promise<ResolvedMedia> =>
    store.read(accountKey, ({ assets }, now) => foundAs(assets.get(id), id, now))

const foundAs = (asset: Asset | undefined, id: string, now: Instant): ResolvedMedia => {
  if (asset === undefined) return refusedOfReadAsset(`the account has no asset ${truncate(id)}`)
  const phase = assetPhaseAt(asset, now)
  if (phase.state === 'Failed')
    return refusedOfReadAsset(`the asset ${id} has failed: ${phase.error.message}`)
  if (phase.state === 'Processing' || asset.facts === undefined)
    return refusedOfReadAsset(`the asset ${id} is still being processed`)
  return { state: 'read', facts: asset.facts, blob: asset.blob, origin: id }
}

const refusedOfReadAsset = (detail: string): ResolvedMedia => ({ state: 'refused', reason: 'asset', detail })

const [MOST, BEGINNING] = [80, 60]

/** A name as a message says it: whoever takes a whole data URL for one does not get it back. */
export const truncate = (name: string): string =>
  name.length <= MOST
    ? name
    : `${name.slice(0, BEGINNING).replace(/[\uD800-\uDBFF]$/, '')}… (${name.length} characters)`
