import { URL } from 'node:url'
import { z } from 'zod'
import type { DecisionContext } from '../../core/contract.js'
import type { Mode } from '../../core/family-facts.js'
import type { MediaKind, MediaRef, Pixels } from '../../core/media/input.js'
import type { MediaInput, VideoSpec } from '../../core/media/spec.js'
import { nearestRatio, type Ratio } from './ratios.js'

/**
 * Whether a text is an HTTP or HTTPS URL as it stands: readers of URLs drop blanks around it, drop tabs and line breaks in it,
 * and add a host that is not there.
 */
export const isHttpUrl = (text: string): boolean =>
  /^https?:\/\/[^\s/\\]([^\t\n\r]*\S)?$/i.test(text) && URL.canParse(text)

/**
 * An integer within bounds. A refusal names both, whichever was passed, and also where the value is no integer; `error`
 * is what it says instead where there is more to say.
 */
export const wholeNumber = (min: number, max: number, error = `an integer from ${min} to ${max}`) =>
  z.int({ error }).min(min, { error }).max(max, { error })

/** An integer within the bounds of a rule. */
export const within = ({ min, max }: { readonly min: number; readonly max: number }) => wholeNumber(min, max)

/** The model that a request names: one, or one of several. */
export const modelNamed = <Model extends string>(ids: readonly [Model, ...Model[]]) =>
  ids.length === 1 ? z.literal(ids[0]) : z.enum(ids)

/** The largest seed of an image or a video. */
export const MAX_SEED = 2_147_483_647

const error = 'an HTTP or HTTPS URL'

/** Callback URL, of the form that media URLs have to have (gap B17, F7). */
export const callbackUrl = z.string({ error }).refine(isHttpUrl, { error }).meta({ format: 'uri' }).optional()

/** Limits of a number of seconds, or of -1 for the service to choose, as JSON Schema says them. */
export const secondsOrAuto = (min: number, max: number) => ({
  minimum: -1,
  maximum: max,
  not: { minimum: 0, maximum: min - 1 },
})

/** `seconds`: a whole number written as a string, or as an integer in its place (gap C8, E4). `auto`: it may be -1 too. */
export const secondsField = (min: number, max: number, auto?: 'auto') => {
  const words = `"${min}" to "${max}"${auto === undefined ? '' : ', or "-1"'}, as a string or an integer`
  const range = Array.from({ length: max - min + 1 }, (_, index) => String(min + index))
  const allowed = auto === undefined ? range : ['-1', ...range]
  const pattern = `^(${allowed.join('|')})$`
  const limits = auto === undefined ? { minimum: min, maximum: max } : secondsOrAuto(min, max)
  return z
    .union([z.string().meta({ pattern }), z.int().meta(limits)], { error: words })
    .refine((seconds) => allowed.includes(String(seconds)), { error: words })
    .transform(Number)
}

/** Roles of media (§B content, §C media, §F roles). */
export const roles = [
  'first_frame',
  'last_frame',
  'reference_image',
  'reference_video',
  'reference_audio',
] as const
export type Role = (typeof roles)[number]

/** What a medium of a role must be. */
export const kindOfRole: Readonly<Record<Role, MediaKind>> = {
  first_frame: 'image',
  last_frame: 'image',
  reference_image: 'image',
  reference_video: 'video',
  reference_audio: 'audio',
}

export const isReference = (role: Role | undefined): boolean => role?.startsWith('reference_') === true

/** An item of a request with its role. */
export interface ItemWithRole {
  /** Undefined where it has none, which a rule refuses. */
  readonly role: Role | undefined
  /** The path of the item, and of what names its role. */
  readonly item: string
  readonly roleField: string
}

/** A medium of a request. */
export interface RequestMedium extends MediaRef, ItemWithRole {
  /** The role that the request names, or undefined where it names none. */
  readonly namedRole: Role | undefined
}

/**
 * Media with their roles. Those that came without one (gap B9, Z25): the only image is the first frame, video and audio are
 * references. An image among several stays without, for a rule to refuse.
 */
export const withRoles = (media: readonly Omit<RequestMedium, 'role'>[]): RequestMedium[] => {
  const isOnlyImage = media.filter(({ wants }) => wants === 'image').length === 1
  return media.map((medium) => ({
    role: medium.namedRole ?? defaultRole(medium.wants, isOnlyImage),
    ...medium,
  }))
}

