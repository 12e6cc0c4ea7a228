import type { ResolvedMedia } from '../media/mention.js'
import type { Body } from '../operation.js'
import type { Instant } from '../time/timeline.js'
import { withoutMedia } from './media.js'
import type { Medium } from './recording.js'

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
export interface Lost {
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
