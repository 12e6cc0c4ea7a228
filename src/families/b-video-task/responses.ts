import { z } from 'zod'
import type { FamilyApi } from '../../core/contract.js'
import { states } from '../../core/model/task.js'
import { listQuerySchema } from '../../core/task/list.js'
import { ratios } from '../shared/media-params.js'
import { contentItem } from '../shared/media-refs.js'
import { failure, resultUrl, unixTime } from '../shared/respond.js'
import { models, resolutions, schema } from './schema.js'
import { RESULT_TTL_MS } from './timeline.js'

/** The create response (gap B1). */
export const created = z
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
export const read = z
  .object({
    id: z.string(),
    model: z.enum(models),
    status: z.enum(statuses),
    error: failure,
    created_at: unixTime,
    updated_at: unixTime,
    content: content.optional().describe('only once succeeded'),
    usage: usage.optional().describe('only once succeeded'),
    seed: z.int().describe('the one used'),
    resolution: z.enum(resolutions),
    ratio: z.enum(ratios).describe('the one used, never `adaptive`'),
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

/** A page of tasks (gap B5). */
export const list = z
  .object({ items: z.array(read), total: z.int().describe('how many there are, on all pages') })
  .describe('A page of tasks, newest first (gap B5).')

/** The answer to DELETE (gap B6). */
export const cancelled = z.object({}).describe('What cancelling or deleting a task answers (gap B6).')

/** The error body (gap B). */
export const problem = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string().describe('ends in the request id'),
      param: z.string().describe('the field, where one is to blame'),
      type: z.string(),
    }),
  })
  .describe('A refusal of family B (defaults B).')

/** API description of family B. */
export const api: FamilyApi = {
  requests: {
    ContentItem: contentItem,
    VideoTaskRequest: schema.describe('A create request of family B (§B, gap B2).'),
    VideoTaskListQuery: listQuerySchema.describe('The query of a task list (§B list, gap B5).'),
  },
  responses: {
    VideoTaskCreated: created,
    VideoTask: read,
    VideoTaskList: list,
    VideoTaskCancelled: cancelled,
    VideoTaskProblem: problem,
  },
  operations: {
    create: {
      summary: 'Create a video task',
      body: 'VideoTaskRequest',
      response: 'VideoTaskCreated',
      error: 'VideoTaskProblem',
    },
    read: { summary: 'Query a video task', response: 'VideoTask', error: 'VideoTaskProblem' },
    list: {
      summary: 'List video tasks',
      query: 'VideoTaskListQuery',
      response: 'VideoTaskList',
      error: 'VideoTaskProblem',
    },
    cancel: {
      summary: 'Cancel or delete a video task',
      response: 'VideoTaskCancelled',
      error: 'VideoTaskProblem',
    },
  },
}
