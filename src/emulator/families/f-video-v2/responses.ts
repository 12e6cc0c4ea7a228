import { z } from 'zod'
import type { DecisionContext, ErrorTable, FamilyApi } from '../../core/contract.js'
import type { ErrorSpec } from '../../core/model/call.js'
import { states, type TaskView } from '../../core/model/task.js'
import { DAY } from '../../core/schedule/time.js'
import { requestId, resultUrl, unixSeconds, unixTime } from '../shared/responses.js'
import { contentItemWithRole } from '../shared/schema.js'
import { failureOf, errors as usualErrors, type VideoError } from './errors.js'
import type { Models, schemaOf, VideoParams } from './schema.js'
import { usageOf } from './timeline.js'

/** How long a video's URL is valid. The specification does not say it for F; as in B and C. */
export const RESULT_TTL_MS = 14 * DAY

type View = TaskView<VideoParams, VideoError>

/** The create response (§F, gap F1). */
export const created = ({ task }: View) => ({ output: { task_id: task.id }, task_id: task.id })

/** The task query response, and what callbacks carry (§F, §Callbacks, gap F3). */
export const read = (view: View, context: DecisionContext, errors: ErrorTable) => {
  const task = taskOf(view, context, errors)
  return { task, ...task }
}

// Of a task that was kept, whose error the table has no more.
const unknownError: ErrorSpec = usualErrors.server_error

const taskOf = (view: View, context: DecisionContext, errors: ErrorTable) => {
  const { task, phase, since } = view
  const { params } = task
  return {
    id: task.id,
    model: params.model,
    status: phase.state,
    created_at: unixSeconds(task.createdAt),
    updated_at: unixSeconds(since),
    ...(phase.state === 'succeeded'
      ? { content: { url: context.resultUrl(task, 0, since + RESULT_TTL_MS) } }
      : {}),
    ...(phase.state === 'failed' ? { error: failureOf(errors[phase.error] ?? unknownError) } : {}),
    resolution: params.resolution,
    duration: params.duration,
    usage: phase.state === 'succeeded' ? usageOf(params) : {},
    ratio: params.ratio,
    task_type: 'generation',
    modality: 'video',
  }
}

/** The answer to DELETE (gap F17). */
export const cancelled = ({ task }: View) => ({ task_id: task.id, action: 'cancelled', status: 'cancelled' })

const createdSchema = z
  .object({
    output: z.object({ task_id: z.string() }),
    task_id: z.string().describe('the same as `output.task_id`'),
  })
  .describe('What a create request of family F answers (§F, gap F1).')

/** The statuses of F (§Task states). */
const statuses = states.filter((state) => state !== 'pending' && state !== 'expired')

const metering = {
  total_seconds: z.int(),
  input_seconds: z.int(),
  output_seconds: z.int(),
  input_image_count: z.int(),
}

const taskSchemaOf = (models: Models) =>
  z
    .object({
      id: z.string(),
      model: z.enum(models.ids),
      status: z.enum(statuses),
      created_at: unixTime,
      updated_at: unixTime,
      content: z
        .object({ url: resultUrl(RESULT_TTL_MS) })
        .optional()
        .describe('only once succeeded'),
      error: z
        .object({ code: z.string(), message: z.string() })
        .optional()
        .describe('only once failed; the code is a number as text'),
      resolution: z.enum(models.sizes),
      duration: z.int().describe('seconds'),
      usage: z.object(metering).partial().describe('empty until succeeded'),
      ratio: z.enum(models.ratiosByWidth).describe('the one used, never `adaptive`'),
      task_type: z.literal('generation'),
      modality: z.literal('video'),
    })
    .describe('A video task as family F shows it (§F, gap F3 to F6).')

const readSchemaOf = (task: ReturnType<typeof taskSchemaOf>) =>
  z
    .object({ task, ...task.shape })
    .describe(
      'The task query response of family F, with the same keys at the top, and the body of its callbacks.',
    )

const challengeSchema = z
  .object({ challenge: z.string() })
  .describe('What a callback address of family F gets first, and has to give back (§Callbacks, gap F8).')

const cancelledSchema = z
  .object({ task_id: z.string(), action: z.literal('cancelled'), status: z.literal('cancelled') })
  .describe('What cancelling a task of family F answers (gap F17).')

const problemSchema = z
  .object({
    type: z.literal('error'),
    error: z.object({
      type: z.string(),
      message: z.string().describe('ends in a number in brackets'),
      http_code: z.string().describe('the HTTP status as text'),
    }),
    request_id: requestId,
  })
  .describe('A refusal of family F (§F).')

/** API description of family F. */
export const apiOf = (models: Models, schema: ReturnType<typeof schemaOf>) => {
  const task = taskSchemaOf(models)
  return {
    requests: {
      VideoV2Request: schema.describe('A create request of family F (§F, gap F7).'),
      VideoV2ContentItem: contentItemWithRole,
    },
    responses: {
      VideoV2Created: createdSchema,
      VideoV2Task: task,
      VideoV2Answer: readSchemaOf(task),
      VideoV2Cancelled: cancelledSchema,
      VideoV2Challenge: challengeSchema,
      VideoV2Problem: problemSchema,
    },
    error: 'VideoV2Problem',
    operations: {
      create: {
        summary: 'Create a second-generation video',
        body: 'VideoV2Request',
        response: 'VideoV2Created',
      },
      read: { summary: 'Query a second-generation video', response: 'VideoV2Answer' },
      cancel: { summary: 'Cancel a queued video', response: 'VideoV2Cancelled' },
    },
  } satisfies FamilyApi
}
