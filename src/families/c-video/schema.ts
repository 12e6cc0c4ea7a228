import { z } from 'zod'
import { models, resolutions } from '../b-video-task/schema.js'
import { ratioOrAdaptive } from '../shared/ratios.js'
import { kindOfRole, type RequestMedium, roles } from '../shared/roles.js'
import { wholeNumber } from '../shared/whole-number.js'
import { secondsField } from './seconds.js'

const text = z.object({ type: z.literal('text'), text: z.string() })

const medium = z
  .object({
    type: z.enum(roles),
    url: z.string().min(1).optional(),
    asset_id: z.string().min(1).optional(),
  })
  .refine(({ url, asset_id }) => url !== undefined || asset_id !== undefined, {
    path: ['url'],
    error: 'an address such as asset://<asset_id>, or asset_id in its place',
  })
type Medium = z.output<typeof medium>

const mediaItem = z.discriminatedUnion('type', [text, medium], { error: `one of text, ${roles.join(', ')}` })

/** A create request of C (§C). `ratio` has no default here: it depends on the media. */
export const schema = z.object({
  model: z.enum(models),
  media: z.array(mediaItem).min(1),
  seconds: secondsField(
    (seconds) => seconds === -1 || (seconds >= 4 && seconds <= 15),
    '"4" to "15", or "-1", as a string or an integer',
  ).prefault('5'),
  size: z.enum(resolutions).default('720p'),
  ratio: z.enum(ratioOrAdaptive).optional(),
  seed: wholeNumber(-1, 4_294_967_295).default(-1),
  watermark: z.boolean().default(false),
  generate_audio: z.boolean().default(true),
  return_last_frame: z.boolean().default(false),
  safety_identifier: z.string().max(64).optional(),
})
export type VideoInput = z.output<typeof schema>

/** Texts in the order of the body, each with its place. */
export const textsOf = ({ media }: VideoInput): { field: string; text: string }[] =>
  media.flatMap((item, index) =>
    item.type === 'text' ? [{ field: `media[${index}].text`, text: item.text }] : [],
  )

/** The prompt: texts in order, joined by line breaks, under the place of the first (gap Z5). */
export const promptOf = (input: VideoInput): { field: string; text: string } => {
  const texts = textsOf(input)
  return { field: texts[0]?.field ?? 'media', text: texts.map(({ text }) => text).join('\n') }
}

/** Media in the order of the body; the type of an item is the role of its medium (§C media item). */
export const mediaOf = ({ media }: VideoInput): RequestMedium[] =>
  media.flatMap((item, index) => (item.type === 'text' ? [] : [given(item, `media[${index}]`)]))

const given = (item: Medium, at: string): RequestMedium => ({
  kind: kindOfRole[item.type],
  role: item.type,
  item: at,
  roleField: `${at}.type`,
  ...addressOf(item, at),
})

// The specification names both `url` and `asset_id`; `url` wins (gap C7).
const addressOf = ({ url, asset_id = '' }: Medium, at: string): { url: string; field: string } => {
  if (url !== undefined) return { url, field: `${at}.url` }
  const isBare = !asset_id.startsWith('asset://')
  return { url: isBare ? `asset://${asset_id}` : asset_id, field: `${at}.asset_id` }
}
