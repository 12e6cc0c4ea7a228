import { z } from 'zod'
import type { FamilyApi } from '../../core/contract.js'
import { states } from '../../core/model/task.js'
import { ratios } from '../shared/media-params.js'
import { contentItemWithRole } from '../shared/media-refs.js'
import { requestId, resultUrl, unixTime } from '../shared/respond.js'
import { models, resolutions, schema } from './schema.js'
import { RESULT_TTL_MS } from './timeline.js'

/** The create response (§F, gap F1). */
export const created = z
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

/** The task itself (§F query, gap F3 to F6). */
export const task = z
  .object({
    id: z.string(),
    model: z.enum(models),
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
    resolution: z.enum(resolutions),
    duration: z.int().describe('seconds'),
    usage: z.object(metering).partial().describe('empty until succeeded'),
    ratio: z.enum(ratios).describe('the one used, never `adaptive`'),
    task_type: z.literal('generation'),
    modality: z.literal('video'),
  })
  .describe('A video task as family F shows it (§F, gap F3 to F6).')

/** The task query response, and what callbacks carry (§F, §Callbacks, gap F3). */
export const read = z
  .object({ task, ...task.shape })
  .describe(
    'The task query response of family F, with the same keys at the top, and the body of its callbacks.',
  )

/** What a callback address is asked first (§Callbacks, gap F8). */
export const challenge = z
  .object({ challenge: z.string() })
  .describe('What a callback address of family F gets first, and has to give back (§Callbacks, gap F8).')

/** The answer to DELETE (gap F17). */
export const cancelled = z
  .object({ task_id: z.string(), action: z.literal('cancelled'), status: z.literal('cancelled') })
  .describe('What cancelling a task of family F answers (gap F17).')

/** The error body (gap F). */
export const problem = z
  .object({
    type: z.literal('error'),
    error: z.object({
      type: z.string(),
      message: z.string().describe('ends in a number in brackets'),
      http_code: z.string().describe('the HTTP status as text'),
    }),
    request_id: requestId,
  })
  .describe('A refusal of family F (defaults F).')

/** API description of family F. */
export const api: FamilyApi = {
  requests: {
    VideoV2Request: schema.describe('A create request of family F (§F, gap F7).'),
    VideoV2ContentItem: contentItemWithRole,
  },
  responses: {
    VideoV2Created: created,
    VideoV2Task: task,
    VideoV2Answer: read,
    VideoV2Cancelled: cancelled,
    VideoV2Challenge: challenge,
    VideoV2Problem: problem,
  },
  operations: {
    create: {
      summary: 'Create a second-generation video',
      body: 'VideoV2Request',
      response: 'VideoV2Created',
      error: 'VideoV2Problem',
    },
    read: { summary: 'Query a second-generation video', response: 'VideoV2Answer', error: 'VideoV2Problem' },
    cancel: { summary: 'Cancel a queued video', response: 'VideoV2Cancelled', error: 'VideoV2Problem' },
  },
}
