import { scramble } from '../../core/account/random.js'
import type { CancelOutcome, DecisionContext } from '../../core/contract.js'
import { plainTimeline, type TaskTimeline, type TaskView } from '../../core/model/task.js'
import { paceOf } from '../../core/schedule/time.js'
import { videoSpecOf } from '../shared/schema.js'
import type { VideoError } from './errors.js'
import type { Models, VideoParams } from './schema.js'

const COUNT_DIGITS = 11

/** 17 digits (gap F1): six that stand for the account, and a number that never repeats within it. */
export const newId = ({ account, sequence, settings }: DecisionContext): string => {
  const accountNumber = Number.parseInt(account.id.slice(0, 8), 16)
  const count = scramble(sequence, accountNumber + settings.seed, 10 ** COUNT_DIGITS)
  return `${100_000 + (accountNumber % 900_000)}${String(count).padStart(COUNT_DIGITS, '0')}`
}

/** Queued, running, succeeded (§Task states). */
export const timelineOf =
  (models: Models) =>
  (params: VideoParams, context: DecisionContext, id: string): TaskTimeline<never> => {
    const { model, resolution: size, duration: seconds } = params
    const workload = models.workload({ model, size, seconds })
    const pace = paceOf(context.settings.timing, workload, context.random)
    return plainTimeline(context.now, pace, [videoOf(models, params, id)])
  }

const videoOf = (models: Models, params: VideoParams, id: string) => {
  const { sound, framesPerSecond } = models.of(params.model)
  return videoSpecOf(params, {
    id,
    size: `${params.resolution} ${params.ratio} ${params.duration}s`,
    pixels: models.pixels(params.model, params.resolution, params.ratio),
    seconds: params.duration,
    framesPerSecond,
    hasAudio: sound,
    hasWatermark: params.watermark === true,
  })
}

/** DELETE cancels a queued task and nothing else (gap F17). */
export const cancelOutcome = ({ phase: { state }, task }: TaskView): CancelOutcome<VideoError> => {
  if (state === 'queued') return 'cancel'
  const message = `the task ${task.id} is ${state}, only a queued task can be cancelled`
  const allowed = 'a task that is queued'
  return { error: 'bad_request_error', field: 'task_id', found: state, allowed, message }
}

/** Usage of a task (§F usage, gap F6). */
export const usageOf = ({ inputSeconds, duration, imageCount }: VideoParams) => ({
  total_seconds: inputSeconds + duration,
  input_seconds: inputSeconds,
  output_seconds: duration,
  input_image_count: imageCount,
})

/** Prices of a metered second (docs/families/f-video-v2.md#price). */
export const priceOf = (models: Models) => ({
  perSecond: models.pricePerSecond,
  meter: (params: VideoParams) => ({
    resolution: params.resolution,
    seconds: usageOf(params).total_seconds,
  }),
})
