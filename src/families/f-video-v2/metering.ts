import type { Settings } from '../../core/settings.js'
import type { Model, Resolution } from './models.js'
import type { VideoParams } from './order.js'

/** What a task has used (§F usage, gap F6). */
export const usageOf = ({ inputSeconds, duration, imageCount }: VideoParams) => ({
  total_seconds: inputSeconds + duration,
  input_seconds: inputSeconds,
  output_seconds: duration,
  input_image_count: imageCount,
})

const LISTED: Readonly<Record<Resolution, number>> = { '480P': 0.05, '768P': 0.1, '2K': 0.25 }
const SHARE_OF_LISTED: Readonly<Record<Model, number>> = { 'gamma-H3': 1, 'gamma-H3-Max': 2 }

/** Every metered second has the price of the model and resolution (docs/families/f-video-v2.md, setting `prices`). */
export const priceOf = (order: VideoParams, { prices }: Settings): number => {
  const { model, resolution } = order
  const listed = LISTED[resolution] * SHARE_OF_LISTED[model]
  return usageOf(order).total_seconds * (prices[`${model} ${resolution}`] ?? prices[model] ?? listed)
}
