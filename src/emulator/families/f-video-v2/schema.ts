import { z } from 'zod'
import type { DecisionContext } from '../../core/contract.js'
import type { Pixels } from '../../core/media/input.js'
import {
  adaptiveRatio,
  callbackUrl,
  contentItemWithRole,
  framesAndReferences,
  framesAndReferencesFields,
  type ItemWithRole,
  MAX_SEED,
  type Ratio,
  ratioOrAdaptive,
  ratios,
  readContent,
  referenceSeconds,
  type VideoContent,
  wholeNumber,
  withPortrait,
} from '../shared/schema.js'

export const models = ['gamma-H3', 'gamma-H3-Max'] as const
type Model = (typeof models)[number]

export const resolutions = ['480P', '768P', '2K'] as const
type Resolution = (typeof resolutions)[number]

const MIN_SECONDS = 4
export const MAX_SECONDS = 15

interface ModelFeatures {
  /** Whether reference images, videos and audios are taken. */
  readonly takesReferences: boolean
  readonly resolutions: readonly Resolution[]
  readonly minSeconds: number
}

/** Differences between the two models (§F model differences). */
export const modelFeatures: Readonly<Record<Model, ModelFeatures>> = {
  'gamma-H3': { takesReferences: true, resolutions: ['768P', '2K'], minSeconds: MIN_SECONDS },
  'gamma-H3-Max': { takesReferences: false, resolutions: ['480P', '768P'], minSeconds: 5 },
}

// A rule enforces the shorter range of gamma-H3-Max; this error names both ranges, so that one correction is enough.
const durationWords = `an integer from ${MIN_SECONDS} to ${MAX_SECONDS}, for gamma-H3-Max from ${modelFeatures['gamma-H3-Max'].minSeconds}`

// The same of resolutions: those of one model are refused with the other.
const resolutionWords = `${modelFeatures['gamma-H3'].resolutions.join(' or ')}, for gamma-H3-Max ${modelFeatures['gamma-H3-Max'].resolutions.join(' or ')}`

/** A create request (§F, gap F7, F11). */
export const schema = z.object({
  model: z.enum(models),
  // May be empty here, since the rule on texts says better what is missing.
  content: z.array(contentItemWithRole),
  resolution: z.enum(resolutions, { error: resolutionWords }).default('768P'),
  /** Seconds. Default: 5, or refused by a rule where the setting strict is on. */
  duration: wholeNumber(MIN_SECONDS, MAX_SECONDS, durationWords).optional(),
  ratio: z.enum(ratioOrAdaptive).default('adaptive'),
  callback_url: callbackUrl,
})
export type VideoBody = z.output<typeof schema>
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

/** Width and height by resolution and ratio (gap F15). */
// biome-ignore format: one row a line
export const pixels: Readonly<Record<Resolution, Readonly<Record<Ratio, Pixels>>>> = {
  '480P': withPortrait({ '16:9': [854, 480], '4:3': [640, 480], '1:1': [480, 480], '21:9': [1120, 480] }),
  '768P': withPortrait({ '16:9': [1344, 768], '4:3': [1024, 768], '1:1': [768, 768], '21:9': [1792, 768] }),
  '2K': withPortrait({ '16:9': [2560, 1440], '4:3': [2048, 1536], '1:1': [2048, 2048], '21:9': [2560, 1080] }),
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
  /** Drawn: requests of this interface carry none, and it is not shown to clients. */
  seed: z.number(),
  /** Seconds of reference video in whole ones, to the nearest: they are metered (gap F6). */
  inputSeconds: z.number(),
  /** Frames and reference images, which are metered too. */
  imageCount: z.int(),
  ...framesAndReferencesFields,
})

/** Resolved parameters of a video. */
export type VideoParams = Readonly<z.output<typeof paramsSchema>>

/** Params of a request: ratio, length and seed resolved. */
export const paramsOf = (input: VideoInput, context: DecisionContext): VideoParams => {
  const { mediaRefs: media } = input
  return {
    model: input.model,
    prompt: input.prompt.text,
    resolution: input.resolution,
    ratio: input.ratio === 'adaptive' ? adaptiveRatio(media, context) : input.ratio,
    duration: secondsOf(input),
    seed: context.random.integer('seed', 0, MAX_SEED),
    inputSeconds: Math.round(referenceSeconds(media, context)),
    imageCount: media.filter(({ wants }) => wants === 'image').length,
    ...framesAndReferences(media, context),
  }
}
