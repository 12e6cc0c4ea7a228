import type { Mention } from '../../core/media/mention.js'
import { mediaIn, promptIn, textsIn } from '../shared/content-items.js'
import { type GivenMedium, mentionOf, type NamedRole } from '../shared/roles.js'
import type { VideoInput } from './schema.js'

export const mediaOf = (input: VideoInput): GivenMedium[] => mediaIn(input.content)

export const mentionsOf = (input: VideoInput): Mention[] => mediaOf(input).map(mentionOf)

/** The roles that texts name. They make no medium of a text, but count where roles may not stand together (defaults N18). */
export const rolesOfTexts = ({ content }: VideoInput): NamedRole[] =>
  content.flatMap((item, index) =>
    item.type === 'text' && item.role !== undefined
      ? [{ item: `content[${index}]`, roleField: `content[${index}].role`, role: item.role }]
      : [],
  )

export const textsOf = (input: VideoInput) => textsIn(input.content)

/** The texts, joined by line breaks (defaults Z5); empty where there is none. */
export const promptOf = (input: VideoInput): { field: string; text: string } => promptIn(input.content)
