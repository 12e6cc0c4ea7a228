import type { DecisionContext } from '../../core/contract.js'
import type { TaskView } from '../../core/model/task.js'
import { HOUR } from '../../core/schedule/duration.js'
import { mediaOf } from '../../core/task/timeline.js'
import type { ImageParams } from './params.js'

/** How long an image's URL is valid (§A response). */
export const RESULT_TTL_MS = 24 * HOUR

type View = TaskView<ImageParams>

/** One choice that holds all the images, in order (§A response, gap A2). */
export const output = ({ task, phase, since }: View, world: DecisionContext) => ({
  choices: [
    {
      finish_reason: 'stop',
      message: {
        role: 'assistant',
        content: mediaOf(phase).map((_, index) => ({
          image: world.resultUrl(task, index, since + RESULT_TTL_MS),
        })),
      },
    },
  ],
})

const FIRST_TIER_AREA = 2_250_000

/** Metering; both types follow from the area of the output (§A response, §A usage). */
const usage = ({ task: { params: order } }: View) => {
  const tier = order.width * order.height <= FIRST_TIER_AREA ? '1k' : '2k'
  return {
    output_width: order.width,
    output_height: order.height,
    input_image_count: order.inputs.length,
    input_image_type: `qima_input_${tier}`,
    output_image_count: order.n,
    output_image_type: `qima_output_${tier}`,
  }
}

export const created = (view: View, world: DecisionContext) => ({
  request_id: world.requestId,
  output: output(view, world),
  usage: usage(view),
})
