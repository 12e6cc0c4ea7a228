import { z } from 'zod'
import type { DecisionContext, ErrorTable, FamilyApi } from '../../core/contract.js'
import { type Phase, states, type TaskView } from '../../core/model/task.js'
import { DAY } from '../../core/schedule/time.js'
import { listQuerySchema } from '../../core/task/read.js'
import { refusals as unifiedErrors } from '../c-video/errors.js'
import { type Failure, failure, failureOf, resultUrl, unixSeconds, unixTime } from '../shared/responses.js'
import { contentItem } from '../shared/schema.js'
import type { TaskError } from './errors.js'
import type { Models, schemaOf, VideoParams } from './schema.js'

/** How long a video's URL is valid (§B query, gap B18). */
export const RESULT_TTL_MS = 14 * DAY

/** What B calls what a task of C can fail with (gap B4, C2). */
const equivalents: Readonly<Record<string, TaskError>> = {
  content_policy_violation: 'OutputVideoSensitiveContentDetected',
  internal_error: 'InternalServiceError',
}

/**
 * Why a task of B or C did not succeed, in the words of B as far as it has them; null where nothing went wrong. A task of C can
 * have failed with a name that B has no word for: it keeps it, with the sentence of C.
 */
const errorOf = (phase: Phase, errors: ErrorTable): Failure | null =>
  failureOf(inWordsOfB(phase), errors, unifiedErrors)

const inWordsOfB = (phase: Phase): Phase =>
  phase.state === 'failed' ? { ...phase, error: equivalents[phase.error] ?? phase.error } : phase

// Tasks of C are seen here too, with the errors of C.
type View = TaskView<VideoParams>

/** The create response (gap B1). */
export const created = ({ task }: View) => ({ id: task.id })

/** The video task object (§B query, gap B3). */
export const readOf = (models: Models) => (view: View, context: DecisionContext, errors: ErrorTable) => {
  const { task, phase, since } = view
  const { params } = task
  return {
    id: task.id,
    model: params.model,
    status: phase.state,
    error: errorOf(phase, errors),
    created_at: unixSeconds(task.createdAt),
    updated_at: unixSeconds(since),
    ...(phase.state === 'succeeded'
      ? { content: contentOf(view, context), usage: usageOf(models, params) }
      : {}),
    seed: params.seed,
    resolution: params.resolution,
    ratio: params.ratio,
    duration: params.duration,
    framespersecond: models.of(params.model).framesPerSecond,
    generate_audio: params.generateAudio,
    service_tier: params.serviceTier,
    execution_expires_after: params.expiresAfter,
    draft: params.draft,
    priority: params.priority,
    ...(params.safetyIdentifier === undefined ? {} : { safety_identifier: params.safetyIdentifier }),
  }
}

/** The result URLs: the video, and the last frame where it was asked for. */
const contentOf = ({ task, since }: View, context: DecisionContext) => ({
  video_url: context.resultUrl(task, 0, since + RESULT_TTL_MS),
  ...(task.params.returnLastFrame
    ? { last_frame_url: context.resultUrl(task, 1, since + RESULT_TTL_MS) }
    : {}),
})

/** Tokens by pixels and frames, reference videos included (gap B14). */
const usageOf = (models: Models, params: VideoParams) => {
  const { width, height } = models.pixels(params.model, params.resolution, params.ratio)
  const { framesPerSecond } = models.of(params.model)
  // In thousandths of a frame, which are whole: a sum of fractions can end below the number that it is.
  const tokensOf = (frames: number) => Math.floor((width * height * Math.round(frames * 1_000)) / 1_024_000)
  const output = tokensOf(framesPerSecond * params.duration + 1)
  const tokens = output + tokensOf(framesPerSecond * params.inputSeconds)
  return { completion_tokens: tokens, total_tokens: tokens }
}

/** A page of tasks, each as a query shows it (gap B5). */
export const list = (items: readonly unknown[], total: number) => ({ items, total })

/** The answer to DELETE is an empty object (gap B6). */
export const cancelled = () => ({})

const createdSchema = z
  .object({ id: z.string() })
  .describe('What a create request of family B answers (gap B1).')

/** The statuses of B and C (§Task states). */
export const statuses = states.filter((state) => state !== 'pending')

const content = z.object({
  video_url: resultUrl(RESULT_TTL_MS),
  last_frame_url: z.string().optional().describe('only where `return_last_frame` was asked for'),
})

const usage = z.object({ completion_tokens: z.int(), total_tokens: z.int() })

/** The video task object (§B query, gap B3). C shows the same and more. */
export const readSchemaOf = (models: Models) =>
  z
    .object({
      id: z.string(),
      model: z.enum(models.ids),
      status: z.enum(statuses),
      error: failure,
      created_at: unixTime,
      updated_at: unixTime,
      content: content.optional().describe('only once succeeded'),
      usage: usage.optional().describe('only once succeeded'),
      seed: z.int().describe('the one used'),
      resolution: z.enum(models.sizes),
      ratio: z.enum(models.ratiosByWidth).describe('the one used, never `adaptive`'),
      duration: z.int().describe('seconds'),
      framespersecond: z.int(),
      generate_audio: z.boolean(),
      service_tier: z.enum(['default', 'flex']),
      execution_expires_after: z.int().describe('seconds after creation at which the task expires'),
      draft: z.boolean(),
      priority: z.int(),
      safety_identifier: z.string().optional().describe('only where the request had one'),
    })
    .describe('A video task as family B shows it, and as its callbacks carry it (§B query, gap B3, B17).')

const listSchemaOf = (task: ReturnType<typeof readSchemaOf>) =>
  z
    .object({ items: z.array(task), total: z.int().describe('how many there are, on all pages') })
    .describe('A page of tasks, newest first (gap B5).')

const cancelledSchema = z.object({}).describe('What cancelling or deleting a task answers (gap B6).')

const problemSchema = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string().describe('ends in the request id'),
      param: z.string().describe('the field, where one is to blame'),
      type: z.string(),
    }),
  })
  .describe('A refusal of family B (gap B8).')

/** API description of family B. */
export const apiOf = (models: Models, schema: ReturnType<typeof schemaOf>) => {
  const task = readSchemaOf(models)
  return {
    requests: {
      ContentItem: contentItem,
      VideoTaskRequest: schema.describe('A create request of family B (§B, gap B2).'),
      VideoTaskListQuery: listQuerySchema.describe('The query of a task list (§B list, gap B5).'),
    },
    responses: {
      VideoTaskCreated: createdSchema,
      VideoTask: task,
      VideoTaskList: listSchemaOf(task),
      VideoTaskCancelled: cancelledSchema,
      VideoTaskProblem: problemSchema,
    },
    error: 'VideoTaskProblem',
    operations: {
      create: { summary: 'Create a video task', body: 'VideoTaskRequest', response: 'VideoTaskCreated' },
      read: { summary: 'Query a video task', response: 'VideoTask' },
      list: { summary: 'List video tasks', query: 'VideoTaskListQuery', response: 'VideoTaskList' },
      cancel: { summary: 'Cancel or delete a video task', response: 'VideoTaskCancelled' },
    },
  } satisfies FamilyApi
}
