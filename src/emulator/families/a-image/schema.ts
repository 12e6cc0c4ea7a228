import { z } from 'zod'
import type { DecisionContext } from '../../core/contract.js'
import type { MediaRef, Pixels } from '../../core/media/input.js'
import { inputOf, MAX_SEED, mediaInputSchema, modelNamed, type TextField, within } from '../shared/schema.js'
import type { ImageBounds, ImageFamilyFacts } from './facts.js'
import { parseSize, type SizeBounds } from './image-size.js'

const contentItem = z
  .object({
    image: z.string().min(1).optional(),
    text: z.string().regex(/\S/, { error: 'a text that is not empty' }).optional(),
  })
  .refine((item) => item.image !== undefined || item.text !== undefined, {
    error: 'an item with image or text',
  })

const message = z.object({ role: z.literal('user'), content: z.array(contentItem).min(1) })

/** The parameters that A and A2 share (§A request, §A2). */
export const sharedParametersOf = (bounds: ImageBounds) =>
  z.object({
    n: within(bounds['schema.parameters.n']).default(1),
    size: z.string().optional(),
    negative_prompt: z.string().optional(),
    prompt_extend: z.boolean().default(true),
    seed: within(bounds['schema.parameters.seed']).optional(),
    watermark: z.boolean().default(false),
  })

const parametersOf = (bounds: ImageBounds) =>
  sharedParametersOf(bounds).extend({
    prompt_extend_mode: z.enum(['direct', 'agent']).default('direct'),
  })

/** 1 to `max` messages; `error` says how many there may be. */
export const inputSchema = (max: number, error: string) =>
  z.object({ messages: z.array(message).min(1, { error }).max(max, { error }) })

/** A request of family A (§A). */
export const schemaOf = ({ models, bounds }: ImageFamilyFacts) => {
  const parameters = parametersOf(bounds)
  return z.object({
    model: modelNamed(idsOf(models)),
    // A single turn.
    input: inputSchema(1, 'a list of exactly 1 item'),
    parameters: parameters.default(() => parameters.parse({})),
  })
}
export type ImageBody = z.output<ReturnType<typeof schemaOf>>

/** Ids of models, in their order. */
export const idsOf = <Model extends string>(models: Readonly<Record<Model, unknown>>) =>
  Object.keys(models) as [Model, ...Model[]]

interface AnyImageBody {
  readonly model: string
  readonly input: ImageBody['input']
  readonly parameters: z.output<ReturnType<typeof sharedParametersOf>>
}

/** Content of the turn that is answered: the last message; in family A there is only one. */
export interface ImageContent {
  /** Path of its items in the body. */
  readonly contentPath: string
  /** In the order of the items. One that holds image and text counts as both (gap A10). */
  readonly texts: readonly TextField[]
  /** Input images in the order of the items, which is the order in which they are used (§A content). */
  readonly mediaRefs: readonly MediaRef[]
}

/** Input that A and A2 have in common: what their rules look at. */
export type AnyImageInput = AnyImageBody & ImageContent
export type ImageInput = ImageBody & ImageContent

/** A request: its body, and what is read out of the content of its last message. */
export const readRequest = <Body extends AnyImageBody>(body: Body): Body & ImageContent => {
  const { messages } = body.input
  const contentPath = `input.messages[${messages.length - 1}].content`
  const texts: TextField[] = []
  const mediaRefs: MediaRef[] = []
  for (const [index, { text, image }] of (messages.at(-1)?.content ?? []).entries()) {
    if (text !== undefined) texts.push({ field: `${contentPath}[${index}].text`, text })
    if (image !== undefined)
      mediaRefs.push({ field: `${contentPath}[${index}].image`, url: image, wants: 'image' })
  }
  return Object.assign({ contentPath, texts, mediaRefs }, body)
}

/** The prompt; empty where the rule on texts is about to refuse the request. */
const promptOf = ({ texts }: ImageContent): string => texts[0]?.text ?? ''

/** Image-to-image rather than text-to-image. */
export const isEditing = ({ mediaRefs }: ImageContent): boolean => mediaRefs.length > 0

/** Schema of stored parameters. */
export const paramsSchema = z.object({
  model: z.string(),
  prompt: z.string(),
  width: z.int().min(1),
  height: z.int().min(1),
  /** Number of images. */
  n: z.int().min(1),
  seed: z.number(),
  watermark: z.boolean(),
  inputs: z.array(mediaInputSchema).readonly(),
})

/** Resolved parameters of an image request. */
export type ImageParams = Readonly<z.output<typeof paramsSchema>>

/** Params of a request: size and seed resolved. */
export const paramsOf =
  (bounds: SizeBounds) =>
  (input: AnyImageInput, context: DecisionContext): ImageParams => {
    const { n, seed, watermark } = input.parameters
    return {
      model: input.model,
      prompt: promptOf(input),
      ...pixelsOf(input, bounds, context),
      n,
      seed: seed ?? context.random.integer('seed', 0, MAX_SEED),
      watermark,
      inputs: input.mediaRefs.map((ref, index) => inputOf(ref, `image ${index + 1}`, context)),
    }
  }

/** The pixels of the result: what was asked for, or what the model picks (gap A3). */
const pixelsOf = (input: AnyImageInput, bounds: SizeBounds, context: DecisionContext): Pixels => {
  const { size } = input.parameters
  if (size !== undefined) return parseSize(size) as Pixels
  return isEditing(input)
    ? sizeFromLastImage(input, bounds, context)
    : sizeFromPrompt(promptOf(input), context)
}

// Words in Latin letters are matched whole; Chinese has no spaces to tell a word by.
const sizesByWord: readonly (readonly [RegExp, Pixels])[] = [
  [/\bwide(screen)?\b|宽屏/i, { width: 2688, height: 1536 }],
  [/\btall\b|竖长/i, { width: 1536, height: 2688 }],
  [/\blandscape\b|横版|横幅/i, { width: 2368, height: 1728 }],
  [/\bportrait\b|竖版|竖幅/i, { width: 1728, height: 2368 }],
]

const sizeFromPrompt = (prompt: string, { settings }: DecisionContext): Pixels =>
  (settings.defaultImageSize === undefined ? undefined : parseSize(settings.defaultImageSize)) ??
  sizesByWord.find(([words]) => words.test(prompt))?.[1] ?? { width: 2048, height: 2048 }

const STEP = 16

const sizeFromLastImage = (
  input: AnyImageInput,
  { 'size-area': area, 'size-ratio': { max } }: SizeBounds,
  context: DecisionContext,
): Pixels => {
  const medium = context.resolvedMedia(input.mediaRefs.at(-1)?.url ?? '')
  if (medium?.state !== 'read' || medium.facts.kind !== 'image') return { width: 2048, height: 2048 }
  const ratio = Math.min(max, Math.max(1 / max, medium.facts.width / medium.facts.height))
  const width = floorToStep(Math.sqrt(area.max * ratio))
  const height = floorToStep(Math.sqrt(area.max / ratio))
  // Stepping down can push a picture of 8:1 past the ratio that a size may have.
  return { width: Math.min(width, max * height), height: Math.min(height, max * width) }
}

// Down rather than to the nearest, so that the area never passes the limit.
const floorToStep = (pixels: number): number => Math.floor(pixels / STEP) * STEP
