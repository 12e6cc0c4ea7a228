import { z } from 'zod'
import type { UnusableReason } from '../core/media/references.js'
import { bytesOfStandIn, type StandIn, standInSchema } from '../core/media/stand-in.js'
import {
  EMULATOR,
  type Line,
  type Medium,
  type Placed,
  type RecordedRequest,
  STAND_INS_PATH,
} from './format.js'
import { mapTexts } from './sanitise.js'

/** A request that is ready to be sent. */
export interface ReplayRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** What Content-Length says of a body of which nothing is sent, since it was never read. */
  readonly declaredBytes?: number
}

/** The bytes of a medium by their hash, where they are at hand: of a fixture. */
export type BytesOf = (sha256: string) => Uint8Array | undefined

/** What is at hand where a call is made again. */
interface AtHand {
  readonly bytesOf: BytesOf
  /** What URLs of the emulator begin with. */
  readonly origin: string
}

/** A recorded request as it can be made again: media that are not there any more have others standing in for them. */
export const replayRequestOf = (request: RecordedRequest, atHand: AtHand): ReplayRequest => {
  const { method, path, query, headers = {} } = request
  const target = query === undefined ? path : `${path}?${query}`
  return { method, target, ...withBody(request, headers, atHand) }
}

type Rest = Pick<ReplayRequest, 'headers' | 'body' | 'declaredBytes'>

const withBody = (
  request: RecordedRequest,
  headers: ReplayRequest['headers'],
  { bytesOf, origin }: AtHand,
): Rest => {
  const { json, media = [], form, text, declaredBytes, contentType, lost } = request
  const of = (type: string, body: Uint8Array): Rest => ({
    headers: { ...headers, 'content-type': type },
    body,
  })
  if (json !== undefined) {
    const body = withStandIns(json, media, bytesOf)
    return of(JSON_TYPE, utf8(JSON.stringify(origin === EMULATOR ? body : calling(body, origin))))
  }
  if (form !== undefined) return of(MULTIPART, multipart(form, bytesOf))
  if (text !== undefined) return of(JSON_TYPE, utf8(text))
  if (declaredBytes !== undefined)
    return { headers: { ...headers, 'content-type': MULTIPART }, declaredBytes }
  // What was wrong with these was seen before the end of them, or is not known any more: any such body will do.
  if (contentType !== undefined) return of(contentType, utf8('-'))
  return lost === undefined ? { headers } : of(JSON_TYPE, utf8('{'))
}

const JSON_TYPE = 'application/json'

const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8')

const calling = (body: unknown, origin: string): unknown =>
  mapTexts(body, (text) => text.replaceAll(EMULATOR, origin))

const withStandIns = (json: unknown, media: readonly Medium[], bytesOf: BytesOf): unknown => {
  if (media.length === 0) return json
  const texts = new Map(media.map((medium) => [medium.is, textOf(medium, bytesOf)]))
  return mapTexts(json, (text) => texts.get(text) ?? text)
}

const textOf = (medium: Medium, bytesOf: BytesOf): string => {
  const { is } = medium
  if (/^https?:/i.test(is)) return urlOf(medium)
  const head = is.replace(/\{medium \d+\}$/, '')
  // As many as there were: a refusal may say how many it found.
  if ('characters' in medium) return head + 'A'.repeat(medium.characters)
  return head + Buffer.from(bytesBehind(medium, bytesOf)).toString('base64')
}

const urlOf = (medium: Medium): string => {
  if ('characters' in medium) return medium.is
  if (!('refused' in medium) || medium.refused === 'unreadable')
    return standInUrl(medium.is, { standIn: standInOf(medium) })
  const reason = medium.refused === 'too-large' ? 'too-large' : 'unreachable'
  return standInUrl(medium.is, { reason, detail: medium.detail })
}

type LookedAt = Exclude<Medium, { readonly characters: number }>

const bytesBehind = (medium: LookedAt, bytesOf: BytesOf): Uint8Array =>
  ('sha256' in medium ? bytesOf(medium.sha256) : undefined) ?? bytesOfStandIn(standInOf(medium))

const standInOf = (medium: LookedAt): StandIn => {
  if ('refused' in medium)
    return {
      sha256: NO_HASH,
      bytes: 0,
      probe: { kind: 'unreadable', reason: 'damaged', detail: medium.detail },
    }
  const { sha256, facts } = medium
  return facts.kind === 'unreadable'
    ? { sha256, bytes: 0, probe: facts }
    : { sha256, bytes: facts.bytes, format: facts.format, probe: facts }
}

const NO_HASH = '0'.repeat(64)

const BOUNDARY = 'backlot-recording'
/** The type of such a body. */
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`

const utf8OfMultipart = (text: string): Uint8Array => Buffer.from(text, 'utf8')

/** The body of a form that is sent again; files that are not at hand have stand-ins. */
const multipart = ({ fields, files }: NonNullable<RecordedRequest['form']>, bytesOf: BytesOf): Uint8Array => {
  const parts = [
    ...Object.entries(fields).map(
      ([name, value]) => [`name="${quoted(name)}"`, utf8OfMultipart(value)] as const,
    ),
    ...files.map(({ field, name, ...standIn }) => {
      const bytes = bytesOf(standIn.sha256) ?? bytesOfStandIn(standIn)
      return [`name="${quoted(field)}"; filename="${quoted(name)}"`, bytes] as const
    }),
  ]
  const chunks = parts.flatMap(([disposition, bytes]) => [
    utf8OfMultipart(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    bytes,
    utf8OfMultipart('\r\n'),
  ])
  return Buffer.concat([...chunks, utf8OfMultipart(`--${BOUNDARY}--\r\n`)])
}

const quoted = (name: string): string => name.replace(/["\\]/g, '\\$&').replace(/[\r\n]/g, ' ')

/** What stands behind a URL that cannot be fetched any more: a medium, or why there was none. */
export type Behind =
  | { readonly standIn: StandIn }
  | { readonly reason: Extract<UnusableReason, 'unreachable' | 'too-large'>; readonly detail: string }

const behindSchema: z.ZodType<Behind> = z.union([
  z.strictObject({ standIn: standInSchema }),
  z.strictObject({ reason: z.enum(['unreachable', 'too-large']), detail: z.string() }),
])

/** A URL of the emulator that leads to the same, under the name that the other URL has for people. */
export const standInUrl = (url: string, behind: Behind): string => {
  const { pathname, hostname } = new URL(url)
  const name = pathname.split('/').at(-1) || hostname
  return `${EMULATOR}${STAND_INS_PATH}/${name}?is=${Buffer.from(JSON.stringify(behind)).toString('base64url')}`
}

/** What stands behind such a URL; undefined where it says nothing that can be understood. */
export const readStandInUrl = (url: URL): Behind | undefined => {
  try {
    const said: unknown = JSON.parse(
      Buffer.from(url.searchParams.get('is') ?? '', 'base64url').toString('utf8'),
    )
    return behindSchema.safeParse(said).data
  } catch {
    return undefined
  }
}

/** Whether a recording names a medium whose bytes are not at hand, so that what is drawn from it looks otherwise. */
export const areStoodIn = (lines: readonly Placed[], bytesOf: BytesOf): boolean =>
  lines.some(({ line }) => hashesOf(line).some((sha256) => bytesOf(sha256) === undefined))

const hashesOf = (line: Line): string[] => {
  if (line.kind !== 'call') return []
  const { media = [], form } = line.request
  return [
    ...media.flatMap((medium) => ('sha256' in medium ? [medium.sha256] : [])),
    ...(form?.files ?? []).map(({ sha256 }) => sha256),
  ]
}
