import { z } from 'zod'
import type { DecisionContext } from '../../core/contract.js'
import { either, secondsWords } from '../shared/model-rules.js'
import type { VideoModels } from '../shared/models.js'
import {
  adaptiveRatio,
  callbackUrl,
  contentItemWithRole,
  framesAndReferences,
  framesAndReferencesFields,
  type ItemWithRole,
  MAX_SEED,
  readContent,
  referenceSeconds,
  type VideoContent,
  wholeNumber,
} from '../shared/schema.js'
import type { VideoV2Facts } from './facts.js'

/** Models of F, with what is read off their facts. */
export type Models = VideoModels<keyof VideoV2Facts['models'] & string, '480P' | '768P' | '2K'>

// Sizes of one model are refused with another; this error names those of all, so that one correction is enough.
const resolutionWords = (models: Models): string => {
  const [first, ...others] = models.ids
  const usual = either(models.sizesOf(first))
  const exceptions = others.flatMap((id) => {
    const own = either(models.sizesOf(id))
    return own === usual ? [] : [`, for ${id} ${own}`]
  })
  return usual + exceptions.join('')
}

/** A create request (§F, gap F7, F11). */
export const schemaOf = (models: Models) =>
  z.object({
    model: z.enum(models.ids),
    // May be empty here, since the rule on texts says better what is missing.
    content: z.array(contentItemWithRole),
    resolution: z.enum(models.sizes, { error: resolutionWords(models) }).default('768P'),
    /** Seconds; a rule holds each model to its own. Default: 5, or refused by a rule where the setting strict is on. */
    duration: wholeNumber(...models.seconds, secondsWords(models)).optional(),
    ratio: z.enum([...models.ratios, 'adaptive']).default('adaptive'),
    callback_url: callbackUrl,
    // Two names of one thing (gap N25).
    watermark: z.boolean().default(false),
    aigc_watermark: z.boolean().default(false),
  })
export type VideoBody = z.output<ReturnType<typeof schemaOf>>
export interface VideoInput extends VideoBody, VideoContent {
  /** Roles that texts name. They make no medium of a text, but count where roles may not stand together (gap N18). */
  readonly textRoles: readonly ItemWithRole[]
}

/** A request: its body, and what is read out of `content`. */
export const readRequest = (body: VideoBody): VideoInput =>
  Object.assign({ textRoles: textRolesOf(body) }, readContent(body.content), body)

const textRolesOf = ({ content }: VideoBody): ItemWithRole[] =>
  content.flatMap((item, index) =>
    item.type === 'text' && item.role !== undefined
      ? [{ item: `content[${index}]`, roleField: `content[${index}].role`, role: item.role }]
      : [],
  )

const DEFAULT_SECONDS = 5

/** The length asked for, or the default (§F duration, gap F11). */
export const secondsOf = ({ duration }: VideoBody): number => duration ?? DEFAULT_SECONDS

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
    /** Drawn: requests of this interface carry none, and it is not shown to clients. */
    seed: z.number(),
    /** Seconds of reference video in whole ones, to the nearest: they are metered (gap F6). */
    inputSeconds: z.number(),
    /** Frames and reference images, which are metered too. */
    imageCount: z.int(),
    /** Undefined in records of earlier versions: none. */
    watermark: z.boolean().optional(),
    ...framesAndReferencesFields,
  })

/** Resolved parameters of a video. */
export type VideoParams = Readonly<z.output<ReturnType<typeof paramsSchemaOf>>>

/** Params of a request: ratio, length and seed resolved. */
export const paramsOf =
  (models: Models) =>
  (input: VideoInput, context: DecisionContext): VideoParams => {
    const { mediaRefs: media } = input
    return {
      model: input.model,
      prompt: input.prompt.text,
      resolution: input.resolution,
      ratio:
        input.ratio === 'adaptive'
          ? adaptiveRatio(media, models.of(input.model).ratios, context)
          : input.ratio,
      duration: secondsOf(input),
      seed: context.random.integer('seed', 0, MAX_SEED),
      inputSeconds: Math.round(referenceSeconds(media, context)),
      imageCount: media.filter(({ wants }) => wants === 'image').length,
      watermark: input.watermark || input.aigc_watermark,
      ...framesAndReferences(media, context),
    }
  }
