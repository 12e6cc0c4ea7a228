import type { DecisionContext } from '../../core/contract.js'
import type { TaskView } from '../../core/model/task.js'
import { RESULT_TTL_MS } from '../b-video-task/timeline.js'
import { refusals } from '../c-video/errors.js'
import { completedAt, created, errorOf, linksTo } from '../c-video/respond.js'
import { unixSeconds } from '../shared/ids.js'
import type { ReferenceParams } from './schema.js'

type View = TaskView<ReferenceParams>

/** The task object: as C shows it, without what E does not have (gap E7, Z27). */
export const read = (view: View, world: DecisionContext) => {
  const { task, since } = view
  return Object.assign(created(view, world), {
    updated_at: unixSeconds(since),
    completed_at: completedAt(view),
    seconds: String(task.params.seconds),
    size: task.params.size,
    seed: task.params.seed,
    error: errorOf(view, world, refusals),
    ...resultOf(view, world),
  })
}

const resultOf = ({ task, phase, since }: View, world: DecisionContext) => {
  if (phase.state !== 'succeeded') return {}
  const url = world.resultUrl(task, 0, since + RESULT_TTL_MS)
  return { ...linksTo(url), content: { video_url: url } }
}
