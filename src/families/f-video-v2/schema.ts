import { z } from 'zod'
import type { MediaRef } from '../../core/media/media.js'
import { callbackUrl, wholeNumber } from '../shared/fields.js'
import {
  contentItemWithRole,
  mediaIn,
  mediaRefOf,
  type NamedRole,
  promptIn,
  type RequestMedium,
  ratioOrAdaptive,
  textsIn,
} from '../shared/media.js'

export const models = ['gamma-H3', 'gamma-H3-Max'] as const
export type Model = (typeof models)[number]

export const resolutions = ['480P', '768P', '2K'] as const
export type Resolution = (typeof resolutions)[number]

const MIN_SECONDS = 4
export const MAX_SECONDS = 15

interface Difference {
  /** Whether reference images, videos and audios are taken. */
  readonly takesReferences: boolean
  readonly resolutions: readonly Resolution[]
  readonly minSeconds: number
}

/** What one model does and the other does not (§F model differences). */
export const differences: Readonly<Record<Model, Difference>> = {
  'gamma-H3': { takesReferences: true, resolutions: ['768P', '2K'], minSeconds: MIN_SECONDS },
  'gamma-H3-Max': { takesReferences: false, resolutions: ['480P', '768P'], minSeconds: 5 },
}

// A rule enforces the shorter range of gamma-H3-Max; this error names both ranges, so that one correction is enough.
const durationWords = `an integer from ${MIN_SECONDS} to ${MAX_SECONDS}, for gamma-H3-Max from ${differences['gamma-H3-Max'].minSeconds}`

// The same of resolutions: those of one model are refused with the other.
const resolutionWords = `${differences['gamma-H3'].resolutions.join(' or ')}, for gamma-H3-Max ${differences['gamma-H3-Max'].resolutions.join(' or ')}`

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
export type VideoInput = z.output<typeof schema>

const USUAL_SECONDS = 5

/** The length asked for, or the default (§F duration, gap F11). */
export const secondsOf = ({ duration }: VideoInput): number => duration ?? USUAL_SECONDS

export const mediaOf = (input: VideoInput): RequestMedium[] => mediaIn(input.content)

export const mediaRefsOf = (input: VideoInput): MediaRef[] => mediaOf(input).map(mediaRefOf)

/** The roles that texts name. They make no medium of a text, but count where roles may not stand together (gap N18). */
export const rolesOfTexts = ({ content }: VideoInput): NamedRole[] =>
  content.flatMap((item, index) =>
    item.type === 'text' && item.role !== undefined
      ? [{ item: `content[${index}]`, roleField: `content[${index}].role`, role: item.role }]
      : [],
  )

export const textsOf = (input: VideoInput) => textsIn(input.content)

/** The texts, joined by line breaks (gap Z5); empty where there is none. */
export const promptOf = (input: VideoInput): { field: string; text: string } => promptIn(input.content)
