import { z } from 'zod'
import { callbackUrl, secondsOrAuto, wholeNumber } from '../shared/fields.js'
import { contentItem, ratioOrAdaptive } from '../shared/media.js'

export const models = ['videoa-2-0-260128', 'videoa-2-0-fast-260128'] as const

export const resolutions = ['480p', '720p', '1080p'] as const
export type Resolution = (typeof resolutions)[number]

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
export type TaskInput = z.output<typeof schema>
