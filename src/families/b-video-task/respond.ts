import type { DecisionContext } from '../../core/contract.js'
import type { Phase, TaskView } from '../../core/model/task.js'
import { refusals as unifiedErrors } from '../c-video/errors.js'
import { unixSeconds } from '../shared/ids.js'
import { type Failure, failureOf } from '../shared/respond.js'
import { errors, type TaskError } from './errors.js'
import { FRAMES_PER_SECOND, pixels, type VideoParams } from './params.js'
import { RESULT_TTL_MS } from './timeline.js'

/** What B calls what a task of C can fail with (gap B4, C2). */
const equivalents: Readonly<Record<string, TaskError>> = {
  content_policy_violation: 'OutputVideoSensitiveContentDetected',
  internal_error: 'InternalServiceError',
}

// A task of C can have failed with a name that B has no word for: it keeps it, with the sentence of C.
const everyError = { ...unifiedErrors, ...errors }

/** Why a task of B or C did not succeed, in the words of B as far as it has them; null where nothing went wrong. */
const errorOf = (phase: Phase): Failure | null => failureOf(inWordsOfB(phase), everyError)

const inWordsOfB = (phase: Phase): Phase =>
  phase.state === 'failed' ? { ...phase, error: equivalents[phase.error] ?? phase.error } : phase

// Tasks of C are seen here too, with the errors of C.
type View = TaskView<VideoParams>

/** The create response (gap B1). */
export const created = ({ task }: View) => ({ id: task.id })

/** The video task object (§B query, gap B3). */
export const read = (view: View, world: DecisionContext) => {
  const { task, phase, since } = view
  const { params: order } = task
  return {
    id: task.id,
    model: order.model,
    status: phase.state,
    error: errorOf(phase),
    created_at: unixSeconds(task.createdAt),
    updated_at: unixSeconds(since),
    ...(phase.state === 'succeeded' ? { content: contentOf(view, world), usage: usageOf(order) } : {}),
    seed: order.seed,
    resolution: order.resolution,
    ratio: order.ratio,
    duration: order.duration,
    framespersecond: FRAMES_PER_SECOND,
    generate_audio: order.generateAudio,
    service_tier: order.serviceTier,
    execution_expires_after: order.expiresAfter,
    draft: order.draft,
    priority: order.priority,
    ...(order.safetyIdentifier === undefined ? {} : { safety_identifier: order.safetyIdentifier }),
  }
}

/** The result URLs: the video, and the last frame where it was asked for. */
const contentOf = ({ task, since }: View, world: DecisionContext) => ({
  video_url: world.resultUrl(task, 0, since + RESULT_TTL_MS),
  ...(task.params.returnLastFrame ? { last_frame_url: world.resultUrl(task, 1, since + RESULT_TTL_MS) } : {}),
})

/** Tokens by pixels and frames, reference videos included (gap B14). */
const usageOf = (order: VideoParams) => {
  const { width, height } = pixels[order.resolution][order.ratio]
  const tokensOf = (frames: number) => Math.floor((width * height * frames) / 1024)
  const output = tokensOf(FRAMES_PER_SECOND * order.duration + 1)
  const tokens = output + tokensOf(FRAMES_PER_SECOND * order.inputSeconds)
  return { completion_tokens: tokens, total_tokens: tokens }
}

/** A page of tasks, each as a query shows it (gap B5). */
export const list = (items: readonly unknown[], total: number) => ({ items, total })

/** The answer to DELETE is an empty object (gap B6). */
export const cancelled = () => ({})
