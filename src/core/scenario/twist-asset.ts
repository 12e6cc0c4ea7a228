import type { Asset, AssetPhase } from '../asset/asset.js'
import { lastOf } from '../time/timeline.js'
import type { AssetTwist } from './then.js'

/** A new asset as a scenario has it: processed for longer, for ever, or in vain. */
export const twistedAsset = (asset: Asset, { readyAfter, fails }: AssetTwist): Asset => {
  const [begin] = asset.life
  if (begin === undefined || readyAfter === 'never') return { ...asset, life: asset.life.slice(0, 1) }
  const end = lastOf(asset.life)
  const value: AssetPhase = fails === undefined ? end.value : { state: 'Failed', error: fails }
  return {
    ...asset,
    life: [begin, { at: readyAfter === undefined ? end.at : asset.createdAt + readyAfter, value }],
  }
}
