import { attachedIn } from '../media/attached.js'
import { detachString } from '../own-text.js'

const MOST_TEXT = 256

/** A copy in which long texts (Base64 media, above all) are cut, so that it can be kept and shown. */
export const shorten = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return shortText(value)
  if (value === null || typeof value !== 'object') return value
  if (depth > 20) return '… (deeper levels are not kept)'
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => shorten(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 200)
      .map(([key, inner]) => [key, shorten(inner, depth + 1)]),
  )
}

const shortText = (text: string): string => {
  const media = /^data:[^,]{0,200};base64,/i.exec(text)?.[0]
  // What was cut when it was kept is shown as it is.
  if (media !== undefined && text.startsWith('…', media.length)) return text
  if (media !== undefined)
    return detachString(`${media}… (${attachedIn(text)?.length ?? text.length - media.length} characters)`)
  return text.length > MOST_TEXT
    ? detachString(`${text.slice(0, MOST_TEXT)}… (${text.length} characters)`)
    : text
}
