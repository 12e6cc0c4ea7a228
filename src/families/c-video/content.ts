import {
  type AnyTaskFamily,
  type Decision,
  type DecisionContext,
  noMeta,
  type Operation,
  type Prepared,
  type StatedRule,
} from '../../core/contract.js'
import type { RefusedBy } from '../../core/errors.js'
import type { Call } from '../../core/model/call.js'
import type { TaskView } from '../../core/model/task.js'
import { fileRules } from '../../core/result/result-url.js'
import { operation } from '../../core/task/operations.js'
import { nextOfNamed, unknownTask, visibleTask } from '../../core/task/read.js'
import { refusalReply, ruleRef, taskExists } from '../../core/task/refusals.js'
import { mediaOf } from '../../core/task/timeline.js'
import { unifiedVideo } from './index.js'

// One operation for all that can be read on this path, E included.
const everyVideo: AnyTaskFamily = {
  ...unifiedVideo,
  reads: ['c-video', 'b-video-task', 'e-video-reference'],
}

const prepare = (call: Call): Prepared => ({
  mediaRefs: [],
  decide: (world) => {
    const view = visibleTask(everyVideo, call, world)
    return view === undefined ? unknownTask(everyVideo, call, world) : contentOf(view, world)
  },
})

const contentOf = (view: TaskView, world: DecisionContext): Decision => {
  const [video] = mediaOf(view.phase)
  if (video === undefined) return notReady(view, world)
  return {
    reply: { status: 200, body: undefined, result: video },
    changes: [],
    meta: { ...noMeta, task: view.task.id },
  }
}

const contentIsThere: StatedRule = {
  id: 'content-is-there',
  says: 'The task whose video is asked for has succeeded.',
  place: 'gap C11',
}

const notReady = ({ task, phase }: TaskView, world: DecisionContext): Decision => {
  const refusal: RefusedBy = {
    error: 'invalid_request',
    ...ruleRef(everyVideo.id, contentIsThere),
    field: 'task_id',
    found: phase.state,
    allowed: 'a task that has succeeded',
    message: `The task ${task.id} is ${phase.state}; its video can be had once it has succeeded`,
  }
  return {
    reply: refusalReply(everyVideo, refusal, world.requestId),
    changes: [],
    meta: { ...noMeta, refusedBy: [refusal], task: task.id },
  }
}

/**
 * The bytes of a video by the id of its task: `c-video.content` (gap C11). Whoever polls it for its bytes asks how
 * the task stands, so it moves an on-poll clock as a query does (N15).
 */
export const videoContent: Operation = operation(
  everyVideo,
  'content',
  { method: 'GET', path: '/v1/videos/{task_id}/content' },
  { prepare, awaits: nextOfNamed(everyVideo), rules: [taskExists(everyVideo), contentIsThere, ...fileRules] },
)
