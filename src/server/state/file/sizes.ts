import type { Kind } from '../../../core/state/schema/values.js'

/** How many bytes a record of each kind takes up, on average over those that went by. */
export interface Sizes {
  count(kind: Kind, bytes: number): void
  /** Bytes that so many records of a kind take up. */
  bytesOf(kind: Kind, records: number): number
}

export const createSizes = (): Sizes => {
  const seen = new Map<Kind, { records: number; bytes: number }>()
  return {
    count: (kind, bytes) => {
      const known = seen.get(kind) ?? { records: 0, bytes: 0 }
      seen.set(kind, known)
      known.records += 1
      known.bytes += bytes
    },
    bytesOf: (kind, records) => {
      const known = seen.get(kind)
      return known === undefined ? 0 : (records * known.bytes) / known.records
    },
  }
}
