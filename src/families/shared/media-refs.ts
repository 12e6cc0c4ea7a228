import { z } from 'zod'
import type { MediaKind } from '../../core/media/facts.js'
import type { MediaRef } from '../../core/media/references.js'

/** What a medium is used for (§B content, §C media, §F roles). */
export const roles = [
  'first_frame',
  'last_frame',
  'reference_image',
  'reference_video',
  'reference_audio',
] as const
export type Role = (typeof roles)[number]

export const kindOfRole: Readonly<Record<Role, MediaKind>> = {
  first_frame: 'image',
  last_frame: 'image',
  reference_image: 'image',
  reference_video: 'video',
  reference_audio: 'audio',
}

export const isReference = (role: Role | undefined): boolean => role?.startsWith('reference_') === true

/** An item of a request with the role that it names: undefined where it names none. */
export interface NamedRole {
  readonly role: Role | undefined
  /** The path of the item, and of what names its role. */
  readonly item: string
  readonly roleField: string
}

/** A medium of a request as it was written. */
export interface RequestMedium extends NamedRole {
  readonly kind: MediaKind
  readonly url: string
  /** The path of the address in the item. */
  readonly field: string
}

/** A medium whose role is settled. */
interface MediumWithRole extends RequestMedium {
  readonly role: Role
}

/**
 * Roles for media that came without one (gap B9, Z25): the only image is the first frame, video and audio are
 * references. An image among several stays without, for a rule to refuse.
 */
export const assignRoles = (media: readonly RequestMedium[]): readonly RequestMedium[] => {
  if (media.length === 0) return media
  const isOnlyImage = media.filter(({ kind }) => kind === 'image').length === 1
  return media.map((medium) => ({ ...medium, role: medium.role ?? defaultRole(medium, isOnlyImage) }))
}

const defaultRole = ({ kind }: RequestMedium, isOnlyImage: boolean): Role | undefined => {
  if (kind === 'video') return 'reference_video'
  if (kind === 'audio') return 'reference_audio'
  return isOnlyImage ? 'first_frame' : undefined
}

/** Media with the roles they have after the rules on combinations were kept. */
export const mediaWithRoles = (media: readonly RequestMedium[]): MediumWithRole[] =>
  assignRoles(media).filter((medium): medium is MediumWithRole => medium.role !== undefined)

export const mediaRefOf = ({ kind, url, field }: RequestMedium): MediaRef => ({ field, url, wants: kind })

/** The four ways to make a video (§C modes). */
export type Mode = 'text' | 'first-frame' | 'first-last-frame' | 'reference'

export const modeOf = (media: readonly RequestMedium[]): Mode => {
  const used = mediaWithRoles(media).map(({ role }) => role)
  if (used.some(isReference)) return 'reference'
  if (used.includes('last_frame')) return 'first-last-frame'
  return used.includes('first_frame') ? 'first-frame' : 'text'
}

const role = z.enum(roles).optional()
const address = z.object({ url: z.string().min(1) })

const text = z.object({ type: z.literal('text'), text: z.string() })

const besideMedia = <T extends typeof text>(text: T) =>
  z.discriminatedUnion(
    'type',
    [
      text,
      z.object({ type: z.literal('image_url'), image_url: address, role }),
      z.object({ type: z.literal('video_url'), video_url: address, role }),
      z.object({ type: z.literal('audio_url'), audio_url: address, role }),
    ],
    { error: 'one of text, image_url, video_url, audio_url' },
  )

/** One item of a `content` array (§B content). */
export const contentItem = besideMedia(text).describe(
  'An item of `content`: a text, or a medium with its role.',
)
type ContentItem = z.output<typeof contentItem>

/** The same where every item may name a role, texts too (§F content). */
export const contentItemWithRole = besideMedia(text.extend({ role })).describe(
  'An item of `content`: a text or a medium, with its role.',
)

/** Texts in order, each with its place. */
export const textsIn = (content: readonly ContentItem[]): { field: string; text: string }[] => {
  const texts: { field: string; text: string }[] = []
  for (const [index, item] of content.entries())
    if (item.type === 'text') texts.push({ field: `content[${index}].text`, text: item.text })
  return texts
}

/** The prompt: texts in order, joined by line breaks, under the place of the first (gap Z5). */
export const promptIn = (content: readonly ContentItem[]): { field: string; text: string } => {
  const texts = textsIn(content)
  return { field: texts[0]?.field ?? 'content', text: texts.map(({ text }) => text).join('\n') }
}

export const mediaIn = (content: readonly ContentItem[]): RequestMedium[] => {
  const media: RequestMedium[] = []
  for (const [index, item] of content.entries())
    if (item.type !== 'text') media.push(mediumOf(item, `content[${index}]`))
  return media
}

const mediumOf = (item: Exclude<ContentItem, { type: 'text' }>, at: string): RequestMedium => {
  const named = { role: item.role, item: at, roleField: `${at}.role`, field: `${at}.${item.type}.url` }
  if (item.type === 'image_url') return { kind: 'image', url: item.image_url.url, ...named }
  if (item.type === 'video_url') return { kind: 'video', url: item.video_url.url, ...named }
  return { kind: 'audio', url: item.audio_url.url, ...named }
}
