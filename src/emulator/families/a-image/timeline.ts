import type { DecisionContext } from '../../core/contract.js'
import type { PictureSpec } from '../../core/media/spec.js'
import { instantTimeline, type TaskTimeline } from '../../core/model/task.js'
import { MAX_SEED } from '../shared/schema.js'
import type { ImageParams } from './schema.js'

/** Nothing clients see: the image operation answers with results, not with a task. */
export const newId = (context: DecisionContext): string => `img-${context.random.hex('id', 16)}`

/** Over when it begins: the operation is synchronous (§Task states). */
export const timelineOf = (params: ImageParams, context: DecisionContext): TaskTimeline<never> =>
  instantTimeline(
    context.now,
    Array.from({ length: params.n }, (_, index) => pictureOf(params, index, context.requestId)),
  )

const pictureOf = (params: ImageParams, index: number, requestId: string): PictureSpec => ({
  kind: 'picture',
  width: params.width,
  height: params.height,
  // The images of one request differ from each other, as they do on the service.
  seed: (params.seed + index) % (MAX_SEED + 1),
  card: {
    prompt: params.prompt,
    model: params.model,
    size: `${params.width}*${params.height}`,
    seed: params.seed,
    id: requestId,
    ...(params.n === 1 ? {} : { index: `${index + 1}/${params.n}` }),
  },
  hasWatermark: params.watermark,
  inputs: params.inputs,
})
