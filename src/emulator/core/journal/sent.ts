import { attachedIn, type Probe, type ResolvedMedia, type UnusableReason } from '../media/input.js'
import type { Body } from '../model/call.js'
import { lengthOfTexts } from '../request.js'
import type { Instant } from '../schedule/time.js'
import { MIN_BARE, mapTexts } from './redact.js'

/** Repeatable request: what a replay needs of a call, beside what the journal shows. */
export interface Sent {
  /** Instant at which the account's clock has to stand for the call to go the same way again. */
  readonly begunAt: Instant
  readonly hasKey: boolean
  /** Origin of absolute URLs in the answer. */
  readonly origin: string
  readonly query: string
  /** Without bytes. */
  readonly body: KeptBody | Lost
  /** Resolved media that the body names, by their text in it. */
  readonly found: ReadonlyMap<string, ResolvedMedia>
  /** Media of a body from which they have been taken out. Default: they are still in it. */
  readonly media?: readonly Medium[]
}

/** Medium of a body; `is` is its text there, with a number in the place of Base64. */
export type Medium = { readonly is: string } & (
  | { readonly sha256: string; readonly facts: Probe }
  | { readonly refused: UnusableReason; readonly detail: string }
  /** Length of Base64 that was not read. */
  | { readonly characters: number }
)

/** A body as the journal keeps it. */
export type KeptBody = Exclude<Body, { kind: 'raw' }>

/** Body that was not kept, and why. */
export interface Lost {
  readonly kind: 'lost'
  readonly why: string
}

const nothing: ReadonlyMap<string, ResolvedMedia> = new Map()

/** Keeps a request for repetition, with at most `maxBytes` of its body. */
export const sentOf = (
  given: Omit<Sent, 'body' | 'media'> & { readonly body: KeptBody },
  bytes: number,
  maxBytes: number,
): Sent => {
  const { body, found } = given
  if (body.kind !== 'json') return given
  if (bytes <= maxBytes) return { ...given, body: { kind: 'json', value: body.value } }
  // Most of a large body is media, whose bytes need not stay in memory.
  const { value, media } = withoutMedia(body.value, found)
  if (fits(value, maxBytes)) return { ...given, body: { kind: 'json', value }, found: nothing, media }
  const why = `it has ${bytes} bytes without its media, more than the journal keeps (setting journalBodyBytes)`
  return { ...given, body: { kind: 'lost', why }, found: nothing }
}

// Cheap test first: serialising a body of many megabytes takes a tenth of a second.
const fits = (value: unknown, maxBytes: number): boolean =>
  lengthOfTexts(value) <= maxBytes && JSON.stringify(value).length <= maxBytes

/**
 * Extracts the media of a body: Base64 becomes `data:…;base64,{medium 1}`, and each resolved medium is listed with its
 * hash and facts. URLs stay as they are; fixtures and assets, which a replay resolves again, are not listed.
 */
export const withoutMedia = (
  body: unknown,
  found: ReadonlyMap<string, ResolvedMedia>,
): { readonly value: unknown; readonly media: readonly Medium[] } => {
  const media = new Map<string, Medium>()
  const referenceTo = (text: string, is: string): string => {
    const known = media.get(text)
    if (known !== undefined) return known.is
    media.set(text, describeMedium(text, is, found.get(text)))
    return is
  }
  const value = mapTexts(body, (text) => {
    const head = headOf(text)
    if (head !== undefined) return referenceTo(text, `${head}{medium ${media.size + 1}}`)
    const seen = found.get(text)
    return seen === undefined || isResolvedAgain(text, seen) ? text : referenceTo(text, text)
  })
  return { value, media: [...media.values()] }
}

/** Head of a text that holds Base64; undefined for other texts. */
const headOf = (text: string): string | undefined => {
  const head = /^data:[^,]{0,200},/i.exec(text)?.[0] ?? ''
  if (/;base64,$/i.test(head)) return head
  const rest = text.slice(head.length)
  return rest.length >= MIN_BARE && isBare(rest) ? head : undefined
}

// Cheap test first: a text of megabytes without a digit would be read to its end.
const isBare = (text: string): boolean =>
  [/[a-z]/, /[A-Z]/, /[0-9]/].every((kind) => kind.test(text.slice(0, BEGINNING))) &&
  /^[A-Za-z0-9+/\r\n]+={0,2}$/.test(text.trimEnd())

const BEGINNING = 4_096

const isResolvedAgain = (url: string, medium: ResolvedMedia): boolean =>
  medium.state === 'unseen' ||
  hasUnknownForm(medium) ||
  url.startsWith('asset://') ||
  url.includes('/_backlot/fixtures/')

const hasUnknownForm = (medium: ResolvedMedia): boolean =>
  medium.state === 'refused' && medium.reason === 'form'

const describeMedium = (text: string, is: string, medium: ResolvedMedia | undefined): Medium => {
  if (medium === undefined || medium.state === 'unseen' || hasUnknownForm(medium))
    return { is, characters: lengthOf(text) }
  if (medium.state === 'refused') return { is, refused: medium.reason, detail: medium.detail }
  return { is, sha256: medium.blob, facts: medium.facts }
}

// The Base64 of a large body was taken out when it was read; its length stands in its place.
const lengthOf = (text: string): number =>
  attachedIn(text)?.length ?? text.length - (headOf(text)?.length ?? 0)
