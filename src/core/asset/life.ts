import type { SeededRandom } from '../account/draw.js'
import { SECOND } from '../time/duration.js'
import type { Timing } from '../time/pace.js'
import type { Instant } from '../time/timeline.js'
import type { AssetFailure, AssetTimeline } from './asset.js'

/** The bytes of a file that takes the longest; the largest that is taken without a setting (gap D7). */
const LARGE_BYTES = 50 * 2 ** 20

/**
 * Milliseconds for which an asset is processed: 1 to 2 s when times are fast, 5 to 20 s by its size when they are
 * realistic, none when they are instant.
 */
export const processingMs = (timing: Timing, bytes: number, draw: SeededRandom): number => {
  if (timing === 'instant') return 0
  const chance = draw.fraction('processing')
  if (timing === 'fast') return Math.round(SECOND * (1 + chance))
  return Math.round(SECOND * (5 + 13 * Math.min(1, bytes / LARGE_BYTES) + 2 * chance))
}

/** Processed, then usable, or failed where there is something against the file. */
export const assetTimeline = (
  createdAt: Instant,
  processedMs: number,
  failure: AssetFailure | undefined,
): AssetTimeline => [
  { at: createdAt, value: { state: 'Processing' } },
  {
    at: createdAt + processedMs,
    value: failure === undefined ? { state: 'Active' } : { state: 'Failed', error: failure },
  },
]
