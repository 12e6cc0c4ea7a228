import { z } from 'zod'
import { states } from '../../core/model/task.js'
import { ratios } from '../shared/media-params.js'
import { requestId, resultUrl, unixTime } from '../shared/respond.js'
import { models, resolutions } from './schema.js'
import { RESULT_TTL_MS } from './timeline.js'

/** The create response (§F, gap F1). */
export const created = z
  .object({
    output: z.object({ task_id: z.string() }),
    task_id: z.string().describe('the same as `output.task_id`'),
  })
  .describe('What a create request of family F answers (§F, gap F1).')

/** The statuses of F (§States and transitions). */
const statuses = states.filter((state) => state !== 'pending' && state !== 'expired')

const metering = {
  total_seconds: z.int(),
  input_seconds: z.int(),
  output_seconds: z.int(),
  input_image_count: z.int(),
}

/** The task itself (§F task query response, gap F3 to F6). */
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

/** The task query response, and what callbacks carry (§F, §Events 2, gap F3). */
export const read = z
  .object({ task, ...task.shape })
  .describe(
    'The task query response of family F, with the same keys at the top, and the body of its callbacks.',
  )

/** What a callback address is asked first (§Events 1, gap F8). */
export const challenge = z
  .object({ challenge: z.string() })
  .describe('What a callback address of family F gets first, and has to give back (§Events 1, gap F8).')

/** The answer to DELETE (gap F17). */
export const cancelled = z
  .object({ task_id: z.string(), action: z.literal('cancelled'), status: z.literal('cancelled') })
  .describe('What cancelling a task of family F answers (gap F17).')

/** The error body (defaults F). */
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
