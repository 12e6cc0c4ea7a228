import { z } from 'zod'
import type { MediaRef } from '../../core/media/mention.js'
import { secondsField } from '../c-video/seconds.js'
import { wholeNumber } from '../shared/whole-number.js'

const address = z.string().min(1)

const subject = z.object({
  type: z.literal('character'),
  // One string is read as an array of one (gap E1).
  image: z.union([address, z.array(address).min(1)], { error: 'an array of 1 or more image URLs' }),
})

export const sizes = ['720P', '1080P'] as const
export type Size = (typeof sizes)[number]

/** A create request of E (§E, gap E1 to E5). */
export const schema = z.object({
  model: z.literal('beta2.7-r2v'),
  subject_reference: z.array(subject).min(1),
  // Known here only so that a rule can refuse them (gap E3).
  image: z.unknown().optional(),
  images: z.unknown().optional(),
  prompt: z.string().optional(),
  seconds: secondsField(
    (seconds) => seconds >= 2 && seconds <= 15,
    '"2" to "15", as a string or an integer',
  ).prefault('5'),
  size: z.enum(sizes).default('1080P'),
  prompt_extend: z.boolean().default(false),
  watermark: z.boolean().default(false),
  seed: wholeNumber(0, 2_147_483_647).optional(),
})
export type ReferenceInput = z.output<typeof schema>

export const promptOf = ({ prompt }: ReferenceInput) => ({ field: 'prompt', text: prompt ?? '' })

/** The subjects' images in the order of the body, each with its subject's place, from 1. */
export const subjectImages = (input: ReferenceInput): (MediaRef & { readonly subject: number })[] =>
  input.subject_reference.flatMap(({ image }, index) =>
    (typeof image === 'string' ? [image] : image).map((url, place) => ({
      field: `subject_reference[${index}].image${typeof image === 'string' ? '' : `[${place}]`}`,
      url,
      wants: 'image' as const,
      subject: index + 1,
    })),
  )
