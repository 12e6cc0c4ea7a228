import { z } from 'zod'
import type { DecisionContext } from '../../core/contract.js'
import { MAX_AREA, MAX_RATIO, type Pixels, parseSize } from '../../core/media/image-size.js'
import type { PictureSpec } from '../../core/media/spec.js'
import type { TaskTimeline } from '../../core/model/task.js'
import { instantTimeline } from '../../core/task/timeline.js'
import { inputOf, mediaInputSchema } from '../shared/media.js'
import type { ImageError } from './errors.js'
import { type AnyImageInput, imagesOf, promptOf } from './schema.js'

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

const MAX_SEED = 2_147_483_647

export const paramsOf = (input: AnyImageInput, world: DecisionContext): ImageParams => {
  const { n, seed, watermark } = input.parameters
  return {
    model: input.model,
    prompt: promptOf(input).text,
    ...pixelsOf(input, world),
    n,
    seed: seed ?? world.random.integer('seed', 0, MAX_SEED),
    watermark,
    inputs: imagesOf(input).map((mention, index) => inputOf(mention, `image ${index + 1}`, world)),
  }
}

/** Nothing clients see: the image operation answers with results, not with a task. */
export const newId = (world: DecisionContext): string => `img-${world.random.hex('id', 16)}`

/** Over when it begins: the operation is synchronous (§Task states). */
export const timelineOf = (order: ImageParams, world: DecisionContext): TaskTimeline<ImageError> =>
  instantTimeline(
    world.now,
    Array.from({ length: order.n }, (_, index) => pictureOf(order, index, world.requestId)),
  )

const pictureOf = (order: ImageParams, index: number, requestId: string): PictureSpec => ({
  kind: 'picture',
  width: order.width,
  height: order.height,
  // The images of one request differ from each other, as they do on the service.
  seed: (order.seed + index) % (MAX_SEED + 1),
  card: {
    prompt: order.prompt,
    model: order.model,
    size: `${order.width}*${order.height}`,
    seed: order.seed,
    id: requestId,
    ...(order.n === 1 ? {} : { index: `${index + 1}/${order.n}` }),
  },
  hasWatermark: order.watermark,
  inputs: order.inputs,
})

/** The pixels of the result: what was asked for, or what the model picks (gap A3). */
const pixelsOf = (input: AnyImageInput, world: DecisionContext): Pixels => {
  const { size } = input.parameters
  if (size !== undefined) return parseSize(size) as Pixels
  return imagesOf(input).length > 0 ? likeLastImage(input, world) : likePrompt(promptOf(input).text, world)
}

// Words in Latin letters are matched whole; Chinese has no spaces to tell a word by.
const spokenSizes: readonly (readonly [RegExp, Pixels])[] = [
  [/\bwide(screen)?\b|宽屏/i, { width: 2688, height: 1536 }],
  [/\btall\b|竖长/i, { width: 1536, height: 2688 }],
  [/\blandscape\b|横版|横幅/i, { width: 2368, height: 1728 }],
  [/\bportrait\b|竖版|竖幅/i, { width: 1728, height: 2368 }],
]

const likePrompt = (prompt: string, { settings }: DecisionContext): Pixels =>
  (settings.defaultImageSize === undefined ? undefined : parseSize(settings.defaultImageSize)) ??
  spokenSizes.find(([words]) => words.test(prompt))?.[1] ?? { width: 2048, height: 2048 }

const STEP = 16

const likeLastImage = (input: AnyImageInput, world: DecisionContext): Pixels => {
  const found = world.resolvedMedia(imagesOf(input).at(-1)?.url ?? '')
  if (found?.state !== 'read' || found.facts.kind !== 'image') return { width: 2048, height: 2048 }
  const ratio = Math.min(MAX_RATIO, Math.max(1 / MAX_RATIO, found.facts.width / found.facts.height))
  const width = downToStep(Math.sqrt(MAX_AREA * ratio))
  const height = downToStep(Math.sqrt(MAX_AREA / ratio))
  // Stepping down can push a picture of 8:1 past the ratio that a size may have.
  return { width: Math.min(width, MAX_RATIO * height), height: Math.min(height, MAX_RATIO * width) }
}

// Down rather than to the nearest, so that the area never passes the limit.
const downToStep = (pixels: number): number => Math.floor(pixels / STEP) * STEP
