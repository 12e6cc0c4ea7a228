import type { Found, Mention } from '../../../core/media/mention.js'
import type { Settings } from '../../../core/settings.js'
import type { BlobStore } from '../blobs/index.js'
import { decodeDataUrl } from './data-url.js'
import { type Fetched, isLoopback } from './fetch-bytes.js'

export interface GatherParts {
  readonly settings: Settings
  readonly blobs: BlobStore
  /** Bytes behind one of the emulator's own URLs; undefined where it is no such URL. */
  readonly readOwn: (url: URL, origin: string) => Promise<Fetched> | undefined
  readonly readAsset: (accountKey: string, id: string) => Promise<Found>
  readonly fetchBytes: (url: URL) => Promise<Fetched>
}

export type Gather = (
  mentions: readonly Mention[],
  accountKey: string,
  origin: string,
  attachments: readonly (Uint8Array | string)[],
) => Promise<ReadonlyMap<string, Found>>

/** Turns the media that a body names into facts: the only step before a decision that touches bytes. */
export const createGather = (parts: GatherParts): Gather => {
  const find = (
    url: string,
    accountKey: string,
    origin: string,
    attachments: readonly (Uint8Array | string)[],
  ): Promise<Found> => {
    if (url.startsWith('asset://')) return parts.readAsset(accountKey, url.slice('asset://'.length))
    if (/^data:/i.test(url)) return fromDataUrl(url, attachments)
    const address = parse(url)
    return address === undefined ? Promise.resolve(refused('form', 'it is no URL')) : fromUrl(address, origin)
  }

  const fromDataUrl = async (url: string, attachments: readonly (Uint8Array | string)[]): Promise<Found> => {
    const decoded = decodeDataUrl(url, attachments)
    return typeof decoded === 'string' ? refused('unreadable', decoded) : read(decoded, 'Base64')
  }

  const fromUrl = async (url: URL, origin: string): Promise<Found> => {
    const name = url.pathname.split('/').at(-1) || url.hostname
    if (parts.settings.fetchMedia === 'none') return { state: 'unseen', origin: name }
    const own = parts.readOwn(url, origin)
    if (own === undefined && !isLoopback(url.hostname) && parts.settings.fetchMedia === 'local')
      return { state: 'unseen', origin: name }
    const fetched = await (own ?? parts.fetchBytes(url))
    return 'bytes' in fetched ? read(fetched.bytes, name) : refused(fetched.reason, fetched.detail)
  }

  const read = async (bytes: Uint8Array, origin: string): Promise<Found> => {
    const { probe } = await import('../probe/index.js')
    const facts = await probe(bytes)
    if (facts.kind === 'unreadable') return refused('unreadable', facts.detail)
    return { state: 'read', facts, blob: await parts.blobs.put(bytes), origin }
  }

  return async (mentions, accountKey, origin, attachments) => {
    const urls = [...new Set(mentions.map(({ url }) => url))]
    const found = await Promise.all(urls.map((url) => find(url, accountKey, origin, attachments)))
    return new Map(urls.map((url, index) => [url, found[index] as Found]))
  }
}

const refused = (reason: Extract<Found, { state: 'refused' }>['reason'], detail: string): Found => ({
  state: 'refused',
  reason,
  detail,
})

const parse = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined)