const defaultRole = (kind: MediaKind, isOnlyImage: boolean): Role | undefined => {
  if (kind === 'video') return 'reference_video'
  if (kind === 'audio') return 'reference_audio'
  return isOnlyImage ? 'first_frame' : undefined
}

/** Mode of a request, by the roles of its media (§C modes). */
export const modeOf = (media: readonly Pick<RequestMedium, 'role'>[]): Mode => {
  const used = media.map(({ role }) => role)
  if (used.some(isReference)) return 'reference'
  if (used.includes('last_frame')) return 'first-last-frame'
  return used.includes('first_frame') ? 'first-frame' : 'text'
}

const role = z.enum(roles).optional()
const address = z.object({ url: z.string().min(1) })

const text = z.object({ type: z.literal('text'), text: z.string() })

/** Errors of a list item that is told by its `type`: what its type must be, or that it must be an object. */
export const typeIsOneOf = (types: readonly string[]) => ({
  error: ({ code }: { code: string }) => (code === 'invalid_type' ? undefined : `one of ${types.join(', ')}`),
})

const contentItemUnion = <T extends typeof text>(text: T) =>
  z.discriminatedUnion(
    'type',
    [
      text,
      z.object({ type: z.literal('image_url'), image_url: address, role }),
      z.object({ type: z.literal('video_url'), video_url: address, role }),
      z.object({ type: z.literal('audio_url'), audio_url: address, role }),
    ],
    typeIsOneOf(['text', 'image_url', 'video_url', 'audio_url']),
  )

/** One item of a `content` array (§B content). */
export const contentItem = contentItemUnion(text).describe(
  'an item of `content`: a text, or a medium with its role',
)
type ContentItem = z.output<typeof contentItem>

/** The same where every item may name a role, texts too (§F content). */
export const contentItemWithRole = contentItemUnion(text.extend({ role })).describe(
  'an item of `content`: a text or a medium, with its role',
)

/** A text of a request, with its place. */
export interface TextField {
  readonly field: string
  readonly text: string
}

/** Content of a request for a video, read once out of its list of items. */
export interface VideoContent {
  /** The texts joined by line breaks, under the place of the first (gap Z5), or of the list where there is none. */
  readonly prompt: TextField
  /** In the order of the list. */
  readonly texts: readonly TextField[]
  /** In the order of the list. */
  readonly mediaRefs: readonly RequestMedium[]
}

/** Content of a list of items under the key `list` of the body. */
export const videoContentOf = (
  list: string,
  texts: readonly TextField[],
  media: readonly Omit<RequestMedium, 'role'>[],
): VideoContent => ({
  prompt: { field: texts[0]?.field ?? list, text: texts.map(({ text }) => text).join('\n') },
  texts,
  mediaRefs: withRoles(media),
})

/** Reads the content of `content` (§B content, §F content). */
export const readContent = (content: readonly ContentItem[]): VideoContent => {
  const texts: TextField[] = []
  const media: Omit<RequestMedium, 'role'>[] = []
  for (const [index, item] of content.entries())
    if (item.type === 'text') texts.push({ field: `content[${index}].text`, text: item.text })
    else media.push(mediumOf(item, `content[${index}]`))
  return videoContentOf('content', texts, media)
}

const mediumOf = (item: Exclude<ContentItem, { type: 'text' }>, at: string): Omit<RequestMedium, 'role'> => {
  const places = { item: at, roleField: `${at}.role`, namedRole: item.role, field: `${at}.${item.type}.url` }
  if (item.type === 'image_url') return { wants: 'image', url: item.image_url.url, ...places }
  if (item.type === 'video_url') return { wants: 'video', url: item.video_url.url, ...places }
  return { wants: 'audio', url: item.audio_url.url, ...places }
}

/** A media reference as an input that the result shows; without bytes where it was not read. */
export const inputOf = ({ url, wants }: MediaRef, label: string, context: DecisionContext): MediaInput => {
  const medium = context.resolvedMedia(url)
  if (medium?.state === 'read')
    return { kind: medium.facts.kind, blob: medium.blob, label: `${label} ${medium.origin}` }
  return { kind: wants, blob: null, label: medium?.state === 'unseen' ? `${label} ${medium.origin}` : label }
}

