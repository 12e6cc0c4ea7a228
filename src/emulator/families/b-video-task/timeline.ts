import type { CancelOutcome, DecisionContext } from '../../core/contract.js'
import type { MediaSpec } from '../../core/media/spec.js'
import { plainTimeline, type TaskTimeline, type TaskView } from '../../core/model/task.js'
import { type Instant, paceOf, SECOND, type TaskDurations } from '../../core/schedule/time.js'
import { timestampedId } from '../shared/responses.js'
import { videoSpecOf } from '../shared/schema.js'
import type { TaskError } from './errors.js'
import { FRAMES_PER_SECOND, pixels, type VideoParams } from './schema.js'

/** `cgt-YYYYMMDDHHMMSS-xxxxx` (gap B1). */
export const newId = (context: DecisionContext): string => timestampedId('cgt', context)

const RUNNING_MS_PER_SECOND: Readonly<Record<VideoParams['resolution'], number>> = {
  '480p': 8_000,
  '720p': 14_000,
  '1080p': 30_000,
}
const FAST_MODEL_SHARE = 0.45
const FLEX_QUEUE_MS = 900 * SECOND

// Realistic timing (docs/time.md): seconds of video cost by resolution; the fast model takes less than half; the flex
// tier waits for a quiet quarter of an hour.
const workload = (params: VideoParams): TaskDurations => {
  const share = params.model.includes('-fast-') ? FAST_MODEL_SHARE : 1
  return {
    queuedMs: params.serviceTier === 'flex' ? FLEX_QUEUE_MS : 15 * SECOND,
    runningMs: share * (20 * SECOND + params.duration * RUNNING_MS_PER_SECOND[params.resolution]),
  }
}

/** Queued, running, succeeded (gap B16). */
export const timelineOf = (
  params: VideoParams,
  context: DecisionContext,
  id: string,
): TaskTimeline<never> => {
  const pace = paceOf(context.settings.timing, workload(params), context.random)
  return plainTimeline(context.now, pace, mediaOf(params, id))
}

/** A task expires when `execution_expires_after` seconds pass before its end (gap B16). */
export const deadline = (params: VideoParams, createdAt: Instant): Instant =>
  createdAt + params.expiresAfter * SECOND

const mediaOf = (params: VideoParams, id: string): MediaSpec[] => {
  const video = videoOf(params, id)
  return params.returnLastFrame ? [video, { kind: 'last-frame', of: video }] : [video]
}

const videoOf = (params: VideoParams, id: string) =>
  videoSpecOf(params, {
    id,
    size: `${params.resolution} ${params.ratio} ${params.duration}s`,
    pixels: pixels[params.resolution][params.ratio],
    seconds: params.duration,
    framesPerSecond: FRAMES_PER_SECOND,
    hasAudio: params.generateAudio,
    hasWatermark: params.watermark,
  })

/** Prices per second of video; the fast model costs half (docs/families/b-video-task.md#price). */
export const price = {
  perSecond: {
    'videoa-2-0-260128 480p': 0.05,
    'videoa-2-0-260128 720p': 0.1,
    'videoa-2-0-260128 1080p': 0.25,
    'videoa-2-0-fast-260128 480p': 0.025,
    'videoa-2-0-fast-260128 720p': 0.05,
  },
  meter: ({ resolution, duration }: VideoParams) => ({ resolution, seconds: duration }),
}

/** DELETE by state (§Task states, gap B6). */
export const cancelOutcome = ({ phase: { state }, task }: TaskView): CancelOutcome<TaskError> => {
  if (state === 'queued') return 'cancel'
  if (state !== 'running' && state !== 'cancelled') return 'remove'
  const error =
    state === 'running' ? 'InvalidAction.RunningTaskDeletion' : 'InvalidAction.CancelledTaskDeletion'
  const allowed = 'a task that is queued, succeeded, failed or expired'
  const message = `The task ${task.id} is ${state} and cannot be cancelled or deleted`
  return { error, field: 'id', found: state, allowed, message }
}
