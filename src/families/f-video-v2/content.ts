import type { Mention } from '../../core/media/mention.js'
import { mediaIn, promptIn, textsIn } from '../shared/content-items.js'
import { type GivenMedium, mentionOf } from '../shared/roles.js'
import type { VideoInput } from './schema.js'

export const mediaOf = (input: VideoInput): GivenMedium[] => mediaIn(input.content)

export const mentionsOf = (input: VideoInput): Mention[] => mediaOf(input).map(mentionOf)

export const textsOf = (input: VideoInput) => textsIn(input.content)

/** The texts, joined by line breaks (defaults Z5); empty where there is none. */
export const promptOf = (input: VideoInput): { field: string; text: string } => promptIn(input.content)
