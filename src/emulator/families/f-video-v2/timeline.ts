import { scramble } from '../../core/account/random.js'
import type { CancelOutcome, DecisionContext } from '../../core/contract.js'
import { plainTimeline, type TaskTimeline, type TaskView } from '../../core/model/task.js'
import { paceOf, SECOND, type TaskDurations } from '../../core/schedule/time.js'
import { videoSpecOf } from '../shared/schema.js'
import type { VideoError } from './errors.js'
import { FRAMES_PER_SECOND, pixels, type VideoParams } from './schema.js'

const COUNT_DIGITS = 11

/** 17 digits (gap F1): six that stand for the account, and a number that never repeats within it. */
export const newId = ({ account, sequence, settings }: DecisionContext): string => {
  const accountNumber = Number.parseInt(account.id.slice(0, 8), 16)
  const count = scramble(sequence, accountNumber + settings.seed, 10 ** COUNT_DIGITS)
  return `${100_000 + (accountNumber % 900_000)}${String(count).padStart(COUNT_DIGITS, '0')}`
}

const RUNNING_MS_PER_SECOND: Readonly<Record<VideoParams['resolution'], number>> = {
  '480P': 6_000,
  '768P': 12_000,
  '2K': 28_000,
}
const SHARE_OF_RUNNING: Readonly<Record<VideoParams['model'], number>> = {
  'gamma-H3': 1,
  'gamma-H3-Max': 1.5,
}

const workload = ({ model, resolution, duration }: VideoParams): TaskDurations => ({
  queuedMs: 20 * SECOND,
  runningMs: SHARE_OF_RUNNING[model] * (30 * SECOND + duration * RUNNING_MS_PER_SECOND[resolution]),
})

/** Queued, running, succeeded (§Task states). */
export const timelineOf = (
  params: VideoParams,
  context: DecisionContext,
  id: string,
): TaskTimeline<never> => {
  const pace = paceOf(context.settings.timing, workload(params), context.random)
  return plainTimeline(context.now, pace, [videoOf(params, id)])
}

const videoOf = (params: VideoParams, id: string) =>
  videoSpecOf(params, {
    id,
    size: `${params.resolution} ${params.ratio} ${params.duration}s`,
    pixels: pixels[params.resolution][params.ratio],
    seconds: params.duration,
    framesPerSecond: FRAMES_PER_SECOND,
    hasAudio: true,
    hasWatermark: false,
  })

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
export const price = {
  perSecond: {
    'gamma-H3 768P': 0.1,
    'gamma-H3 2K': 0.25,
    'gamma-H3-Max 480P': 0.1,
    'gamma-H3-Max 768P': 0.2,
  },
  meter: (params: VideoParams) => ({
    resolution: params.resolution,
    seconds: usageOf(params).total_seconds,
  }),
}
