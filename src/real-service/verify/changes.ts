import type { Compared, Delta } from './compare.js'

/** Change of a profile that would remove differences. */
export interface Change {
  /** Keys of the profile, down to the value. */
  readonly at: readonly string[]
  readonly value: unknown
  /** Whether the value is one more item of a list. */
  readonly isItem?: boolean
  /** The exchanges that show it. */
  readonly seenIn: readonly Compared[]
  /** The differences that it removes. */
  readonly settles: readonly Delta[]
}

/** Profile as a plain document. */
export type ProfileDocument = Readonly<Record<string, unknown>>

/** A document with a change. The document that is handed in stays as it is. */
export const withChange = (document: ProfileDocument, { at, value, isItem }: Change): ProfileDocument => {
  const [key = '', ...rest] = at
  const before = document[key]
  if (rest.length > 0)
    return {
      ...document,
      [key]: withChange(isDocument(before) ? before : {}, {
        at: rest,
        value,
        isItem,
        seenIn: [],
        settles: [],
      }),
    }
  if (isItem !== true) return { ...document, [key]: value }
  const items = Array.isArray(before) ? before : []
  return items.includes(value) ? document : { ...document, [key]: [...items, value] }
}

const isDocument = (value: unknown): value is ProfileDocument =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A change as one line: `errors.c-video.quota_gone.status: 402`. */
export const changeText = ({ at, value }: Change): string => `${at.join('.')}: ${JSON.stringify(value)}`
