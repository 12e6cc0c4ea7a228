import type { MediaInput } from '../../core/media/spec.js'
import type { DecisionContext } from '../../core/world.js'
import { inputOf } from '../shared/inputs.js'
import { promptOf, type ReferenceInput, type Size, subjectImages } from './schema.js'

/** A request with everything settled that it left open. */
export interface ReferenceParams {
  readonly model: string
  /** Empty where none was sent. */
  readonly prompt: string
  readonly size: Size
  readonly seconds: number
  readonly seed: number
  readonly watermark: boolean
  /** The subjects' images, as they appear in the video. */
  readonly subjects: readonly MediaInput[]
}

const MAX_SEED = 2_147_483_647

export const paramsOf = (input: ReferenceInput, world: DecisionContext): ReferenceParams => ({
  model: input.model,
  prompt: promptOf(input).text,
  size: input.size,
  seconds: input.seconds,
  seed: input.seed ?? world.draw.integer('seed', 0, MAX_SEED),
  watermark: input.watermark,
  subjects: subjectImages(input).map((image) => inputOf(image, `character ${image.subject}`, world)),
})
