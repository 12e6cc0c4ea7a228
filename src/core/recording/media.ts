import { attachedIn } from '../media/attached.js'
import type { ResolvedMedia } from '../media/mention.js'
import { mapTexts } from './cleaner.js'
import type { Medium } from './recording.js'

/** A body with its media by reference, and what is known of each. */
export interface WithoutMedia {
  readonly value: unknown
  readonly media: readonly Medium[]
}

/**
 * Takes the media out of a body: Base64 becomes `data:…;base64,{medium 1}`, and each medium that was looked at is
 * noted with what was found. URLs stay as they are, and so do those that a replay finds again: fixtures and assets.
 */
export const withoutMedia = (body: unknown, found: ReadonlyMap<string, ResolvedMedia>): WithoutMedia => {
  const media = new Map<string, Medium>()
  const noteOf = (text: string, is: string): string => {
    const known = media.get(text)
    if (known !== undefined) return known.is
    media.set(text, noted(text, is, found.get(text)))
    return is
  }
  const value = mapTexts(body, (text) => {
    const head = headOf(text)
    if (head !== undefined) return noteOf(text, `${head}{medium ${media.size + 1}}`)
    const seen = found.get(text)
    return seen === undefined || isFoundAgain(text, seen) ? text : noteOf(text, text)
  })
  return { value, media: [...media.values()] }
}

/** The beginning of a text that holds Base64; undefined for all others. */
const headOf = (text: string): string | undefined => {
  const head = /^data:[^,]{0,200},/i.exec(text)?.[0]
  if (head !== undefined) return head
  return text.length >= LEAST_BARE && isBare(text) ? '' : undefined
}

// So many letters of all kinds without a space are no prompt.
const LEAST_BARE = 256

// The beginning is looked at first: to find out that a text of megabytes has no digit takes a while.
const isBare = (text: string): boolean =>
  [/[a-z]/, /[A-Z]/, /[0-9]/].every((kind) => kind.test(text.slice(0, BEGINNING))) &&
  /^[A-Za-z0-9+/\r\n]+={0,2}\s*$/.test(text)

const BEGINNING = 4_096

const isFoundAgain = (url: string, found: ResolvedMedia): boolean =>
  found.state === 'unseen' ||
  isOfNoForm(found) ||
  url.startsWith('asset://') ||
  url.includes('/_backlot/fixtures/')

const isOfNoForm = (found: ResolvedMedia): boolean => found.state === 'refused' && found.reason === 'form'

const noted = (text: string, is: string, found: ResolvedMedia | undefined): Medium => {
  if (found === undefined || found.state === 'unseen' || isOfNoForm(found))
    return { is, characters: lengthOf(text) }
  if (found.state === 'refused') return { is, refused: found.reason, detail: found.detail }
  return { is, sha256: found.blob, facts: found.facts }
}

// Of a large body the Base64 was taken out when it was read, and its length was left behind.
const lengthOf = (text: string): number =>
  attachedIn(text)?.length ?? text.length - (headOf(text)?.length ?? 0)
