import { noQuotas, type Quotas } from '../bounds/bounds.js'
import { createScales } from '../bounds/scales.js'
import type { InboxItem } from './inbox.js'

export interface NamedItem {
  /** Of the box. */
  readonly name: string
  readonly item: InboxItem
}

/** The messages of each account, first come first, within bounds: so many of each, so many bytes of all. */
export interface InboxStore {
  of(key: string): { readonly items: readonly NamedItem[]; readonly evicted: number }
  keep(key: string, item: NamedItem, bytes: number): void
  forget(key: string): void
}

export interface BoxesParts {
  readonly most: number
  readonly maxBytes?: number
  readonly bounds?: Quotas
}

interface Weighed extends NamedItem {
  readonly bytes: number
}

interface Box {
  readonly items: Weighed[]
  evicted: number
}

// What a message takes besides its body.
const HEAD_BYTES = 1_000

export const createInboxStore = ({
  most,
  maxBytes = Number.POSITIVE_INFINITY,
  bounds = noQuotas,
}: BoxesParts): InboxStore => {
  const boxes = new Map<string, Box>()
  const scales = createScales()
  bounds.measure({
    'inbox-bytes': () => scales.total,
    'inbox-messages': () => [...boxes.values()].reduce((size, { items }) => Math.max(size, items.length), 0),
  })

  const dropOldest = (key: string): void => {
    const box = boxes.get(key)
    const dropped = box?.items.shift()
    if (box === undefined || dropped === undefined) return
    box.evicted += 1
    scales.add(key, -dropped.bytes)
  }

  const lighten = (): void => {
    bounds.hit('inbox-bytes')
    while (scales.total > maxBytes) {
      const heaviest = scales.heaviest()
      if (heaviest === undefined) return
      dropOldest(heaviest)
    }
  }

  return {
    of: (key) => boxes.get(key) ?? { items: [], evicted: 0 },
    keep: (key, { name, item }, bodyBytes) => {
      const box = boxes.get(key) ?? { items: [], evicted: 0 }
      boxes.set(key, box)
      const bytes = HEAD_BYTES + bodyBytes
      box.items.push({ name, item, bytes })
      scales.add(key, bytes)
      if (box.items.length > most) {
        bounds.hit('inbox-messages')
        dropOldest(key)
      }
      if (scales.total > maxBytes) lighten()
    },
    forget: (key) => {
      boxes.delete(key)
      scales.forget(key)
    },
  }
}
