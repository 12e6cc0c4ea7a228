import { assetPhaseAt } from '../../core/asset.js'
import type { Asset } from '../../core/model/asset.js'
import type { Instant } from '../../core/schedule/timeline.js'

// Clients read the text under either name.
const said = (text: string) => ({ msg: text, message: text })

/** The answer to an upload (§D upload, gap D1). */
export const accepted = ({ jobId }: Asset) => ({ code: 200, data: { task_id: jobId }, ...said('') })

/** The answer to a resolve: `code` is 200 with an `asset_id` once there is one (§D resolve, gap D3 to D5). */
export const resolved = (asset: Asset, now: Instant) => {
  const phase = assetPhaseAt(asset, now)
  const data = { task_id: asset.jobId, status: phase.state }
  switch (phase.state) {
    case 'Processing':
      return { code: 202, data, ...said('processing') }
    case 'Active':
      return { code: 200, data: { ...data, asset_id: asset.id }, ...said('') }
    case 'Failed': {
      const { code, message } = phase.error
      return { code: 500, data: { ...data, error: { code, message } }, ...said(message) }
    }
  }
}
