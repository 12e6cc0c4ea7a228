import type { JournalEntry } from '../journal/entry.js'
import { isSecretName } from '../journal/redact.js'
import type { FormFile } from '../operation.js'
import { answerOf } from './answer-of.js'
import type { Sanitizer, Source } from './cleaner.js'
import { withoutMedia } from './media.js'
import type { CallLine, Medium, RecordedRequest } from './recording.js'
import type { Sent } from './sent.js'

/** The headers of a request on which an answer can depend; a key is never one of them. */
const keptHeaders = [
  'range',
  'if-range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  // With `no-cache`, which runtimes send beside a condition of the caller's own, a file is sent whatever the condition.
  'cache-control',
  'x-backlot-scenario',
]

/** A call of the journal as a line of a recording; undefined where the journal does not say what was sent. */
export const callLine = (entry: JournalEntry, tag: string, sanitizer: Sanitizer): CallLine | undefined => {
  const { sent } = entry
  if (sent === undefined) return undefined
  const source: Source = { origin: sent.origin, key: sent.hasKey ? entry.account : undefined }
  return {
    kind: 'call',
    account: tag,
    at: new Date(sent.begunAt).toISOString(),
    id: entry.id,
    ...(entry.operation === undefined ? {} : { operation: entry.operation }),
    ...(entry.task === undefined ? {} : { task: entry.task }),
    request: {
      method: entry.method,
      path: sanitizer.request(entry.path, source) as string,
      ...(sent.query === ''
        ? {}
        : { query: sanitizer.query(sent.query, source, entry.operation !== undefined) }),
      ...withHeaders(entry.headers, keptHeaders),
      ...(sent.hasKey ? {} : { withoutKey: true as const }),
      ...bodyOf(sent, entry, source, sanitizer),
    },
    answer: answerOf(entry, source, sanitizer),
  }
}

const withHeaders = (
  headers: Readonly<Record<string, string>>,
  kept: readonly string[],
): Pick<RecordedRequest, 'headers'> => {
  const entries = Object.entries(headers).filter(([name]) => kept.includes(name.toLowerCase()))
  return entries.length === 0 ? {} : { headers: Object.fromEntries(entries) }
}

const bodyOf = (
  { body, found, media }: Sent,
  { responseBody, requestBytes }: JournalEntry,
  source: Source,
  sanitizer: Sanitizer,
): Partial<RecordedRequest> => {
  switch (body.kind) {
    case 'json':
      return jsonBody(
        media === undefined ? withoutMedia(body.value, found) : { value: body.value, media },
        responseBody,
        source,
        sanitizer,
      )
    case 'form':
      return {
        form: {
          fields: sanitizer.request(body.fields, source) as Record<string, string>,
          files: body.files.map(fileOf),
        },
      }
    case 'unreadable':
      return unreadable(body, source, sanitizer)
    case 'too-large':
      return { declaredBytes: requestBytes }
    case 'unsupported':
      return { contentType: body.contentType }
    case 'lost':
      return { lost: body.why }
    case 'none':
      return {}
    default:
      return { lost: body.detail }
  }
}

const jsonBody = (
  { value, media }: ReturnType<typeof withoutMedia>,
  answer: unknown,
  source: Source,
  sanitizer: Sanitizer,
): Partial<RecordedRequest> => {
  const clean = (text: string) => sanitizer.request(text, source) as string
  const noted = media
    .filter(({ is }) => !isQuoted(is, answer))
    .map((medium): Medium => ({ ...medium, is: clean(medium.is) }))
  return { json: sanitizer.request(value, source), ...(noted.length === 0 ? {} : { media: noted }) }
}

// An answer that quotes a URL is about the URL and not about what is behind it, and has to quote the same one again.
const isQuoted = (url: string, answer: unknown): boolean =>
  /^https?:/i.test(url) && JSON.stringify(answer ?? '').includes(url.slice(0, 40))

// What is wrong with a text is said by the place at which it stands, so that a text that was changed is of no use.
const unreadable = (
  { text, detail }: Unreadable,
  source: Source,
  sanitizer: Sanitizer,
): Partial<RecordedRequest> =>
  text === undefined || namesSecret(text) || sanitizer.answer(text, source) !== text
    ? { lost: detail }
    : { text }

const namesSecret = (text: string): boolean =>
  [...text.matchAll(/([\w-]{1,100})["']?\s*[:=]/g)].some(([, name = '']) => isSecretName(name))

type Unreadable = Extract<Sent['body'], { kind: 'unreadable' }>

const fileOf = ({ field, name, bytes, blob, format, probe }: FormFile) => ({
  field,
  name,
  sha256: blob,
  bytes,
  ...(format === undefined ? {} : { format }),
  probe,
})
