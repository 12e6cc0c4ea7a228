import type { SeededRandom } from './account/random.js'
import type { MediaFacts } from './media/input.js'
import { type Instant, momentAt, SECOND, type Timeline, type Timing } from './schedule/time.js'

/** Error of an asset that cannot be used, in the words in which a caller reads it (gap D5). */
export interface AssetFailure {
  readonly code: string
  /** A sentence without a full stop, which names what was found and what is allowed. */
  readonly message: string
}

type AssetPhase =
  | { readonly state: 'Processing' }
  | { readonly state: 'Active' }
  | { readonly state: 'Failed'; readonly error: AssetFailure }

type AssetTimeline = Timeline<AssetPhase>

/** An uploaded file: plain data that survives JSON. Its timeline is written at the upload, and nothing rewrites it. */
export interface Asset {
  /** What requests name it by: `asset://<id>`. */
  readonly id: string
  /** What its upload answered, and what resolving asks for. */
  readonly jobId: string
  /** The key of its account. */
  readonly account: string
  /** The file's, as it was sent. */
  readonly name: string
  /** Undefined where the upload named none. */
  readonly groupId?: string
  readonly bytes: number
  /** SHA-256 of the bytes in hex: their name in the blob store, where they are pinned. */
  readonly blob: string
  /** Undefined where the file cannot be read; such an asset fails. */
  readonly facts?: MediaFacts
  /** The upload that made it, for the journal. */
  readonly requestId: string
  readonly createdAt: Instant
  readonly timeline: AssetTimeline
}

/** The bytes of a file that takes the longest; the largest that is taken without a setting (gap D7). */
const LARGE_BYTES = 50 * 2 ** 20

/** Milliseconds for which an asset is processed: 1 to 2 s when times are fast, 5 to 20 s by its size when realistic. */
export const processingMs = (timing: Timing, bytes: number, random: SeededRandom): number => {
  if (timing === 'instant') return 0
  const fraction = random.fraction('processing')
  if (timing === 'fast') return Math.round(SECOND * (1 + fraction))
  return Math.round(SECOND * (5 + 13 * Math.min(1, bytes / LARGE_BYTES) + 2 * fraction))
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

/** The asset of an upload job, or undefined where the job is not this account's. */
export const assetOfJob = (
  { assets, jobs }: { assets: ReadonlyMap<string, Asset>; jobs: ReadonlyMap<string, string> },
  jobId: string,
): Asset | undefined => assets.get(jobs.get(jobId) ?? '')

/** Phase of an asset at an instant: a look-up in its timeline (gap D3 to D5). */
export const assetPhaseAt = ({ timeline }: Asset, now: Instant): AssetPhase => momentAt(timeline, now).value
