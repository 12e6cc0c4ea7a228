import type { CancelOutcome, DecisionContext } from '../../core/contract.js'
import type { MediaSpec } from '../../core/media/spec.js'
import { plainTimeline, type TaskTimeline, type TaskView } from '../../core/model/task.js'
import { type Instant, paceOf, SECOND, type TaskDurations } from '../../core/schedule/time.js'
import { timestampedId } from '../shared/responses.js'
import { videoSpecOf } from '../shared/schema.js'
import type { TaskError } from './errors.js'
import type { Models, VideoParams } from './schema.js'

/** `cgt-YYYYMMDDHHMMSS-xxxxx` (gap B1). */
export const newId = (context: DecisionContext): string => timestampedId('cgt', context)

const FLEX_QUEUE_MS = 900 * SECOND

// Realistic timing (docs/time.md): the flex tier waits for a quiet quarter of an hour.
const workload = (models: Models, params: VideoParams): TaskDurations => {
  const { model, resolution: size, duration: seconds } = params
  const usual = models.workload({ model, size, seconds })
  return params.serviceTier === 'flex' ? { ...usual, queuedMs: FLEX_QUEUE_MS } : usual
}

/** Queued, running, succeeded (gap B16). */
export const timelineOf =
  (models: Models) =>
  (params: VideoParams, context: DecisionContext, id: string): TaskTimeline<never> => {
    const pace = paceOf(context.settings.timing, workload(models, params), context.random)
    return plainTimeline(context.now, pace, mediaOf(models, params, id))
  }

/** A task expires when `execution_expires_after` seconds pass before its end (gap B16). */
export const deadline = (params: VideoParams, createdAt: Instant): Instant =>
  createdAt + params.expiresAfter * SECOND

const mediaOf = (models: Models, params: VideoParams, id: string): MediaSpec[] => {
  const video = videoOf(models, params, id)
  return params.returnLastFrame ? [video, { kind: 'last-frame', of: video }] : [video]
}

const videoOf = (models: Models, params: VideoParams, id: string) =>
  videoSpecOf(params, {
    id,
    size: `${params.resolution} ${params.ratio} ${params.duration}s`,
    pixels: models.pixels(params.model, params.resolution, params.ratio),
    seconds: params.duration,
    framesPerSecond: models.of(params.model).framesPerSecond,
    hasAudio: params.generateAudio,
    hasWatermark: params.watermark,
  })

/** Prices per second of video (docs/families/b-video-task.md#price). */
export const priceOf = (models: Models) => ({
  perSecond: models.pricePerSecond,
  meter: ({ resolution, duration }: VideoParams) => ({ resolution, seconds: duration }),
})

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
