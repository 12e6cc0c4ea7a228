import { z } from 'zod'
import type { DecisionContext } from '../../core/contract.js'
import type { MediaRef } from '../../core/media/input.js'
import { states } from '../../core/model/task.js'
import type { VideoModels } from '../shared/models.js'
import {
  inputOf,
  MAX_SEED,
  mediaInputSchema,
  modelNamed,
  secondsField,
  type TextField,
  within,
} from '../shared/schema.js'
import type { ReferenceFacts } from './facts.js'

/** The statuses of E (§Task states, gap E8). */
export const statuses = states.filter((state) => state !== 'expired')

const address = z.string().min(1)

const subject = z.object({
  type: z.literal('character'),
  // A string counts as a list with that one entry (gap E1).
  image: z.union([address, z.array(address).min(1)], { error: 'an array of 1 or more image URLs' }),
})

/** The model of E, with what is read off its facts. */
export type Models = VideoModels<keyof ReferenceFacts['models'] & string, '720P' | '1080P'>

/** A create request of E (§E, gap E1 to E5). */
export const schemaOf = (models: Models, bounds: ReferenceFacts['bounds']) =>
  z.object({
    model: modelNamed(models.ids),
    subject_reference: z.array(subject).min(1),
    // Known here only so that a rule can refuse them (gap E3).
    image: z.unknown().optional(),
    images: z.unknown().optional(),
    // Rules refuse what is empty or longer: they say by how much.
    prompt: z.string().meta({ minLength: 1, maxLength: bounds['prompt-length'].characters }).optional(),
    seconds: secondsField(...models.seconds).prefault('5'),
    size: z.enum(models.sizes).default('1080P'),
    prompt_extend: z.boolean().default(false),
    watermark: z.boolean().default(false),
    seed: within(bounds['schema.seed']).optional(),
  })
export type ReferenceBody = z.output<ReturnType<typeof schemaOf>>

interface SubjectImage extends MediaRef {
  /** Place of the subject in the body, from 1. */
  readonly subject: number
}

export interface ReferenceInput extends ReferenceBody {
  /** The prompt, where there is one (gap E2). */
  readonly texts: readonly TextField[]
  /** The subjects' images in the order of the body. */
  readonly mediaRefs: readonly SubjectImage[]
}

/** A request: its body, with its prompt and its images by their places. */
export const readRequest = (body: ReferenceBody): ReferenceInput => ({
  texts: body.prompt === undefined ? [] : [{ field: 'prompt', text: body.prompt }],
  mediaRefs: subjectImages(body),
  ...body,
})

const subjectImages = ({ subject_reference }: ReferenceBody): SubjectImage[] =>
  subject_reference.flatMap(({ image }, index) =>
    (typeof image === 'string' ? [image] : image).map((url, place) => ({
      field: `subject_reference[${index}].image${typeof image === 'string' ? '' : `[${place}]`}`,
      url,
      wants: 'image' as const,
      subject: index + 1,
    })),
  )

/** Schema of stored parameters. */
export const paramsSchemaOf = (models: Models) =>
  z.object({
    model: z.string(),
    /** Empty where none was sent. */
    prompt: z.string(),
    size: z.enum(models.sizes),
    seconds: z.number(),
    seed: z.number(),
    watermark: z.boolean(),
    /** The subjects' images, as they appear in the video. */
    subjects: z.array(mediaInputSchema).readonly(),
  })

/** Resolved parameters of a reference video. */
export type ReferenceParams = Readonly<z.output<ReturnType<typeof paramsSchemaOf>>>

/** Params of a request: the seed resolved. */
export const paramsOf = (input: ReferenceInput, context: DecisionContext): ReferenceParams => ({
  model: input.model,
  prompt: input.prompt ?? '',
  size: input.size,
  seconds: input.seconds,
  seed: input.seed ?? context.random.integer('seed', 0, MAX_SEED),
  watermark: input.watermark,
  subjects: input.mediaRefs.map((image) => inputOf(image, `character ${image.subject}`, context)),
})
