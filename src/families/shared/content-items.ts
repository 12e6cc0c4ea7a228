import { z } from 'zod'
import { type RequestMedium, roles } from './roles.js'

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

/** One item of a `content` array (§B content items). */
export const contentItem = besideMedia(text)
export type ContentItem = z.output<typeof contentItem>

/** The same where every item may name a role, texts too (§F content). */
export const contentItemWithRole = besideMedia(text.extend({ role }))

/** Texts in order, each with its place. */
export const textsIn = (content: readonly ContentItem[]): { field: string; text: string }[] =>
  content.flatMap((item, index) =>
    item.type === 'text' ? [{ field: `content[${index}].text`, text: item.text }] : [],
  )

/** The prompt: texts in order, joined by line breaks, under the place of the first (gap Z5). */
export const promptIn = (content: readonly ContentItem[]): { field: string; text: string } => {
  const texts = textsIn(content)
  return { field: texts[0]?.field ?? 'content', text: texts.map(({ text }) => text).join('\n') }
}

export const mediaIn = (content: readonly ContentItem[]): RequestMedium[] =>
  content.flatMap((item, index) => (item.type === 'text' ? [] : [mediumOf(item, `content[${index}]`)]))

const mediumOf = (item: Exclude<ContentItem, { type: 'text' }>, at: string): RequestMedium => {
  const named = { role: item.role, item: at, roleField: `${at}.role`, field: `${at}.${item.type}.url` }
  if (item.type === 'image_url') return { kind: 'image', url: item.image_url.url, ...named }
  if (item.type === 'video_url') return { kind: 'video', url: item.video_url.url, ...named }
  return { kind: 'audio', url: item.audio_url.url, ...named }
}
