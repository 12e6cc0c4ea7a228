import type { DecisionContext } from '../../core/contract.js'
import type { PictureSpec } from '../../core/media/spec.js'
import { instantTimeline, type TaskTimeline } from '../../core/model/task.js'
import { MAX_SEED } from '../shared/schema.js'
import type { ImageParams } from './schema.js'

/** Nothing clients see: the image operation answers with results, not with a task. */
export const newId = (world: DecisionContext): string => `img-${world.random.hex('id', 16)}`

/** Over when it begins: the operation is synchronous (§Task states). */
export const timelineOf = (order: ImageParams, world: DecisionContext): TaskTimeline<never> =>
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
