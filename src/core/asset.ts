import type { SeededRandom } from './account/random.js'
import type { Account, AccountEvent } from './model/account.js'
import type { Asset, AssetFailure, AssetPhase, AssetTimeline } from './model/asset.js'
import type { ScheduledEvent } from './schedule/schedule.js'
import { type Instant, momentAt, nextAfter, SECOND, type Timing } from './schedule/time.js'

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

/** Remembers a new asset, and that the end of its processing is to come. */
export const putAsset = (account: Account, asset: Asset): void => {
  account.assets.set(asset.id, asset)
  account.jobs.set(asset.jobId, asset.id)
  for (const [index, { at }] of asset.timeline.entries())
    if (index > 0) account.schedule.set({ at, kind: 'asset', id: asset.id, index })
}

/** What comes about with an entry of the agenda. */
export const takeAssetMoment = (account: Account, { at, id, index }: ScheduledEvent): AccountEvent[] => {
  const phase = account.assets.get(id)?.timeline[index]?.value
  return phase === undefined ? [] : [{ at, kind: 'asset', id, detail: phase.state }]
}

/** The asset of an upload job; undefined: the job is not this account's. */
export const assetOfJob = (account: Readonly<Account>, jobId: string): Asset | undefined =>
  account.assets.get(account.jobs.get(jobId) ?? '')

export const assetPhaseAt = ({ timeline: life }: Asset, now: Instant): AssetPhase => momentAt(life, now).value

/** When its processing ends; undefined once it has. */
export const nextOfAsset = ({ timeline: life }: Asset, now: Instant): Instant | undefined =>
  nextAfter(life, now)?.at
