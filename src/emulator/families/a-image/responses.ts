import { z } from 'zod'
import type { DecisionContext, FamilyApi } from '../../core/contract.js'
import { mediaOf, type TaskView } from '../../core/model/task.js'
import { HOUR } from '../../core/schedule/time.js'
import { requestId, resultUrl } from '../shared/responses.js'
import type { ImageParams, schemaOf } from './schema.js'

/** How long an image's URL is valid (§A response). */
export const RESULT_TTL_MS = 24 * HOUR

type View = TaskView<ImageParams>

/** One choice that holds all the images, in order (§A response, gap A2). */
export const output = ({ task, phase, since }: View, context: DecisionContext) => ({
  choices: [
    {
      finish_reason: 'stop',
      message: {
        role: 'assistant',
        content: mediaOf(phase).map((_, index) => ({
          image: context.resultUrl(task, index, since + RESULT_TTL_MS),
        })),
      },
    },
  ],
})

const FIRST_TIER_AREA = 2_250_000

/** Metering; both types follow from the area of the output (§A response, §A usage). */
const usage = ({ task: { params } }: View) => {
  const tier = params.width * params.height <= FIRST_TIER_AREA ? '1k' : '2k'
  return {
    output_width: params.width,
    output_height: params.height,
    input_image_count: params.inputs.length,
    input_image_type: `qima_input_${tier}`,
    output_image_count: params.n,
    output_image_type: `qima_output_${tier}`,
  }
}

/** Answer of a create, which has the images already (§A response). */
export const created = (view: View, context: DecisionContext) => ({
  request_id: context.requestId,
  output: output(view, context),
  usage: usage(view),
})

/** One choice with all the images; A2 answers the same (§A response, gap A2). */
export const outputSchema = z.object({
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

const usageSchema = z.object({
  output_width: z.int().describe('pixels'),
  output_height: z.int().describe('pixels'),
  input_image_count: z.int().describe('0 for text-to-image'),
  input_image_type: z.enum(['qima_input_1k', 'qima_input_2k']).describe('by the area of the output'),
  output_image_count: z.int(),
  output_image_type: z.enum(['qima_output_1k', 'qima_output_2k']).describe('by the area of the output'),
})

const createdSchema = z
  .object({ request_id: requestId, output: outputSchema, usage: usageSchema })
  .describe('The pictures that family A makes, with their metering (§A response).')

const problemSchema = z
  .object({ request_id: requestId, code: z.string(), message: z.string() })
  .describe('A refusal of families A and A2 (§Errors, gap A1).')

/** API description of family A. */
export const apiOf = (schema: ReturnType<typeof schemaOf>) =>
  ({
    requests: { ImageRequest: schema.describe('A request of family A (§A).') },
    responses: { ImageAnswer: createdSchema, ImageProblem: problemSchema },
    error: 'ImageProblem',
    operations: {
      create: { summary: 'Make or edit pictures', body: 'ImageRequest', response: 'ImageAnswer' },
    },
  }) satisfies FamilyApi
