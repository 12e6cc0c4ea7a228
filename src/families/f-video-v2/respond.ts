import type { DecisionContext } from '../../core/contract.js'
import type { TaskView } from '../../core/model/task.js'
import { unixSeconds } from '../shared/ids.js'
import { failureOf, type VideoError } from './errors.js'
import { usageOf, type VideoParams } from './params.js'
import { RESULT_TTL_MS } from './timeline.js'

type View = TaskView<VideoParams, VideoError>

/** The create response (§F, gap F1). */
export const created = ({ task }: View) => ({ output: { task_id: task.id }, task_id: task.id })

/** The task query response, and what callbacks carry (§F, §Callbacks, gap F3). */
export const read = (view: View, world: DecisionContext) => {
  const task = taskOf(view, world)
  return { task, ...task }
}

const taskOf = (view: View, world: DecisionContext) => {
  const { task, phase, since } = view
  const { params: order } = task
  return {
    id: task.id,
    model: order.model,
    status: phase.state,
    created_at: unixSeconds(task.createdAt),
    updated_at: unixSeconds(since),
    ...(phase.state === 'succeeded'
      ? { content: { url: world.resultUrl(task, 0, since + RESULT_TTL_MS) } }
      : {}),
    ...(phase.state === 'failed' ? { error: failureOf(phase.error) } : {}),
    resolution: order.resolution,
    duration: order.duration,
    usage: phase.state === 'succeeded' ? usageOf(order) : {},
    ratio: order.ratio,
    task_type: 'generation',
    modality: 'video',
  }
}

/** The answer to DELETE (gap F17). */
export const cancelled = ({ task }: View) => ({
  task_id: task.id,
  action: 'cancelled',
  status: 'cancelled',
})
