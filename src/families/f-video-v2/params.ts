import { z } from 'zod'
import type { DecisionContext } from '../../core/contract.js'
import type { Pixels } from '../../core/media/image-size.js'
import type { Settings } from '../../core/settings.js'
import {
  adaptiveRatio,
  framesAndReferences,
  framesAndReferencesFields,
  type Ratio,
  ratios,
  referenceSeconds,
} from '../shared/media.js'
import {
  type Model,
  mediaOf,
  models,
  promptOf,
  type Resolution,
  resolutions,
  secondsOf,
  type VideoInput,
} from './schema.js'

/** Width and height by resolution and ratio (gap F15). */
export const pixels: Readonly<Record<Resolution, Readonly<Record<Ratio, Pixels>>>> = {
  '480P': {
    '21:9': { width: 1120, height: 480 },
    '16:9': { width: 854, height: 480 },
    '4:3': { width: 640, height: 480 },
    '1:1': { width: 480, height: 480 },
    '3:4': { width: 480, height: 640 },
    '9:16': { width: 480, height: 854 },
  },
  '768P': {
    '21:9': { width: 1792, height: 768 },
    '16:9': { width: 1344, height: 768 },
    '4:3': { width: 1024, height: 768 },
    '1:1': { width: 768, height: 768 },
    '3:4': { width: 768, height: 1024 },
    '9:16': { width: 768, height: 1344 },
  },
  '2K': {
    '21:9': { width: 2560, height: 1080 },
    '16:9': { width: 2560, height: 1440 },
    '4:3': { width: 2048, height: 1536 },
    '1:1': { width: 2048, height: 2048 },
    '3:4': { width: 1536, height: 2048 },
    '9:16': { width: 1440, height: 2560 },
  },
}

export const FRAMES_PER_SECOND = 24

/** Schema of stored parameters. */
export const paramsSchema = z.object({
  model: z.enum(models),
  prompt: z.string(),
  resolution: z.enum(resolutions),
  /** The actual one, never `adaptive`. */
  ratio: z.enum(ratios),
  /** Seconds. */
  duration: z.number(),
  /** Drawn: requests of this interface carry none, and it is not shown to clients. */
  seed: z.number(),
  /** Seconds of reference video in whole ones, to the nearest: they are metered (gap F6). */
  inputSeconds: z.number(),
  /** Frames and reference images, which are metered too. */
  imageCount: z.int(),
  ...framesAndReferencesFields,
})

/** Resolved parameters of a video. */
export type VideoParams = Readonly<z.output<typeof paramsSchema>>

const MAX_SEED = 2_147_483_647

export const paramsOf = (input: VideoInput, world: DecisionContext): VideoParams => {
  const media = mediaOf(input)
  return {
    model: input.model,
    prompt: promptOf(input).text,
    resolution: input.resolution,
    ratio: input.ratio === 'adaptive' ? adaptiveRatio(media, world) : input.ratio,
    duration: secondsOf(input),
    seed: world.random.integer('seed', 0, MAX_SEED),
    inputSeconds: Math.round(referenceSeconds(media, world)),
    imageCount: media.filter(({ kind }) => kind === 'image').length,
    ...framesAndReferences(media, world),
  }
}

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
