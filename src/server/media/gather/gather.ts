import type { MediaRef, ResolvedMedia } from '../../../core/media/mention.js'
import type { Settings } from '../../../core/settings.js'
import { isLoopbackHost } from '../../loopback.js'
import type { BlobStore } from '../blobs/index.js'
import { decodeDataUrl } from './data-url.js'
import type { FetchResult } from './fetch-bytes.js'
import { followRedirects } from './follow.js'
import type { ReadOwnMedia } from './read-own.js'
import type { OwnAddress } from './whose.js'

export interface MediaResolverDependencies {
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
    const { probe } = await import('../probe/index.js')
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
