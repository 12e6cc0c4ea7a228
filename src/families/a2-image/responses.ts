import { z } from 'zod'
import type { DecisionContext, FamilyApi } from '../../core/contract.js'
import type { TaskView } from '../../core/model/task.js'
import { output, outputSchema } from '../a-image/responses.js'
import type { ImageParams } from '../a-image/schema.js'
import { requestId } from '../shared/responses.js'

/** The answer of A with the metering of this model (§A2, gap A6). */
export const created = (view: TaskView<ImageParams>, world: DecisionContext) => ({
  request_id: world.requestId,
  output: output(view, world),
  usage: { image_count: view.task.params.n, width: view.task.params.width, height: view.task.params.height },
})

const usageSchema = z.object({
  image_count: z.int(),
  width: z.int().describe('pixels'),
  height: z.int().describe('pixels'),
})

const createdSchema = z
  .object({ request_id: requestId, output: outputSchema, usage: usageSchema })
  .describe('The pictures that family A2 makes, with their metering (§A2).')

/** API description of family A2. Refusals are those of A. */
export const apiOf = (schema: z.ZodType) =>
  ({
    requests: { Image2Request: schema.describe('A request of family A2 (§A2).') },
    responses: { Image2Answer: createdSchema },
    operations: {
      create: {
        summary: 'Make pictures with the second model',
        body: 'Image2Request',
        response: 'Image2Answer',
        error: 'ImageProblem',
      },
    },
  }) satisfies FamilyApi
