import type { Medium } from '../../recording/format.js'
import { mapTexts } from '../../recording/sanitise.js'
import type { Body } from '../contract.js'
import { attachedIn, type ResolvedMedia } from '../media/references.js'
import type { Instant } from '../schedule/timeline.js'

/** A request as it can be made again, apart from what the journal keeps of it for people to read. */
export interface Sent {
  /** Where the clock has to stand for the same call to go the same way again. */
  readonly begunAt: Instant
  readonly hasKey: boolean
  /** What absolute URLs of the answer begin with. */
  readonly origin: string
  readonly query: string
  /** Without bytes. */
  readonly body: Body | Lost
  /** What was found behind the media that the body names. */
  readonly found: ReadonlyMap<string, ResolvedMedia>
  /** Of a body from which the media have been taken out already; left out where they have not. */
  readonly media?: readonly Medium[]
}

/** A body that was not kept, and why. */
interface Lost {
  readonly kind: 'lost'
  readonly why: string
}

const nothing: ReadonlyMap<string, ResolvedMedia> = new Map()

/** What is to be kept of a request, of whose body not more than so many bytes are kept. */
export const sentOf = (
  given: Omit<Sent, 'body' | 'media'> & { readonly body: Body },
  bytes: number,
  maxBytes: number,
): Sent => {
  const { body, found, ...rest } = given
  if (body.kind !== 'json') return { ...rest, body, found }
  if (bytes <= maxBytes) return { ...rest, body: { kind: 'json', value: body.value }, found }
  // The media are most of it, as a rule, and are let go now.
  const { value, media } = withoutMedia(body.value, found)
  if (fits(value, maxBytes)) return { ...rest, body: { kind: 'json', value }, found: nothing, media }
  const why = `it has ${bytes} bytes without its media, more than the journal keeps (setting journalBodyBytes)`
  return { ...rest, body: { kind: 'lost', why }, found: nothing }
}

// Writing it down to measure it takes a tenth of a second for a body of many megabytes, which its texts alone tell.
const fits = (value: unknown, maxBytes: number): boolean =>
  lengthOfTexts(value) <= maxBytes && JSON.stringify(value).length <= maxBytes

const lengthOfTexts = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (value === null || typeof value !== 'object') return 0
  return Object.values(value).reduce<number>((sum, inner) => sum + lengthOfTexts(inner), 0)
}

/** A body with its media by reference, and what is known of each. */
interface WithoutMedia {
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
