import type { MediaInput, PictureSpec } from '../../core/media/spec.js'
import { instantTimeline } from '../../core/task/life.js'
import type { TaskTimeline } from '../../core/task/phase.js'
import type { DecisionContext } from '../../core/world.js'
import { inputOf } from '../shared/inputs.js'
import { imagesOf, promptOf } from './content.js'
import type { ImageError } from './errors.js'
import type { AnyImageInput } from './schema.js'
import { pixelsOf } from './size.js'

/** A request with everything settled that it left to the model. */
export interface ImageParams {
  readonly model: string
  readonly prompt: string
  readonly width: number
  readonly height: number
  /** How many images. */
  readonly n: number
  readonly seed: number
  readonly watermark: boolean
  readonly inputs: readonly MediaInput[]
}

const MAX_SEED = 2_147_483_647

export const paramsOf = (input: AnyImageInput, world: DecisionContext): ImageParams => {
  const { n, seed, watermark } = input.parameters
  return {
    model: input.model,
    prompt: promptOf(input).text,
    ...pixelsOf(input, world),
    n,
    seed: seed ?? world.draw.integer('seed', 0, MAX_SEED),
    watermark,
    inputs: imagesOf(input).map((mention, index) => inputOf(mention, `image ${index + 1}`, world)),
  }
}

/** Nothing clients see: the image operation answers with results, not with a task. */
export const newId = (world: DecisionContext): string => `img-${world.draw.hex('id', 16)}`

/** Over when it begins: the operation is synchronous (§States and transitions). */
export const lifecycle = (order: ImageParams, world: DecisionContext): TaskTimeline<ImageError> =>
  instantTimeline(
    world.now,
    Array.from({ length: order.n }, (_, index) => pictureOf(order, index, world.requestId)),
  )

const pictureOf = (order: ImageParams, index: number, requestId: string): PictureSpec => ({
  kind: 'picture',
  width: order.width,
  height: order.height,
  // The images of one request differ from each other, as they do on the service.
  seed: (order.seed + index) % (MAX_SEED + 1),
  card: {
    prompt: order.prompt,
    model: order.model,
    size: `${order.width}*${order.height}`,
    seed: order.seed,
    id: requestId,
    ...(order.n === 1 ? {} : { index: `${index + 1}/${order.n}` }),
  },
  hasWatermark: order.watermark,
  inputs: order.inputs,
})
