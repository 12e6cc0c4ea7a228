import {
  type AnyTaskFamily,
  asDecision,
  type Decision,
  type DecisionContext,
  noMeta,
  type Operation,
  type StatedRule,
} from '../../core/contract.js'
import { mediaOf, type TaskView } from '../../core/model/task.js'
import { mustBe } from '../../core/request.js'
import { resultRules } from '../../core/result.js'
import { operation } from '../../core/task/operations.js'
import { decideOnTask, nextMomentOfTask } from '../../core/task/read.js'
import { refused, ruleRef, taskExists } from '../../core/task/refusals.js'

const contentIsThere: StatedRule = {
  id: 'content-is-there',
  says: 'The task whose video is asked for has succeeded.',
  place: 'docs/gaps.md#c11',
}

/** Operation `c-video.content`: the bytes of a video by its task (gap C11). As a status query it moves on-poll clocks (gap N15). */
export const contentOperation = (family: AnyTaskFamily): Operation => {
  // One operation for all tasks that can be read on this path, those of E included.
  const everyVideo = { ...family, reads: ['c-video', 'b-video-task', 'e-video-reference'] }
  return operation(
    everyVideo,
    'content',
    { method: 'GET', path: '/v1/videos/{task_id}/content' },
    {
      prepare: (call) =>
        decideOnTask(everyVideo, call, (view, context) => {
          const variant = call.query.get('variant')
          if (variant !== null && variant !== 'video') return wrongVariant(everyVideo, view, variant, context)
          const [video] = mediaOf(view.phase)
          if (video === undefined) return notReady(everyVideo, view, context)
          const reply = { status: 200, body: undefined, result: video }
          return asDecision(reply, { task: view.task.id, ...noMeta })
        }),
      nextMomentOf: nextMomentOfTask(everyVideo),
      rules: [
        taskExists(everyVideo),
        variantIsVideo,
        contentIsThere,
        resultRules.range,
        resultRules.precondition,
      ],
    },
  )
}

const variantIsVideo: StatedRule = {
  id: 'content-variant',
  says: '`variant` is `video`, or left out.',
  place: 'docs/gaps.md#n26',
}

const wrongVariant = (
  family: AnyTaskFamily,
  { task }: TaskView,
  variant: string,
  context: DecisionContext,
): Decision => {
  const refusal = {
    error: 'invalid_request',
    ...ruleRef(family.id, variantIsVideo),
    ...mustBe('variant', 'video', variant),
  }
  return refused(family, [refusal], context, { task: task.id })
}

const notReady = (family: AnyTaskFamily, { task, phase }: TaskView, context: DecisionContext): Decision => {
  const { state: found } = phase
  const ref = { ...ruleRef(family.id, contentIsThere), field: 'task_id' }
  const allowed = 'a task that has succeeded'
  const message = `The task ${task.id} is ${found}; its video can be had once it has succeeded`
  const refusal = { error: 'invalid_request', ...ref, found, allowed, message }
  return refused(family, [refusal], context, { task: task.id })
}
