import type { DecisionContext } from '../../core/world.js'
import { adaptiveRatio } from '../shared/adaptive.js'
import { type FramesAndReferences, framesAndReferences, referenceSeconds } from '../shared/drawn-media.js'
import type { Ratio } from '../shared/ratios.js'
import { mediaOf, promptOf } from './content.js'
import type { Model, Resolution } from './models.js'
import { secondsOf, type VideoInput } from './schema.js'

/** A video with everything settled that the request left open. */
export interface VideoParams extends FramesAndReferences {
  readonly model: Model
  readonly prompt: string
  readonly resolution: Resolution
  /** The actual one, never `adaptive`. */
  readonly ratio: Ratio
  /** Seconds. */
  readonly duration: number
  /** Drawn: requests of this interface carry none, and it is not shown to clients. */
  readonly seed: number
  /** Seconds of reference video in whole ones, to the nearest: they are metered (gap F6). */
  readonly inputSeconds: number
  /** Frames and reference images, which are metered too. */
  readonly imageCount: number
}

const MAX_SEED = 2_147_483_647

export const paramsOf = (input: VideoInput, world: DecisionContext): VideoParams => {
  const media = mediaOf(input)
  return {
    model: input.model,
    prompt: promptOf(input).text,
    resolution: input.resolution,
    ratio: input.ratio === 'adaptive' ? adaptiveRatio(media, world) : input.ratio,
    duration: secondsOf(input),
    seed: world.draw.integer('seed', 0, MAX_SEED),
    inputSeconds: Math.round(referenceSeconds(media, world)),
    imageCount: media.filter(({ kind }) => kind === 'image').length,
    ...framesAndReferences(media, world),
  }
}
