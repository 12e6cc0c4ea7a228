import type { TaskView } from '../../core/task/task.js'
import type { DecisionContext } from '../../core/world.js'
import type { ImageParams } from '../a-image/order.js'
import { output } from '../a-image/render.js'

/** The answer of A with the metering of this model (§A2, gap A6). */
export const created = (view: TaskView<ImageParams>, world: DecisionContext) => ({
  request_id: world.requestId,
  output: output(view, world),
  usage: { image_count: view.task.order.n, width: view.task.order.width, height: view.task.order.height },
})
