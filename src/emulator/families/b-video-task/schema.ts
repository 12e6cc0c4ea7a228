import { z } from 'zod'
import type { DecisionContext } from '../../core/contract.js'
import type { Pixels } from '../../core/media/input.js'
import {
  adaptiveRatio,
  callbackUrl,
  contentItem,
  framesAndReferences,
  framesAndReferencesFields,
  type Ratio,
  ratioOrAdaptive,
  ratios,
  readContent,
  referenceSeconds,
  secondsOrAuto,
  type VideoContent,
  wholeNumber,
  withPortrait,
} from '../shared/schema.js'

/** Models of B and C (§B request). */
export const models = ['videoa-2-0-260128', 'videoa-2-0-fast-260128'] as const

export const resolutions = ['480p', '720p', '1080p'] as const
type Resolution = (typeof resolutions)[number]

const durationWords = 'an integer from 4 to 15, or -1'

/** 4 to 15 seconds, or -1 for the service to choose (§B duration, gap B2). */
const duration = z
  .int({ error: durationWords })
  .refine((seconds) => seconds === -1 || (seconds >= 4 && seconds <= 15), { error: durationWords })
  .meta(secondsOrAuto(4, 15))

/** A create request of B (§B, gap B2). */
export const schema = z.object({
  model: z.enum(models),
  content: z.array(contentItem).min(1),
  ratio: z.enum(ratioOrAdaptive).default('adaptive'),
  duration: duration.default(5),
  resolution: z.enum(resolutions).default('720p'),
  seed: wholeNumber(-1, 4_294_967_295).default(-1),
  generate_audio: z.boolean().default(true),
  watermark: z.boolean().default(false),
  camera_fixed: z.boolean().default(false),
  draft: z.boolean().default(false),
  return_last_frame: z.boolean().default(false),
  service_tier: z.enum(['default', 'flex']).default('default'),
  execution_expires_after: wholeNumber(3_600, 259_200).default(172_800),
  priority: wholeNumber(0, 9).default(0),
  safety_identifier: z.string().max(64).optional(),
  callback_url: callbackUrl,
})
export type TaskBody = z.output<typeof schema>
export type TaskInput = TaskBody & VideoContent

/** A request: its body, and what is read out of `content`. */
export const readRequest = (body: TaskBody): TaskInput => Object.assign(readContent(body.content), body)

/** Width and height by resolution and ratio (gap B13). */
// biome-ignore format: one row a line
export const pixels: Readonly<Record<Resolution, Readonly<Record<Ratio, Pixels>>>> = {
  '480p': withPortrait({ '16:9': [864, 496], '4:3': [752, 560], '1:1': [640, 640], '21:9': [992, 432] }),
  '720p': withPortrait({ '16:9': [1280, 720], '4:3': [1112, 834], '1:1': [960, 960], '21:9': [1470, 630] }),
  '1080p': withPortrait({ '16:9': [1920, 1080], '4:3': [1664, 1248], '1:1': [1440, 1440], '21:9': [2206, 946] }),
}

export const FRAMES_PER_SECOND = 24

/** Schema of stored parameters. */
export const paramsSchema = z.object({
  model: z.enum(models),
  prompt: z.string(),
  resolution: z.enum(resolutions),
  /** The actual one, never `adaptive`. */
  ratio: z.enum(ratios),
  /** Seconds. */
  duration: z.number(),
  seed: z.number(),
  generateAudio: z.boolean(),
  watermark: z.boolean(),
  returnLastFrame: z.boolean(),
  /** Seconds of reference video, which are metered too. */
  inputSeconds: z.number(),
  serviceTier: z.enum(['default', 'flex']),
  /** Seconds after creation at which the task expires. */
  expiresAfter: z.number(),
  draft: z.boolean(),
  priority: z.number(),
  safetyIdentifier: z.string().optional(),
  ...framesAndReferencesFields,
})

/** Resolved parameters of a video. B and C store the same. */
export type VideoParams = Readonly<z.output<typeof paramsSchema>>

const MAX_RANDOM_SEED = 99_999
const RANDOM_LENGTHS = { min: 4, count: 12 }

/** The seed used: the one asked for, or one drawn (gap B15). */
const seedUsed = (seed: number, context: DecisionContext): number =>
  seed === -1 ? context.random.integer('seed', 0, MAX_RANDOM_SEED) : seed

/** The length: as asked for, or for -1 chosen by the seed (gap B12). */
const lengthUsed = (duration: number, seed: number): number =>
  duration === -1 ? RANDOM_LENGTHS.min + (seed % RANDOM_LENGTHS.count) : duration

/** What B and C say under different names. */
type OwnFields = Pick<TaskInput, 'resolution' | 'ratio' | 'duration' | 'prompt' | 'mediaRefs'>

/** Params of a request of B or C. `queueing` is what C cannot say. */
export const videoParamsOf = (
  input: Pick<
    TaskInput,
    'model' | 'seed' | 'generate_audio' | 'watermark' | 'return_last_frame' | 'safety_identifier'
  >,
  { prompt, mediaRefs: media, resolution, ratio, duration }: OwnFields,
  queueing: Pick<TaskInput, 'service_tier' | 'execution_expires_after' | 'draft' | 'priority'>,
  context: DecisionContext,
): VideoParams => {
  const seed = seedUsed(input.seed, context)
  return {
    model: input.model,
    prompt: prompt.text,
    resolution,
    ratio: ratio === 'adaptive' ? adaptiveRatio(media, context) : ratio,
    inputSeconds: referenceSeconds(media, context),
    ...framesAndReferences(media, context),
    duration: lengthUsed(duration, seed),
    seed,
    generateAudio: input.generate_audio,
    watermark: input.watermark,
    returnLastFrame: input.return_last_frame,
    serviceTier: queueing.service_tier,
    expiresAfter: queueing.execution_expires_after,
    draft: queueing.draft,
    priority: queueing.priority,
    ...(input.safety_identifier === undefined ? {} : { safetyIdentifier: input.safety_identifier }),
  }
}

/** Params of a request: ratio, seconds and seed resolved (gaps B11, B12, B15). */
export const paramsOf = (input: TaskInput, context: DecisionContext): VideoParams =>
  videoParamsOf(input, input, input, context)
