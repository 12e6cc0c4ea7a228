import { z } from 'zod'
import { wholeNumber } from '../shared/whole-number.js'

const contentItem = z
  .object({
    image: z.string().min(1).optional(),
    text: z.string().regex(/\S/, { error: 'a text that is not empty' }).optional(),
  })
  .refine((item) => item.image !== undefined || item.text !== undefined, {
    error: 'an item with image or text',
  })

const message = z.object({
  role: z.literal('user'),
  content: z.array(contentItem).min(1),
})

/** The parameters that A and A2 share (§A parameters, §A2). */
export const sharedParameters = z.object({
  n: wholeNumber(1, 6).default(1),
  size: z.string().optional(),
  negative_prompt: z.string().optional(),
  prompt_extend: z.boolean().default(true),
  seed: wholeNumber(0, 2_147_483_647).optional(),
  watermark: z.boolean().default(false),
})

const parameters = sharedParameters.extend({
  prompt_extend_mode: z.enum(['direct', 'agent']).default('direct'),
})

/** 1 to `most` messages; `error` says how many there may be. */
export const inputOf = (most: number, error: string) =>
  z.object({ messages: z.array(message).min(1, { error }).max(most, { error }) })

/** A request of family A (§A). */
export const schema = z.object({
  model: z.literal('alpha-image-3.0-pro'),
  // A single turn.
  input: inputOf(1, 'a list of exactly 1 item'),
  parameters: parameters.default(() => parameters.parse({})),
})
export type ImageInput = z.output<typeof schema>

/** What A and A2 have in common: all that their rules look at. */
export interface AnyImageInput {
  readonly model: string
  readonly input: ImageInput['input']
  readonly parameters: z.output<typeof sharedParameters>
}
