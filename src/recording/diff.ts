import type { CallLine } from './format.js'
import type { Sanitizer, Source } from './sanitise.js'

/** What came back for a call that was made again. */
interface NowAnswered {
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  readonly text?: string
  readonly bytes: number
  readonly broken?: 'reset' | 'cut' | 'silent'
}

export interface Comparing {
  readonly sanitizer: Sanitizer
  readonly source: Source
  /** Whether files are as long as they were: drawn on the same platform, from the same media. */
  readonly areFilesAsLong: boolean
}

/** Where the answer to a call differs from the recorded one; what comes first tells most. */
export const compared = (
  { id, request, answer }: CallLine,
  now: NowAnswered,
  comparing: Comparing,
): Difference[] => {
  if (isOtherwiseBroken(answer.broken, now.broken))
    return differences(answer.broken ?? 'a whole answer', now.broken ?? 'a whole answer', 'connection')
  const status = differences(answer.status, now.status, 'status')
  if (request.lost !== undefined || answer.status === undefined || now.broken !== undefined) return status
  return [
    ...status,
    ...differences(id, now.headers['x-request-id'], 'headers.x-request-id'),
    ...headerDifferences(answer.headers, now.headers, comparing),
    ...bodyDifferences(answer, now, comparing),
  ]
}

// An answer that was to be cut behind its end came whole.
const isOtherwiseBroken = (recorded: NowAnswered['broken'], now: NowAnswered['broken']): boolean =>
  recorded !== now && !(recorded === 'cut' && now === undefined)

// One that was not there and is there now is a difference only where clients act on it.
const alwaysLookedAt = ['retry-after']

const headerDifferences = (
  recorded: CallLine['answer']['headers'] = {},
  now: NowAnswered['headers'],
  { sanitizer, source }: Comparing,
): Difference[] => {
  const were = Object.fromEntries(
    Object.entries(recorded).map(([name, value]) => [name.toLowerCase(), value]),
  )
  return [...new Set([...Object.keys(were), ...alwaysLookedAt])].flatMap((name) =>
    differences(were[name], sanitizer.answer(now[name], source), `headers.${name}`),
  )
}

const bodyDifferences = (
  { json, text, bytes }: CallLine['answer'],
  now: NowAnswered,
  { sanitizer, source, areFilesAsLong }: Comparing,
): Difference[] => {
  if (bytes !== undefined) return areFilesAsLong ? differences(bytes, now.bytes, 'bytes') : []
  if (text !== undefined) return differences(text, sanitizer.answer(now.text, source), 'body')
  // What a scenario made of a file is not kept.
  if (json === undefined) return []
  const written = JSON.stringify(json)
  if (written === now.text) return []
  const parsed = parse(now.text ?? '')
  if (parsed === undefined) return differences(written, now.text, 'body')
  const clean = sanitizer.answer(parsed, source)
  const fields = differences(json, clean)
  if (fields.length > 0) return fields
  return isWrittenPlainly(now.text, parsed)
    ? differences(written, JSON.stringify(clean), 'body')
    : differences(written, now.text, 'body')
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isWrittenPlainly = (text: string | undefined, value: unknown): boolean => text === JSON.stringify(value)

/** A place at which two answers differ; what is not there is left out. */
export interface Difference {
  /** `error.message`, `items[0].status`, `status`. */
  readonly path: string
  readonly recorded?: unknown
  readonly now?: unknown
}

/** Where two JSON values differ, field by field; the shallowest place that tells them apart. */
export const differences = (recorded: unknown, now: unknown, path = ''): Difference[] => {
  if (Object.is(recorded, now)) return []
  if (Array.isArray(recorded) && Array.isArray(now)) return inLists(recorded, now, path)
  if (isRecord(recorded) && isRecord(now)) return inRecords(recorded, now, path)
  return [{ path, ...(recorded === undefined ? {} : { recorded }), ...(now === undefined ? {} : { now }) }]
}

const inLists = (recorded: readonly unknown[], now: readonly unknown[], path: string): Difference[] =>
  Array.from({ length: Math.max(recorded.length, now.length) }, (_, index) => index).flatMap((index) =>
    differences(recorded[index], now[index], `${path}[${index}]`),
  )

type Fields = Readonly<Record<string, unknown>>

const inRecords = (recorded: Fields, now: Fields, path: string): Difference[] =>
  [...new Set([...Object.keys(recorded), ...Object.keys(now)])].flatMap((name) =>
    differences(recorded[name], now[name], path === '' ? name : `${path}.${name}`),
  )

const isRecord = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
