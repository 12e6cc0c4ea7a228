import type { Found, Mention } from '../../../core/media/mention.js'
import type { Settings } from '../../../core/settings.js'
import { isLoopbackHost } from '../../loopback.js'
import type { BlobStore } from '../blobs/index.js'
import { decodeDataUrl } from './data-url.js'
import type { Fetched } from './fetch-bytes.js'
import { following } from './follow.js'
import type { ReadOwn } from './read-own.js'
import type { Reached } from './whose.js'

export interface GatherParts {
  readonly settings: Settings
  readonly blobs: BlobStore
  readonly readOwn: ReadOwn
  readonly readAsset: (accountKey: string, id: string) => Promise<Found>
  readonly fetchBytes: (url: URL) => Promise<Fetched>
}

export type Gather = (
  mentions: readonly Mention[],
  accountKey: string,
  reached: Reached,
  attachments: readonly (Uint8Array | string)[],
) => Promise<ReadonlyMap<string, Found>>

/** Turns the media that a body names into facts: the only step before a decision that touches bytes. */
export const createGather = (parts: GatherParts): Gather => {
  const find = (
    url: string,
    accountKey: string,
    reached: Reached,
    attachments: readonly (Uint8Array | string)[],
  ): Promise<Found> => {
    if (url.startsWith('asset://')) return parts.readAsset(accountKey, url.slice('asset://'.length))
    if (/^data:/i.test(url)) return fromDataUrl(url, attachments)
    const address = parse(url)
    return address === undefined
      ? Promise.resolve(refused('form', 'it is no URL'))
      : fromUrl(address, reached)
  }

  const fromDataUrl = async (url: string, attachments: readonly (Uint8Array | string)[]): Promise<Found> => {
    const decoded = decodeDataUrl(url, attachments)
    return typeof decoded === 'string' ? refused('unreadable', decoded) : read(decoded, 'Base64')
  }

  const fromUrl = async (url: URL, reached: Reached): Promise<Found> => {
    const name = url.pathname.split('/').at(-1) || url.hostname
    if (parts.settings.fetchMedia === 'none') return { state: 'unseen', origin: name }
    const own = await parts.readOwn(url, reached)
    if (own === undefined && !isLoopbackHost(url.hostname) && parts.settings.fetchMedia === 'local')
      return { state: 'unseen', origin: name }
    const fetched = own ?? (await fetchedFrom(url, reached))
    return 'bytes' in fetched ? read(fetched.bytes, name) : refused(fetched.reason, fetched.detail)
  }

  // A redirect may lead to what is the emulator's own.
  const fetchedFrom = (first: URL, reached: Reached): Promise<Fetched> =>
    following(async (url) => {
      const own = url === first ? undefined : await parts.readOwn(url, reached)
      return own ?? parts.fetchBytes(url)
    })(first)

  const read = async (bytes: Uint8Array, origin: string): Promise<Found> => {
    const { probe } = await import('../probe/index.js')
    const facts = await probe(bytes)
    if (facts.kind === 'unreadable') return refused('unreadable', facts.detail)
    return { state: 'read', facts, blob: await parts.blobs.put(bytes), origin }
  }

  return async (mentions, accountKey, reached, attachments) => {
    const urls = [...new Set(mentions.map(({ url }) => url))]
    const found = await Promise.all(urls.map((url) => find(url, accountKey, reached, attachments)))
    return new Map(urls.map((url, index) => [url, found[index] as Found]))
  }
}

const refused = (reason: Extract<Found, { state: 'refused' }>['reason'], detail: string): Found => ({
  state: 'refused',
  reason,
  detail,
})

const parse = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined)
