import { isRecord, mapTexts, parseJson } from '../emulator/surface/journal.js'
import type { CallLine } from '../traffic/format.js'
import type { HttpResponse } from './http-client.js'
import type { Sanitizer } from './sanitise.js'

/** Context of a comparison. */
export interface Comparison {
  /** Of the answers of the replay. */
  readonly sanitizer: Sanitizer
  /** Whether files have the recorded bytes: rendered by the same version, on the same platform, from the same media. */
  readonly areFilesComparable: boolean
  /** Operations whose answer is a file. */
  readonly fileOperations: readonly string[]
}

/** Differences between the recorded answer to a call and the replayed one, the most telling first. */
export const compareAnswers = (
  { id, operation = '', request, answer }: CallLine,
  replayed: HttpResponse,
  comparison: Comparison,
): Difference[] => {
  // The client of a download may have left before the first byte, and the replay does not.
  if (
    answer.broken === 'silent' &&
    replayed.broken === undefined &&
    comparison.fileOperations.includes(operation)
  )
    return []
  // An answer that was to be cut behind its end came whole.
  if (answer.broken !== replayed.broken && !(answer.broken === 'cut' && replayed.broken === undefined))
    return differences(answer.broken ?? 'a whole answer', replayed.broken ?? 'a whole answer', 'connection')
  const byId = differences(id, replayed.headers['x-request-id'], 'headers.x-request-id')
  const areOfAFile = answer.json === undefined && isOfAFile(answer) && isOfAFile(replayed)
  if (!comparison.areFilesComparable && areOfAFile && dependsOnBytes(request)) return byId
  const status = differences(answer.status, replayed.status, 'status')
  if (request.lost !== undefined || answer.status === undefined || replayed.broken !== undefined)
    return status
  return [
    ...status,
    ...byId,
    ...headerDifferences(answer, replayed.headers, comparison),
    // The journal keeps the body of the equivalent GET for a HEAD, but no body is sent.
    ...(request.method === 'HEAD' ? [] : bodyDifferences(answer, replayed, comparison)),
  ]
}

/** Whether a part is asked for, or a condition on an ETag: the answer is another where a file has other bytes. */
const dependsOnBytes = ({ headers = {} }: CallLine['request']): boolean =>
  ['range', 'if-match', 'if-none-match'].some((name) => headers[name] !== undefined)

const isOfAFile = ({ status = 0 }: { readonly status?: number }): boolean =>
  [200, 206, 304, 412, 416].includes(status)

// Headers that matter also where they were not recorded: clients act on them.
const alwaysCompared = ['retry-after']

const headerDifferences = (
  { headers = {}, bytes }: CallLine['answer'],
  replayed: HttpResponse['headers'],
  { sanitizer, areFilesComparable }: Comparison,
): Difference[] => {
  const recorded = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  if (bytes !== undefined && !areFilesComparable) recorded.delete('etag')
  return [...new Set([...recorded.keys(), ...alwaysCompared])].flatMap((name) =>
    differences(sanitizer.answer(recorded.get(name)), sanitizer.answer(replayed[name]), `headers.${name}`),
  )
}

const bodyDifferences = (
  { json, text, bytes }: CallLine['answer'],
  replayed: HttpResponse,
  { sanitizer, areFilesComparable }: Comparison,
): Difference[] => {
  if (bytes !== undefined) return areFilesComparable ? differences(bytes, replayed.bytes, 'bytes') : []
  if (text !== undefined) return textDifferences(sanitizer.answer(text), sanitizer.answer(replayed.text))
  // A file that a scenario changed is not kept.
  if (json === undefined || JSON.stringify(json) === replayed.text) return []
  const comparable = (value: unknown) => mapTexts(sanitizer.answer(value), withoutCutQuotations)
  const recorded = comparable(json)
  const written = JSON.stringify(recorded)
  const parsed = parseJson(replayed.text ?? '')
  if (parsed === undefined) return differences(written, replayed.text, 'body')
  const clean = comparable(parsed)
  const fields = differences(recorded, clean)
  if (fields.length > 0) return fields
  // The same fields in another order, or written with spaces.
  const isPlain = replayed.text === JSON.stringify(parsed)
  return differences(written, isPlain ? JSON.stringify(clean) : replayed.text, 'body')
}

// A quotation ends elsewhere, and what it is of has another length, where a recording has replaced a URL, a key or a medium.
const withoutCutQuotations = (text: string): string =>
  text
    .replace(/… \(\d+ characters\)/g, '…')
    .replace(/;base64,(?:…|\{medium \d+\})/g, ';base64,…')
    .replace(/:\/\/[^…]*…/g, '://…')

/**
 * Difference between two bodies that are texts. One that a step cut after a number of bytes ends elsewhere where the address of the
 * emulator, in the URLs before its end, is longer or shorter.
 */
export const textDifferences = (recorded: string, now: unknown): Difference[] =>
  typeof now === 'string' && isCutElsewhere(recorded, now) ? [] : differences(recorded, now, 'body')

const isCutElsewhere = (recorded: string, now: string): boolean => {
  const texts = [recorded, now].map((text) => text.replace(CUT_ADDRESS, 'http://'))
  const [shorter = '', longer = ''] = texts.sort((a, b) => a.length - b.length)
  return shorter.includes('http://') && longer.startsWith(shorter)
}

// An address that is cut itself is not known to be one of the emulator.
const CUT_ADDRESS = /https?:\/\/[\w.:[\]-]*$/

/** Difference between two JSON values at one path; a side that has no value is missing. */
export interface Difference {
  /** `error.message`, `items[0].status`, `status`. */
  readonly path: string
  readonly recorded?: unknown
  readonly now?: unknown
}

/** Differences between two JSON values, field by field, each at the shallowest path. */
export const differences = (recorded: unknown, now: unknown, path = ''): Difference[] => {
  if (Object.is(recorded, now)) return []
  if (Array.isArray(recorded) && Array.isArray(now))
    return inParts({ ...recorded }, { ...now }, (index) => `${path}[${index}]`)
  if (isRecord(recorded) && isRecord(now))
    return inParts(recorded, now, (name) => (path === '' ? name : `${path}.${name}`))
  return [{ path, recorded, now }]
}

type Parts = Readonly<Record<string, unknown>>

const inParts = (recorded: Parts, now: Parts, pathOf: (name: string) => string): Difference[] =>
  [...new Set([...Object.keys(recorded), ...Object.keys(now)])].flatMap((name) =>
    differences(ownValue(recorded, name), ownValue(now, name), pathOf(name)),
  )

// A recorded answer may have a field such as `constructor`, which every object inherits.
const ownValue = (parts: Parts, name: string): unknown =>
  Object.hasOwn(parts, name) ? parts[name] : undefined
