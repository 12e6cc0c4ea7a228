import { type Asset, assetPhaseAt } from '../../../core/asset/asset.js'
import type { ResolvedMedia } from '../../../core/media/mention.js'
import { readClock } from '../../../core/time/clock.js'
import type { Instant } from '../../../core/time/timeline.js'
import type { Store } from '../../store/store.js'
import { truncate } from './brief.js'

/** What stands behind `asset://<id>` for an account, by its clock (§D, gap B10): only its own that are ready. */
export const createAssetReader =
  (store: Store, wall: () => number) =>
  (accountKey: string, id: string): Promise<ResolvedMedia> =>
    store.run(accountKey, ({ assets, clock }) => foundAs(assets.get(id), id, readClock(clock, wall())))

const foundAs = (asset: Asset | undefined, id: string, now: Instant): ResolvedMedia => {
  if (asset === undefined) return refused(`the account has no asset ${truncate(id)}`)
  const phase = assetPhaseAt(asset, now)
  if (phase.state === 'Failed') return refused(`the asset ${id} has failed: ${phase.error.message}`)
  if (phase.state === 'Processing' || asset.facts === undefined)
    return refused(`the asset ${id} is still being processed`)
  return { state: 'read', facts: asset.facts, blob: asset.blob, origin: id }
}

const refused = (detail: string): ResolvedMedia => ({ state: 'refused', reason: 'asset', detail })
