import { z } from 'zod'
import type { DecisionContext } from '../../core/contract.js'
import { secondsWords } from '../shared/model-rules.js'
import type { VideoModel, VideoModels } from '../shared/models.js'
import {
  adaptiveRatio,
  callbackUrl,
  contentItem,
  framesAndReferences,
  framesAndReferencesFields,
  readContent,
  referenceSeconds,
  secondsOrAuto,
  type VideoContent,
  within,
} from '../shared/schema.js'
import type { VideoTaskFacts } from './facts.js'

/** Models of B and C, with what is read off their facts. */
export type Models = VideoModels<keyof VideoTaskFacts['models'] & string, Resolution>
type Resolution = '480p' | '720p' | '1080p'

/** Seconds of a video, or -1 for the service to choose (§B duration, gap B2). */
const durationOf = (models: Models) => {
  const [min, max] = models.seconds
  const error = `${secondsWords(models)}, or -1`
  return z
    .int({ error })
    .refine((seconds) => seconds === -1 || (seconds >= min && seconds <= max), { error })
    .meta(secondsOrAuto(min, max))
}

/** What a request says of its place in the queue where it does not say it. */
export const queueingDefaults = {
  service_tier: 'default',
  execution_expires_after: 172_800,
  draft: false,
  priority: 0,
} as const

/** A create request of B (§B, gap B2). */
export const schemaOf = (models: Models, bounds: VideoTaskFacts['bounds']) =>
  z.object({
    model: z.enum(models.ids),
    content: z.array(contentItem).min(1),
    ratio: z.enum([...models.ratios, 'adaptive']).default('adaptive'),
    duration: durationOf(models).default(5),
    resolution: z.enum(models.sizes).default('720p'),
    seed: within(bounds['schema.seed']).default(-1),
    generate_audio: z.boolean().default(true),
    watermark: z.boolean().default(false),
    camera_fixed: z.boolean().default(false),
    draft: z.boolean().default(queueingDefaults.draft),
    return_last_frame: z.boolean().default(false),
    service_tier: z.enum(['default', 'flex']).default(queueingDefaults.service_tier),
    execution_expires_after: within(bounds['schema.execution_expires_after']).default(
      queueingDefaults.execution_expires_after,
    ),
    priority: within(bounds['schema.priority']).default(queueingDefaults.priority),
    safety_identifier: z.string().max(bounds['schema.safety_identifier'].characters).optional(),
    callback_url: callbackUrl,
  })
export type TaskBody = z.output<ReturnType<typeof schemaOf>>
export type TaskInput = TaskBody & VideoContent

/** A request: its body, and what is read out of `content`. */
export const readRequest = (body: TaskBody): TaskInput => Object.assign(readContent(body.content), body)

/** Schema of stored parameters. */
export const paramsSchemaOf = (models: Models) =>
  z.object({
    model: z.enum(models.ids),
    prompt: z.string(),
    resolution: z.enum(models.sizes),
    /** The actual one, never `adaptive`. */
    ratio: z.enum(models.ratios),
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
export type VideoParams = Readonly<z.output<ReturnType<typeof paramsSchemaOf>>>

const MAX_RANDOM_SEED = 99_999

/** The seed used: the one asked for, or one drawn (gap B15). */
const seedUsed = (seed: number, context: DecisionContext): number =>
  seed === -1 ? context.random.integer('seed', 0, MAX_RANDOM_SEED) : seed

/** The length: as asked for, or for -1 chosen by the seed among those of the model (gap B12). */
const lengthUsed = (duration: number, seed: number, [min, max]: VideoModel['seconds']): number =>
  duration === -1 ? min + (seed % (max - min + 1)) : duration

/** What B and C say under different names. */
type OwnFields = Pick<TaskInput, 'resolution' | 'ratio' | 'duration' | 'prompt' | 'mediaRefs'>

/** Params of a request of B or C. `queueing` is what C cannot say. */
export const videoParamsOf = (
  models: Models,
  input: Pick<
    TaskInput,
    'model' | 'seed' | 'generate_audio' | 'watermark' | 'return_last_frame' | 'safety_identifier'
  >,
  { prompt, mediaRefs: media, resolution, ratio, duration }: OwnFields,
  queueing: Pick<TaskInput, 'service_tier' | 'execution_expires_after' | 'draft' | 'priority'>,
  context: DecisionContext,
): VideoParams => {
  const seed = seedUsed(input.seed, context)
  const model = models.of(input.model)
  return {
    model: input.model,
    prompt: prompt.text,
    resolution,
    ratio: ratio === 'adaptive' ? adaptiveRatio(media, model.ratios, context) : ratio,
    inputSeconds: referenceSeconds(media, context),
    ...framesAndReferences(media, context),
    duration: lengthUsed(duration, seed, model.seconds),
    seed,
    generateAudio: input.generate_audio && model.sound,
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
export const paramsOf =
  (models: Models) =>
  (input: TaskInput, context: DecisionContext): VideoParams =>
    videoParamsOf(models, input, input, input, context)
