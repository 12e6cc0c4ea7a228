import { z } from 'zod'
import type { FamilyApi } from '../../core/contract.js'
import { requestId, resultUrl } from '../shared/respond.js'
import { RESULT_TTL_MS } from './respond.js'
import { schema } from './schema.js'

/** One choice with all the images; A2 answers the same (§A response, gap A2). */
export const output = z.object({
  choices: z.array(
    z.object({
      finish_reason: z.string().describe('`stop` when finished naturally'),
      message: z.object({
        role: z.literal('assistant'),
        content: z
          .array(z.object({ image: resultUrl(RESULT_TTL_MS) }))
          .describe('one item for each image, in order'),
      }),
    }),
  ),
})

const usage = z.object({
  output_width: z.int().describe('pixels'),
  output_height: z.int().describe('pixels'),
  input_image_count: z.int().describe('0 for text-to-image'),
  input_image_type: z.enum(['qima_input_1k', 'qima_input_2k']).describe('by the area of the output'),
  output_image_count: z.int(),
  output_image_type: z.enum(['qima_output_1k', 'qima_output_2k']).describe('by the area of the output'),
})

/** The answer to a request that is accepted (§A response). */
export const created = z
  .object({ request_id: requestId, output, usage })
  .describe('The pictures that family A makes, with their metering (§A response).')

/** The failure body of A and A2 (§Errors, defaults A). */
export const problem = z
  .object({ request_id: requestId, code: z.string(), message: z.string() })
  .describe('A refusal of families A and A2 (§Errors, defaults A).')

/** API description of family A. */
export const api: FamilyApi = {
  requests: { ImageRequest: schema.describe('A request of family A (§A).') },
  responses: { ImageAnswer: created, ImageProblem: problem },
  operations: {
    create: {
      summary: 'Make or edit pictures',
      body: 'ImageRequest',
      response: 'ImageAnswer',
      error: 'ImageProblem',
    },
  },
}
