import { z } from 'zod'
import type { MediaRef } from '../../core/media/media.js'
import { wholeNumber } from '../shared/fields.js'

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

/** The parameters that A and A2 share (§A request, §A2). */
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

/** The turn that is answered: the last message; in family A there is only one. */
const turnOf = ({ input }: AnyImageInput) => {
  const index = input.messages.length - 1
  return { path: `input.messages[${index}].content`, items: input.messages[index]?.content ?? [] }
}

/** Texts in the order of the content. An item that holds image and text counts as both (gap A10). */
export const textsOf = (input: AnyImageInput): { field: string; text: string }[] => {
  const { path, items } = turnOf(input)
  return items.flatMap(({ text }, index) =>
    text === undefined ? [] : [{ field: `${path}[${index}].text`, text }],
  )
}

/** The prompt; empty where the rule on texts is about to refuse the request. */
export const promptOf = (input: AnyImageInput): { field: string; text: string } =>
  textsOf(input)[0] ?? { field: turnOf(input).path, text: '' }

/** Input images in the order of the content, which is the order in which they are used (§A content). */
export const imagesOf = (input: AnyImageInput): MediaRef[] => {
  const { path, items } = turnOf(input)
  return items.flatMap(({ image }, index) =>
    image === undefined ? [] : [{ field: `${path}[${index}].image`, url: image, wants: 'image' as const }],
  )
}

/** Image-to-image rather than text-to-image. */
export const isEditing = (input: AnyImageInput): boolean => imagesOf(input).length > 0

export const contentPathOf = (input: AnyImageInput): string => turnOf(input).path
