import { mapTexts } from '../core/journal/redact.js'
import type { Medium } from '../core/journal/sent.js'
import type { RecordedRequest } from './format.js'
import { placeholderName, type ReadMedium } from './media.js'
import { EMULATOR_ORIGIN } from './sanitise.js'

/** HTTP request of a replay, ready to be sent. */
export interface ReplayRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Content-Length of a body that was refused for it; nothing of the body is sent. */
  readonly declaredBytes?: number
}

interface ReplayEnvironment {
  readonly readMedium: ReadMedium
  /** Origin of the emulator's URLs. */
  readonly origin: string
  readonly readFixture: (name: string) => Promise<Uint8Array | undefined>
}

/** Rebuilds a recorded request. A medium whose bytes are lost is a placeholder (`{medium 1}`). */
export const replayRequestOf = async (
  request: RecordedRequest,
  environment: ReplayEnvironment,
): Promise<ReplayRequest> => {
  const { method, path, query, headers = {} } = request
  const target = query === undefined ? path : `${path}?${query}`
  const { type, ...body } = await bodyOf(request, environment)
  return {
    method,
    target,
    headers: type === undefined ? headers : { ...headers, 'content-type': type },
    ...body,
  }
}

interface Body extends Pick<ReplayRequest, 'body' | 'declaredBytes'> {
  readonly type?: string
}

const JSON_TYPE = 'application/json'

const bodyOf = async (request: RecordedRequest, environment: ReplayEnvironment): Promise<Body> => {
  const { readMedium, origin } = environment
  const { json, media = [], form, text, declaredBytes, contentType, lost } = request
  if (json !== undefined) {
    const texts = await textsOf(media, readMedium)
    const body = mapTexts(json, (one) => texts.get(one) ?? one.replaceAll(EMULATOR_ORIGIN, origin))
    return { type: JSON_TYPE, body: Buffer.from(JSON.stringify(body)) }
  }
  if (form !== undefined) return { type: MULTIPART, body: await multipart(form, environment) }
  if (text !== undefined) return { type: JSON_TYPE, body: Buffer.from(text) }
  if (declaredBytes !== undefined) return { type: MULTIPART, declaredBytes }
  // The refusal of these does not depend on the body, or the body is unknown.
  if (contentType !== undefined) return { type: contentType, body: Buffer.from('-') }
  return lost === undefined ? {} : { type: JSON_TYPE, body: Buffer.from('{') }
}

/** Placeholder map: from the placeholders of a recorded body to the Base64 texts that they replace. */
const textsOf = async (media: readonly Medium[], readMedium: ReadMedium): Promise<Map<string, string>> => {
  const texts = new Map<string, string>()
  for (const medium of media) {
    if (/^https?:/i.test(medium.is)) continue
    const head = medium.is.replace(/\{medium \d+\}$/, '')
    // A refusal may quote the number of characters.
    if ('characters' in medium) texts.set(medium.is, head + 'A'.repeat(medium.characters))
    const bytes = 'sha256' in medium ? await readMedium(medium.sha256) : undefined
    if (bytes !== undefined) texts.set(medium.is, head + Buffer.from(bytes).toString('base64'))
  }
  return texts
}

const NO_BYTES = Buffer.alloc(0)
const BOUNDARY = 'backlot-recording'
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`

const multipart = async (
  { fields, files }: NonNullable<RecordedRequest['form']>,
  { readMedium, readFixture }: ReplayEnvironment,
): Promise<Uint8Array> => {
  const parts = Object.entries(fields).map(([name, value]) =>
    part(`name="${quoted(name)}"`, Buffer.from(value)),
  )
  for (const { field, name, sha256, probe } of files) {
    const bytes = (await readMedium(sha256)) ?? (await readFixture(placeholderName(probe.kind))) ?? NO_BYTES
    parts.push(part(`name="${quoted(field)}"; filename="${quoted(name)}"`, bytes))
  }
  return Buffer.concat([...parts.flat(), Buffer.from(`--${BOUNDARY}--\r\n`)])
}

const part = (disposition: string, bytes: Uint8Array): Uint8Array[] => [
  Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
  bytes,
  Buffer.from('\r\n'),
]

const quoted = (name: string): string => name.replace(/["\\]/g, '\\$&').replace(/[\r\n]/g, ' ')
