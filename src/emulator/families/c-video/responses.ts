import { z } from 'zod'
import type { DecisionContext, ErrorTable, FamilyApi } from '../../core/contract.js'
import { isFinal, type State, type TaskView } from '../../core/model/task.js'
import { errors as taskErrors } from '../b-video-task/errors.js'
import {
  RESULT_TTL_MS,
  readOf as readTaskOf,
  readSchemaOf as readTaskSchemaOf,
  statuses,
} from '../b-video-task/responses.js'
import type { Models, VideoParams } from '../b-video-task/schema.js'
import { type Failure, failureOf, resultUrl, unixSeconds, unixTime } from '../shared/responses.js'
import type { schemaOf } from './schema.js'

/** Four words for seven states (setting videoStatusWords): what will bring no video any more is failed. */
const openAiWords: Readonly<Record<State, string>> = {
  pending: 'queued',
  queued: 'queued',
  running: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  cancelled: 'failed',
  expired: 'failed',
}

/** Those of them that are no names of states, and the states that they stand for. */
export const otherStatusWords: Readonly<Record<string, State>> = {
  in_progress: 'running',
  completed: 'succeeded',
}

/** The word for a state on `/v1/videos`: the specification's, or the setting's (gap C4). */
const statusWord = (state: State, { videoStatusWords }: DecisionContext['settings']): string =>
  videoStatusWords === 'openai-style' ? openAiWords[state] : state

/** The create response, and what every task on this path shows (gap C1, §E response). */
export const created = ({ task, phase, progress }: TaskView, context: DecisionContext) => ({
  id: task.id,
  task_id: task.id,
  object: 'video',
  model: task.model,
  status: statusWord(phase.state, context.settings),
  progress,
  created_at: unixSeconds(task.createdAt),
})

/** B's object, and beside it what clients of this path look for (gap C3). */
export const readOf = (models: Models) => {
  const readTask = readTaskOf(models)
  return (view: TaskView<VideoParams>, context: DecisionContext, errors: ErrorTable) => {
    const task = readTask(view, context, errors)
    return Object.assign(task, created(view, context), {
      completed_at: completedAt(view),
      // A task of B can have failed with a name that only B has.
      error: errorOf(view, context, errors, taskErrors),
      ...(task.content === undefined ? {} : linksTo(task.content.video_url, view.task.id, context)),
    })
  }
}

/** Instant at which a task ended, in Unix seconds; null until it does. */
export const completedAt = ({ phase, since }: TaskView): number | null =>
  isFinal(phase) ? unixSeconds(since) : null

/** Why there will be no video; whatever the status words call failed has a reason (gap B4, C4). */
export const errorOf = (
  { phase }: TaskView,
  { settings }: DecisionContext,
  errors: ErrorTable,
  others?: ErrorTable,
): Failure | null => {
  const failure = failureOf(phase, errors, others)
  if (failure !== null || statusWord(phase.state, settings) !== 'failed') return failure
  return { code: 'task_cancelled', message: 'The task was cancelled.' }
}

/** The places besides `content` where clients look for the video (gap C3, Z27). */
export const linksTo = (url: string, id: string, { origin, settings }: DecisionContext) => ({
  url,
  video_url: url,
  metadata: { url: settings.metadataUrl === 'content' ? `${origin}/v1/videos/${id}/content` : url },
})

/** The words for statuses, and those of the setting `videoStatusWords` (gap C4). */
const statusWordSchema = <S extends string>(words: readonly S[]) =>
  z
    .enum([...words, 'in_progress', 'completed'])
    .describe('`in_progress` and `completed` only with the setting `videoStatusWords: openai-style`')

/** Fields of every task on this path, of the models and with the statuses of its family (gap C1, §E response). */
export const taskOf = <M extends z.ZodType, S extends string>(model: M, statuses: readonly S[]) => ({
  id: z.string(),
  task_id: z.string().describe('the same as `id`'),
  object: z.literal('video'),
  model,
  status: statusWordSchema(statuses),
  progress: z.int().describe('whole percent'),
  created_at: unixTime,
})

const url = resultUrl(RESULT_TTL_MS)

/** The places besides `content` where clients look for the video (gap C3, Z27). */
export const links = {
  completed_at: unixTime.nullable().describe('when it ended, in whichever way; null until it does'),
  url: url.optional().describe('only once succeeded'),
  video_url: url.optional().describe('the same as `url`'),
  metadata: z.object({ url }).optional().describe('only once succeeded'),
}

const problemSchema = z
  .object({
    code: z.string(),
    message: z.string(),
    data: z.null(),
    error: z.object({ message: z.string(), type: z.string(), code: z.string(), param: z.null() }),
  })
  .describe('A refusal of families C and E, in both shapes that clients read (gap C6).')

/** API description of family C. */
export const apiOf = (models: Models, schema: ReturnType<typeof schemaOf>) => {
  const own = taskOf(z.enum(models.ids), statuses)
  return {
    requests: { UnifiedVideoRequest: schema.describe('A create request of family C (§C).') },
    responses: {
      UnifiedVideoCreated: z.object(own).describe('What a create request of family C answers (gap C1).'),
      UnifiedVideo: z
        .object({ ...readTaskSchemaOf(models).shape, ...own, ...links })
        .describe('A video task as family C shows it (§B query, gap C3).'),
      UnifiedVideoProblem: problemSchema,
    },
    error: 'UnifiedVideoProblem',
    operations: {
      create: { summary: 'Create a video', body: 'UnifiedVideoRequest', response: 'UnifiedVideoCreated' },
      read: { summary: 'Query a video', response: 'UnifiedVideo' },
      content: { summary: 'Get the bytes of a video', file: 'video/mp4' },
    },
  } satisfies FamilyApi
}
