import { z } from 'zod'
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
