import type { DecisionContext } from '../../core/contract.js'
import { plainTimeline, type TaskTimeline } from '../../core/model/task.js'
import { paceOf } from '../../core/schedule/time.js'
import { timestampedId } from '../shared/responses.js'
import { videoSpecOf } from '../shared/schema.js'
import type { Models, ReferenceParams } from './schema.js'

/** `r2v-YYYYMMDDHHMMSS-xxxxx`: built as the ids of B and C, and told apart from them at a glance. */
export const newId = (context: DecisionContext): string => timestampedId('r2v', context)

const PENDING_SHARE = 0.2

/** Pending, queued, running, succeeded (§Task states, gap E6). The wait begins with a fifth of pending. */
export const timelineOf =
  (models: Models) =>
  (params: ReferenceParams, context: DecisionContext, id: string): TaskTimeline<never> => {
    // Realistic timing (docs/families/e-video-reference.md).
    const { queuedMs, runningMs } = paceOf(context.settings.timing, models.workload(params), context.random)
    const pendingMs = Math.round(queuedMs * PENDING_SHARE)
    const pace = { queuedMs: queuedMs - pendingMs, runningMs }
    return [
      { at: context.now, value: { state: 'pending' } },
      ...plainTimeline<never>(context.now + pendingMs, pace, [videoOf(models, params, id)]),
    ]
  }

const videoOf = (models: Models, params: ReferenceParams, id: string) => {
  const {
    ratios: [ratio = '16:9'],
    sound,
    framesPerSecond,
  } = models.of(params.model)
  return videoSpecOf(
    { ...params, references: params.subjects },
    {
      id,
      size: `${params.size} ${ratio} ${params.seconds}s`,
      pixels: models.pixels(params.model, params.size, ratio),
      seconds: params.seconds,
      framesPerSecond,
      hasAudio: sound,
      hasWatermark: params.watermark,
    },
  )
}

/** Prices per second of video (docs/families/e-video-reference.md). */
export const priceOf = (models: Models) => ({
  perSecond: models.pricePerSecond,
  meter: ({ size, seconds }: ReferenceParams) => ({ resolution: size, seconds }),
})
