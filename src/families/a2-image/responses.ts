import { z } from 'zod'
import type { FamilyApi } from '../../core/contract.js'
import { output } from '../a-image/responses.js'
import { requestId } from '../shared/respond.js'

const usage = z.object({
  image_count: z.int(),
  width: z.int().describe('pixels'),
  height: z.int().describe('pixels'),
})

/** The answer of A with the metering of this model (§A2, gap A6). */
export const created = z
  .object({ request_id: requestId, output, usage })
  .describe('The pictures that family A2 makes, with their metering (§A2).')

/** API description of family A2. Refusals are those of A. */
export const apiOf = (schema: z.ZodType): FamilyApi => ({
  requests: { Image2Request: schema.describe('A request of family A2 (§A2).') },
  responses: { Image2Answer: created },
  operations: {
    create: {
      summary: 'Make pictures with the second model',
      body: 'Image2Request',
      response: 'Image2Answer',
      error: 'ImageProblem',
    },
  },
})
