import type { DecisionContext } from '../../core/world.js'
import { adaptiveRatio } from '../shared/adaptive.js'
import { type FramesAndReferences, framesAndReferences, referenceSeconds } from '../shared/drawn-media.js'
import type { Ratio } from '../shared/ratios.js'
import type { RequestMedium } from '../shared/roles.js'
import { mediaOf, promptOf } from './rules.js'
import type { Resolution, TaskInput } from './schema.js'

/** A video of these models with everything settled that the request left open. B and C store the same. */
export interface VideoParams extends FramesAndReferences {
  readonly model: string
  readonly prompt: string
  readonly resolution: Resolution
  /** The actual one, never `adaptive`. */
  readonly ratio: Ratio
  /** Seconds. */
  readonly duration: number
  readonly seed: number
  readonly generateAudio: boolean
  readonly watermark: boolean
  readonly returnLastFrame: boolean
  /** Seconds of reference video, which are metered too. */
  readonly inputSeconds: number
  readonly serviceTier: 'default' | 'flex'
  /** Seconds after creation at which the task expires. */
  readonly expiresAfter: number
  readonly draft: boolean
  readonly priority: number
  /** Left out where the request named none. */
  readonly safetyIdentifier?: string
}

const MAX_RANDOM_SEED = 99_999
const LENGTHS = { least: 4, count: 12 }

/** The seed used: the one asked for, or one drawn (gap B15). */
export const seedUsed = (seed: number, world: DecisionContext): number =>
  seed === -1 ? world.draw.integer('seed', 0, MAX_RANDOM_SEED) : seed

/** The length: as asked for, or for -1 chosen by the seed (gap B12). */
export const lengthUsed = (duration: number, seed: number): number =>
  duration === -1 ? LENGTHS.least + (seed % LENGTHS.count) : duration

/** What follows from the media of a request. */
export const mediaParams = (
  ratio: Ratio | 'adaptive',
  media: readonly RequestMedium[],
  world: DecisionContext,
) => ({
  ratio: ratio === 'adaptive' ? adaptiveRatio(media, world) : ratio,
  inputSeconds: referenceSeconds(media, world),
  ...framesAndReferences(media, world),
})

export const paramsOf = (input: TaskInput, world: DecisionContext): VideoParams => {
  const seed = seedUsed(input.seed, world)
  return {
    model: input.model,
    prompt: promptOf(input).text,
    resolution: input.resolution,
    ...mediaParams(input.ratio, mediaOf(input), world),
    duration: lengthUsed(input.duration, seed),
    seed,
    generateAudio: input.generate_audio,
    watermark: input.watermark,
    returnLastFrame: input.return_last_frame,
    serviceTier: input.service_tier,
    expiresAfter: input.execution_expires_after,
    draft: input.draft,
    priority: input.priority,
    ...(input.safety_identifier === undefined ? {} : { safetyIdentifier: input.safety_identifier }),
  }
}
