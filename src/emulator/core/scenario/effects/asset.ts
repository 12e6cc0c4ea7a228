import { z } from 'zod'
import { lastOf } from '../../schedule/time.js'
import { duration } from '../selector.js'
import { defineEffects } from './effect.js'

/** Effects on a new asset, in the order in which they apply: processed for longer, for ever, or in vain. */
export const assetEffects = defineEffects('asset', {
  readyAfter: {
    schema: z.union([duration, z.literal('never')]),
    description: 'how long it is processed',
    problems: (after, { values }) => [
      after === 'never' && values.fails !== undefined && 'fails is for assets whose processing ends',
    ],
    apply: (asset, after) => {
      const begin = asset.timeline.slice(0, 1)
      if (after === 'never') return { ...asset, timeline: begin }
      const { value } = lastOf(asset.timeline)
      return { ...asset, timeline: [...begin, { at: asset.createdAt + after, value }] }
    },
  },
  fails: {
    schema: z.strictObject({ code: z.string().min(1), message: z.string().min(1) }),
    description: 'with this code and this message',
    apply: (asset, error) => ({
      ...asset,
      timeline: asset.timeline.map((moment, index) =>
        index === 0 ? moment : { at: moment.at, value: { state: 'Failed', error } },
      ),
    }),
  },
})
