import type { DecisionContext } from '../../core/contract.js'
import { plainTimeline, type TaskTimeline } from '../../core/model/task.js'
import { paceOf, SECOND, type TaskDurations } from '../../core/schedule/time.js'
import { timestampedId } from '../shared/responses.js'
import { videoSpecOf } from '../shared/schema.js'
import type { ReferenceParams } from './schema.js'

/** `r2v-YYYYMMDDHHMMSS-xxxxx`: built as the ids of B and C, and told apart from them at a glance. */
export const newId = (context: DecisionContext): string => timestampedId('r2v', context)

const RUNNING_MS_PER_SECOND: Readonly<Record<ReferenceParams['size'], number>> = {
  '720P': 12_000,
  '1080P': 22_000,
}

// Realistic timing (docs/families/e-video-reference.md).
const workload = ({ size, seconds }: ReferenceParams): TaskDurations => ({
  queuedMs: 20 * SECOND,
  runningMs: 40 * SECOND + seconds * RUNNING_MS_PER_SECOND[size],
})

const PENDING_SHARE = 0.2

/** Pending, queued, running, succeeded (§Task states, gap E6). The wait begins with a fifth of pending. */
export const timelineOf = (
  params: ReferenceParams,
  context: DecisionContext,
  id: string,
): TaskTimeline<never> => {
  const { queuedMs, runningMs } = paceOf(context.settings.timing, workload(params), context.random)
  const pendingMs = Math.round(queuedMs * PENDING_SHARE)
  const pace = { queuedMs: queuedMs - pendingMs, runningMs }
  return [
    { at: context.now, value: { state: 'pending' } },
    ...plainTimeline<never>(context.now + pendingMs, pace, [videoOf(params, id)]),
  ]
}

const pixels = { '720P': { width: 1280, height: 720 }, '1080P': { width: 1920, height: 1080 } } as const
const FRAMES_PER_SECOND = 30

const videoOf = (params: ReferenceParams, id: string) =>
  videoSpecOf(
    { ...params, references: params.subjects },
    {
      id,
      size: `${params.size} 16:9 ${params.seconds}s`,
      pixels: pixels[params.size],
      seconds: params.seconds,
      framesPerSecond: FRAMES_PER_SECOND,
      hasAudio: true,
      hasWatermark: params.watermark,
    },
  )

/** Prices per second of video (docs/families/e-video-reference.md). */
export const price = {
  perSecond: { 'beta2.7-r2v 720P': 0.1, 'beta2.7-r2v 1080P': 0.16 },
  meter: ({ size, seconds }: ReferenceParams) => ({ resolution: size, seconds }),
}
