import { z } from 'zod'
import type { FamilyApi } from '../../core/contract.js'
import { RESULT_TTL_MS } from '../b-video-task/timeline.js'
import { links, taskOf } from '../c-video/responses.js'
import { failure, resultUrl, unixTime } from '../shared/respond.js'
import { schema, sizes, statuses } from './schema.js'

const own = taskOf(z.literal('beta2.7-r2v'), statuses)

/** The create response (§E response, gap E6). */
export const created = z.object(own).describe('What a create request of family E answers (§E response).')

/** The task object: as C shows it, without what E does not have (gap E7, Z27). */
export const read = z
  .object({
    ...own,
    updated_at: unixTime,
    seconds: z.string(),
    size: z.enum(sizes),
    seed: z.int().describe('the one used'),
    error: failure,
    content: z
      .object({ video_url: resultUrl(RESULT_TTL_MS) })
      .optional()
      .describe('only once succeeded'),
    ...links,
  })
  .describe('A video task as family E shows it (gap E7, Z27).')

/** API description of family E. Refusals are those of C. */
export const api: FamilyApi = {
  requests: {
    // `image` and `images` are in the schema so that a rule can refuse them (gap E3).
    ReferenceVideoRequest: schema
      .omit({ image: true, images: true })
      .describe('A create request of family E (§E, gaps E1 to E5).'),
  },
  responses: { ReferenceVideoCreated: created, ReferenceVideo: read },
  operations: {
    create: {
      summary: 'Create a video of given characters',
      body: 'ReferenceVideoRequest',
      response: 'ReferenceVideoCreated',
      error: 'UnifiedVideoProblem',
    },
    read: {
      summary: 'Query a video of given characters',
      response: 'ReferenceVideo',
      error: 'UnifiedVideoProblem',
    },
  },
}
