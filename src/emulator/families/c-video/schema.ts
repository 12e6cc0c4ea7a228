import { z } from 'zod'
import type { DecisionContext } from '../../core/contract.js'
import { type Models, queueingDefaults, type VideoParams, videoParamsOf } from '../b-video-task/schema.js'
import {
  kindOfRole,
  modeOf,
  type RequestMedium,
  roles,
  secondsField,
  type TextField,
  typeIsOneOf,
  type VideoContent,
  videoContentOf,
  within,
} from '../shared/schema.js'
import type { UnifiedVideoFacts } from './facts.js'

const text = z.object({ type: z.literal('text'), text: z.string() })

const medium = z
  .object({ type: z.enum(roles), url: z.string().optional(), asset_id: z.string().optional() })
  .refine(({ url = '', asset_id = '' }) => url !== '' || asset_id !== '', {
    path: ['url'],
    error: 'an address such as asset://<asset_id>, or asset_id in its place',
  })
type Medium = z.output<typeof medium>

const mediaItem = z.discriminatedUnion('type', [text, medium], typeIsOneOf(['text', ...roles]))

/** A create request of C (§C). `ratio` has no default here: it depends on the media. */
export const schemaOf = (models: Models, bounds: UnifiedVideoFacts['bounds']) =>
  z.object({
    model: z.enum(models.ids),
    media: z.array(mediaItem).min(1),
    seconds: secondsField(...models.seconds, 'auto').prefault('5'),
    size: z.enum(models.sizes).default('720p'),
    ratio: z.enum([...models.ratios, 'adaptive']).optional(),
    seed: within(bounds['schema.seed']).default(-1),
    watermark: z.boolean().default(false),
    generate_audio: z.boolean().default(true),
    return_last_frame: z.boolean().default(false),
    safety_identifier: z.string().max(bounds['schema.safety_identifier'].characters).optional(),
  })
export type VideoBody = z.output<ReturnType<typeof schemaOf>>
export type VideoInput = VideoBody & VideoContent

/** A request: its body, and what is read out of `media`. */
export const readRequest = (body: VideoBody): VideoInput => {
  const texts: TextField[] = []
  const media: Omit<RequestMedium, 'role'>[] = []
  for (const [index, item] of body.media.entries())
    if (item.type === 'text') texts.push({ field: `media[${index}].text`, text: item.text })
    else media.push(mediumOf(item, `media[${index}]`))
  return Object.assign(videoContentOf('media', texts, media), body)
}

// The type of an item is the role of its medium (§C media).
const mediumOf = (item: Medium, at: string): Omit<RequestMedium, 'role'> => ({
  wants: kindOfRole[item.type],
  namedRole: item.type,
  item: at,
  roleField: `${at}.type`,
  ...addressOf(item, at),
})

// The specification names both `url` and `asset_id`; `url` wins (gap C7). Clients that always write both leave one empty.
const addressOf = ({ url = '', asset_id = '' }: Medium, at: string): { url: string; field: string } => {
  if (url !== '') return { url, field: `${at}.url` }
  const isBare = !asset_id.startsWith('asset://')
  return { url: isBare ? `asset://${asset_id}` : asset_id, field: `${at}.asset_id` }
}

const ratioOf = (input: VideoInput) =>
  input.ratio ?? (modeOf(input.mediaRefs) === 'text' ? '16:9' : 'adaptive')

/** The same params as B stores, so that each shows the tasks of the other (§C, gap C2). */
export const paramsOf =
  (models: Models) =>
  (input: VideoInput, context: DecisionContext): VideoParams => {
    const own = {
      prompt: input.prompt,
      mediaRefs: input.mediaRefs,
      resolution: input.size,
      ratio: ratioOf(input),
      duration: input.seconds,
    }
    // What a request of C cannot say is as B has it by default.
    return videoParamsOf(models, input, own, queueingDefaults, context)
  }
