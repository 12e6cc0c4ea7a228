import type { MediaRef } from '../../core/media/mention.js'
import type { AnyImageInput } from './schema.js'

/** The turn that is answered: the last message; in family A there is only one. */
const turnOf = ({ input }: AnyImageInput) => {
  const index = input.messages.length - 1
  return { path: `input.messages[${index}].content`, items: input.messages[index]?.content ?? [] }
}

/** Texts in the order of the content. An item that holds image and text counts as both (gap A10). */
export const textsOf = (input: AnyImageInput): { field: string; text: string }[] => {
  const { path, items } = turnOf(input)
  return items.flatMap(({ text }, index) =>
    text === undefined ? [] : [{ field: `${path}[${index}].text`, text }],
  )
}

/** The prompt; empty where the rule on texts is about to refuse the request. */
export const promptOf = (input: AnyImageInput): { field: string; text: string } =>
  textsOf(input)[0] ?? { field: turnOf(input).path, text: '' }

/** Input images in the order of the content, which is the order in which they are used (§A content rules 2). */
export const imagesOf = (input: AnyImageInput): MediaRef[] => {
  const { path, items } = turnOf(input)
  return items.flatMap(({ image }, index) =>
    image === undefined ? [] : [{ field: `${path}[${index}].image`, url: image, wants: 'image' as const }],
  )
}

/** Image-to-image rather than text-to-image. */
export const isEditing = (input: AnyImageInput): boolean => imagesOf(input).length > 0

export const contentPathOf = (input: AnyImageInput): string => turnOf(input).path
