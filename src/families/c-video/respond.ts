import type { DecisionContext } from '../../core/contract.js'
import type { ErrorSpec } from '../../core/errors.js'
import type { State, TaskView } from '../../core/model/task.js'
import type { Settings } from '../../core/settings.js'
import { isFinal } from '../../core/task/timeline.js'
import { errors as taskErrors } from '../b-video-task/errors.js'
import type { VideoParams } from '../b-video-task/params.js'
import { read as readTask } from '../b-video-task/respond.js'
import { unixSeconds } from '../shared/ids.js'
import { type Failure, failureOf } from '../shared/respond.js'
import { errors } from './errors.js'

// Four words for seven states: what will bring no video any more is failed.
const openAiWords: Readonly<Record<State, string>> = {
  pending: 'queued',
  queued: 'queued',
  running: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  cancelled: 'failed',
  expired: 'failed',
}

/** The word for a state on `/v1/videos`: the specification's, or the setting's (gap C4). */
const statusWord = (state: State, { videoStatusWords }: Settings): string =>
  videoStatusWords === 'openai-style' ? openAiWords[state] : state

/** The create response, and what every task on this path shows (gap C1, §E response). */
export const created = ({ task, phase, progress }: TaskView, world: DecisionContext) => ({
  id: task.id,
  task_id: task.id,
  object: 'video',
  model: task.model,
  status: statusWord(phase.state, world.settings),
  progress,
  created_at: unixSeconds(task.createdAt),
})

/** B's object, and beside it what clients of this path look for (gap C3). */
export const read = (view: TaskView<VideoParams>, world: DecisionContext) => {
  const task = readTask(view, world)
  return Object.assign(task, created(view, world), {
    completed_at: completedAt(view),
    error: errorOf(view, world, everyError),
    ...(task.content === undefined ? {} : linksTo(task.content.video_url)),
  })
}

// A task of B can have failed with a name that only B has.
const everyError = { ...taskErrors, ...errors }

/** When a task ended, in whichever way; null until it does. */
export const completedAt = ({ phase, since }: TaskView): number | null =>
  isFinal(phase) ? unixSeconds(since) : null

/** Why there will be no video; whatever the status words call failed has a reason (gap B4, C4). */
export const errorOf = (
  { phase }: TaskView,
  { settings }: DecisionContext,
  table: Readonly<Record<string, ErrorSpec>>,
): Failure | null => {
  const failure = failureOf(phase, table)
  if (failure !== null || statusWord(phase.state, settings) !== 'failed') return failure
  return { code: 'task_cancelled', message: 'The task was cancelled.' }
}

/** The places besides `content` where clients look for the video (gap C3, Z27). */
export const linksTo = (url: string) => ({ url, video_url: url, metadata: { url } })
