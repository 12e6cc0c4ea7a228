/** Which blobs are there, how large, and who has to go when the store is full. Knows nothing of files. */
export interface LruIndex {
  readonly has: (hash: string) => boolean
  /** Adds a blob, or makes one that is there the most recently used. */
  readonly use: (hash: string, bytes: number) => void
  readonly drop: (hash: string) => void
  /** Adds 1 or -1 to the pins of a blob, if it is there. */
  readonly pin: (hash: string, by: 1 | -1) => void
  /** The blobs to remove so that so many bytes more fit, least recently used first. `undefined`: they cannot fit. */
  readonly evictionCandidates: (bytes: number) => readonly string[] | undefined
  readonly hashes: () => readonly string[]
  readonly stats: () => BlobStats
}

export interface BlobStats {
  readonly blobs: number
  readonly bytes: number
  /** Of these, the bytes that may not be removed to make room. */
  readonly pinnedBytes: number
  readonly maxBytes: number
}

interface Blob {
  readonly bytes: number
  readonly pins: number
}

export const createLruIndex = (maxBytes: number): LruIndex => {
  // A Map keeps its order of insertion: the first blob is the one that was not used for longest.
  const blobs = new Map<string, Blob>()

  const stats = (): BlobStats => {
    const all = [...blobs.values()]
    return { blobs: all.length, bytes: sum(all), pinnedBytes: sum(all.filter(isPinned)), maxBytes }
  }

  const evictionCandidates = (bytes: number): readonly string[] | undefined => {
    const now = stats()
    let excess = now.bytes + bytes - maxBytes
    if (now.pinnedBytes + bytes > maxBytes) return undefined
    const leavers: string[] = []
    for (const [hash, blob] of blobs) {
      if (excess <= 0) break
      if (isPinned(blob)) continue
      leavers.push(hash)
      excess -= blob.bytes
    }
    return leavers
  }

  return {
    has: (hash) => blobs.has(hash),
    use: (hash, bytes) => {
      const blob = blobs.get(hash) ?? { bytes, pins: 0 }
      blobs.delete(hash)
      blobs.set(hash, blob)
    },
    drop: (hash) => {
      blobs.delete(hash)
    },
    pin: (hash, by) => {
      const blob = blobs.get(hash)
      if (blob) blobs.set(hash, { ...blob, pins: Math.max(0, blob.pins + by) })
    },
    evictionCandidates,
    hashes: () => [...blobs.keys()],
    stats,
  }
}

const isPinned = ({ pins }: Blob): boolean => pins > 0

const sum = (blobs: readonly Blob[]): number => blobs.reduce((total, { bytes }) => total + bytes, 0)
