import type { MediaRef } from '../../core/media/mention.js'
import { mediaIn, promptIn, textsIn } from '../shared/content-items.js'
import { mediaRefOf, type NamedRole, type RequestMedium } from '../shared/roles.js'
import type { VideoInput } from './schema.js'

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
