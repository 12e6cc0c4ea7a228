import { rm } from 'node:fs/promises'
import type { Quotas } from '../../bounds/bounds.js'
import { noRoomFor } from './errors.js'
import type { LruIndex } from './ledger.js'

/** What leaves the store: to make room, or because somebody wants it gone. */
export interface Room {
  /** Removes what was used longest ago until so many bytes fit. Raises EmulatorError where pinned blobs leave no room. */
  readonly make: (bytes: number) => Promise<void>
  readonly remove: (hashes: readonly string[]) => Promise<void>
}

export interface RoomParts {
  readonly lru: LruIndex
  readonly bounds: Quotas
  readonly path: (hash: string) => string
}

export const createRoom = ({ lru, bounds, path }: RoomParts): Room => {
  const remove = async (hashes: readonly string[]): Promise<void> => {
    for (const hash of hashes) {
      lru.drop(hash)
      await rm(path(hash), { force: true })
    }
  }

  const make = async (bytes: number): Promise<void> => {
    const leavers = lru.evictionCandidates(bytes)
    if (leavers === undefined) bounds.refuse('inputs')
    else if (leavers.length > 0) bounds.hit('inputs')
    await remove(leavers ?? noRoomFor(bytes, lru.stats()))
  }

  return { make, remove }
}
