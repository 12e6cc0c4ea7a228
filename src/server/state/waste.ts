import type { ChangeTracker } from './batch.js'
import type { StateAdapter } from './file/adapter.js'
import type { Sizes } from './file/sizes.js'

export interface WasteParts {
  readonly adapter: Pick<StateAdapter, 'length' | 'compact'>
  readonly batches: ChangeTracker
  readonly sizes: Sizes
}

/** Below this, a file may hold as much that is over as it likes. */
const SMALL_BYTES = 4 * 2 ** 20

/** Writes the state file anew where more than half of it is over. */
export const createWaste = ({ adapter, batches, sizes }: WasteParts) => {
  const ended = new AbortController()
  let isCompacting = false
  let looksAt = SMALL_BYTES

  const compact = async (): Promise<void> => {
    isCompacting = true
    // Where it cannot be done, for want of room, it is tried again when the file has grown.
    await adapter.compact(ended.signal).catch(() => {})
    isCompacting = false
    looksAt = adapter.length * 1.25 + SMALL_BYTES
  }

  return {
    /** To be asked after each batch. */
    look: (): void => {
      if (isCompacting || adapter.length <= looksAt) return
      if (adapter.length < 2 * neededBytes(batches, sizes)) looksAt = adapter.length * 1.25
      else void compact()
    },
    /** Ends what has been begun, and nothing has changed then. */
    stop: (): void => ended.abort(),
  }
}

const neededBytes = (batches: ChangeTracker, sizes: Sizes): number => {
  let bytes = 0
  for (const { tasks, open, assets, callbacks } of batches.accounts())
    bytes +=
      sizes.bytesOf('account', 1) +
      sizes.bytesOf('task', tasks.size) +
      sizes.bytesOf('next', open.size) +
      sizes.bytesOf('asset', assets.size) +
      sizes.bytesOf('correspondence', callbacks.correspondences.size) +
      sizes.bytesOf('callback', callbacks.log.size)
  return bytes
}