/** Schema of a medium in stored parameters. */
export const mediaInputSchema = z.object({
  kind: z.enum(['image', 'video', 'audio']),
  blob: z.string().nullable(),
  label: z.string(),
})

/** Fields of stored parameters: the media of a request as they appear in its video. */
export const framesAndReferencesFields = {
  firstFrame: mediaInputSchema.optional(),
  lastFrame: mediaInputSchema.optional(),
  references: z.array(mediaInputSchema).readonly(),
}

type FramesAndReferences = Pick<VideoSpec, 'firstFrame' | 'lastFrame' | 'references'>

// Shared by all tasks without media.
const noMedia: FramesAndReferences = { references: [] }

/** First frame, last frame and references of a video, from the media of its request. */
export const framesAndReferences = (
  media: readonly RequestMedium[],
  context: DecisionContext,
): FramesAndReferences => {
  if (media.length === 0) return noMedia
  const inputOfRole = (role: Role) => {
    const medium = media.find((other) => other.role === role)
    return medium === undefined ? undefined : inputOf(medium, role, context)
  }
  const firstFrame = inputOfRole('first_frame')
  const lastFrame = inputOfRole('last_frame')
  return {
    ...(firstFrame === undefined ? {} : { firstFrame }),
    ...(lastFrame === undefined ? {} : { lastFrame }),
    references: media.flatMap((medium) =>
      medium.role !== undefined && isReference(medium.role) ? [inputOf(medium, medium.role, context)] : [],
    ),
  }
}

type VideoParams = FramesAndReferences & Pick<VideoSpec['card'], 'prompt' | 'model' | 'seed'>

type VideoFormat = Pick<VideoSpec, 'seconds' | 'framesPerSecond' | 'hasAudio' | 'hasWatermark'> &
  Pick<VideoSpec['card'], 'id' | 'size'> & { readonly pixels: Pixels }

/** Media spec of a video: what its params say, and what only its family knows. `size`: as its card writes it. */
export const videoSpecOf = (
  { prompt, model, seed, firstFrame, lastFrame, references }: VideoParams,
  { id, size, pixels, seconds, framesPerSecond, hasAudio, hasWatermark }: VideoFormat,
): VideoSpec => ({
  kind: 'video',
  width: pixels.width,
  height: pixels.height,
  seconds,
  framesPerSecond,
  hasAudio,
  seed,
  card: { prompt, model, size, seed, id },
  hasWatermark,
  ...(firstFrame === undefined ? {} : { firstFrame }),
  ...(lastFrame === undefined ? {} : { lastFrame }),
  references,
})

/** Seconds of the reference videos, as far as they are known. */
export const referenceSeconds = (media: readonly RequestMedium[], context: DecisionContext): number =>
  media.reduce((sum, { role, url }) => {
    const medium = context.resolvedMedia(url)
    const isVideo = role === 'reference_video' && medium?.state === 'read' && medium.facts.kind === 'video'
    return isVideo ? wholeMilliseconds(sum + medium.facts.seconds) : sum
  }, 0)

/** Seconds without what binary fractions add: 2.2 + 5.9 + 6.9 is 15 on paper, and 15.000000000000002 to a computer. */
export const wholeMilliseconds = (seconds: number): number => Math.round(seconds * 1_000) / 1_000

/**
 * The ratio that `adaptive` comes to (gap B11): the one of a model nearest to the first frame, or to the first visual
 * reference whose size is known, or to a last frame that is alone; where there is none, 16:9, or the first that the model has.
 */
export const adaptiveRatio = (
  media: readonly RequestMedium[],
  ratios: readonly string[],
  context: DecisionContext,
): Ratio => {
  const isAlone = media.length === 1
  for (const { role, wants, url } of media) {
    const medium =
      role === undefined || (role === 'last_frame' && !isAlone) || wants === 'audio'
        ? undefined
        : context.resolvedMedia(url)
    if (medium?.state === 'read' && medium.facts.kind !== 'audio')
      return nearestRatio(medium.facts, ratios) as Ratio
  }
  return (ratios.includes('16:9') ? '16:9' : ratios[0]) as Ratio
}
