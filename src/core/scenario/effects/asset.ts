import type { Asset, AssetPhase } from '../../model/asset.js'
import { lastOf } from '../../schedule/timeline.js'
import type { AssetOverride } from '../schema.js'

/** A new asset as a scenario has it: processed for longer, for ever, or in vain. */
export const overrideAsset = (asset: Asset, { readyAfter, fails }: AssetOverride): Asset => {
  const [beginRun] = asset.life
  if (beginRun === undefined || readyAfter === 'never') return { ...asset, life: asset.life.slice(0, 1) }
  const end = lastOf(asset.life)
  const value: AssetPhase = fails === undefined ? end.value : { state: 'Failed', error: fails }
  return {
    ...asset,
    life: [beginRun, { at: readyAfter === undefined ? end.at : asset.createdAt + readyAfter, value }],
  }
}
