import { isUtf8 } from 'node:buffer'
import { badState } from './errors.js'
import { BadRecord, type Migration, readRecord } from './read-record.js'
import {
  type Kind,
  nothingSaved,
  STATE_VERSION,
  type StateRecord,
  type StoredState,
  take,
} from './records.js'

/**
 * A state file is lines of JSON: a header, then records, a line each. A line `["end"]` ends a batch; records that no such
 * line follows were cut off while they were written, and do not hold.
 */
export const headerLine = (version = STATE_VERSION): string => JSON.stringify({ backlot: 'state', version })

const END_LINE = '["end"]'

export const recordLine = (record: StateRecord): string => JSON.stringify(record)

/** Puts a batch into bytes, which hold until the next batch is put. */
type BatchBytes = (lines: readonly string[]) => Buffer

// Larger batches are those of a new or imported state, or of prompts of many megabytes.
const KEPT_BYTES = 4 * 2 ** 20
const MOST_BYTES_OF_UNIT = 3
const NEWLINE = 10

/**
 * The bytes of batches, in one place that is used again and again: one text of all lines, and a fresh buffer for it, cost
 * half as much as making the JSON. Nor is there ever a text that is too long for the runtime.
 */
export const createBatchBytes = (): BatchBytes => {
  let kept = Buffer.alloc(0)
  return (lines) => {
    const all = [...lines, END_LINE]
    const most = all.reduce((sum, line) => sum + MOST_BYTES_OF_UNIT * line.length + 1, 0)
    if (most > KEPT_BYTES) return putInto(Buffer.allocUnsafeSlow(exactly(all)), all)
    if (kept.length < most) kept = Buffer.allocUnsafeSlow(most)
    return putInto(kept, all)
  }
}

const exactly = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)

const putInto = (place: Buffer, lines: readonly string[]): Buffer => {
  let end = 0
  for (const line of lines) {
    end += place.write(line, end)
    end = place.writeUInt8(NEWLINE, end)
  }
  return place.subarray(0, end)
}

/** A line of a file that is in memory. */
interface TextLine {
  /** From 1. */
  readonly number: number
  readonly text: string
  readonly isUtf8: boolean
  /** Where the next line begins, in bytes. */
  readonly end: number
  /** Whether it has no end of line, as the last one may. */
  readonly isUnended: boolean
}

const NEWLINEOfTextLines = 10

/**
 * Where the last whole batch ends, and so the file as far as it holds; the end of the first line where there is no batch,
 * and that of the bytes where there is no whole line either.
 */
const endOfBatches = (bytes: Buffer): number => {
  for (let at = bytes.lastIndexOf(END_LINE); at > 0; at = bytes.lastIndexOf(END_LINE, at - 1)) {
    const newline = bytes.indexOf(NEWLINEOfTextLines, at)
    const rest = bytes.toString('latin1', at + END_LINE.length, newline === -1 ? bytes.length : newline)
    // The same may stand within a record.
    if (bytes[at - 1] === NEWLINEOfTextLines && rest.trim() === '')
      return newline === -1 ? bytes.length : newline + 1
  }
  const newline = bytes.indexOf(NEWLINEOfTextLines)
  return newline === -1 ? bytes.length : newline + 1
}

function* textLines(bytes: Buffer): Generator<TextLine> {
  // Looked at once for the whole: the last line may be cut off within a character.
  const isWhole = isUtf8(bytes.subarray(0, bytes.lastIndexOf(NEWLINEOfTextLines) + 1))
  for (let start = 0, number = 1; start < bytes.length; number += 1) {
    const newline = bytes.indexOf(NEWLINEOfTextLines, start)
    const isUnended = newline === -1
    const end = isUnended ? bytes.length : newline
    yield {
      number,
      text: bytes.toString('utf8', start, end),
      isUtf8: isWhole || isUtf8(bytes.subarray(start, end)),
      end: isUnended ? end : end + 1,
      isUnended,
    }
    start = end + 1
  }
}

/** How many bytes a record of each kind takes up, on average over those that went by. */
export interface Sizes {
  count(kind: Kind, bytes: number): void
  /** Bytes that so many records of a kind take up. */
  bytesOf(kind: Kind, records: number): number
}

export const createSizes = (): Sizes => {
  const seen = new Map<Kind, { records: number; bytes: number }>()
  return {
    count: (kind, bytes) => {
      const known = seen.get(kind) ?? { records: 0, bytes: 0 }
      seen.set(kind, known)
      known.records += 1
      known.bytes += bytes
    },
    bytesOf: (kind, records) => {
      const known = seen.get(kind)
      return known === undefined ? 0 : (records * known.bytes) / known.records
    },
  }
}

/** What a state file says. */
export interface ParsedState {
  readonly saved: StoredState
  /** Of the file; an older one is written anew before anything is added to it. */
  readonly version: number
  /** Up to where it holds, in bytes. What comes after was cut off, and goes. */
  readonly goodBytes: number
  /** How many bytes were cut off: those of the last batch, where it has no end. */
  readonly cutOff: number
  /** Whether the last line lacks its end, as editors leave it. */
  readonly isUnended: boolean
  readonly sizes: Sizes
}

/** What can be read. */
export interface Versions {
  readonly newest: number
  /** Left out: those that there are. */
  readonly migrations?: readonly Migration[]
}

/**
 * Reads a state file whole: each record meets its schema once.
 * @throws EmulatorError `bad-state` with the line, what was found and what is expected
 */
export const parseState = (
  bytes: Buffer,
  file: string,
  versions: Versions = { newest: STATE_VERSION },
): ParsedState => {
  const [saved, sizes] = [nothingSaved(), createSizes()]
  let [version, goodBytes, isUnended] = [versions.newest, 0, false]
  const takeLine = (line: TextLine): void => {
    const written = parsed(line)
    if (line.number === 1) version = versionIn(written, versions.newest)
    else if (!isEnd(written)) {
      const record = readRecord(written, version, versions.migrations)
      if (record === undefined) return
      take(saved, record)
      sizes.count(record[0], line.text.length)
    }
  }
  // Found beforehand, so that records take their places as they come and nothing is kept twice.
  const end = endOfBatches(bytes)
  for (const line of textLines(bytes)) {
    const isCutOff = line.end > end
    // What a kill has left is whole lines and the beginning of one.
    const read = isCutOff ? () => void (line.isUnended || parsed(line)) : () => takeLine(line)
    if (line.text.trim() !== '') inLine(file, line.number, read)
    if (isCutOff) continue
    goodBytes = line.end
    isUnended = line.isUnended
  }
  return { saved, version, goodBytes, cutOff: bytes.length - goodBytes, isUnended, sizes }
}

const inLine = (file: string, number: number, run: () => void): void => {
  try {
    run()
  } catch (error) {
    throw error instanceof BadRecord ? badState(file, error.message, number, error.cause) : error
  }
}

const parsed = ({ text, isUtf8 }: TextLine): unknown => {
  if (!isUtf8) throw new BadRecord('found bytes that are no UTF-8')
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new BadRecord(`expected a record in JSON, found ${shown(text)}`, { cause })
  }
}

const versionIn = (header: unknown, newest: number): number => {
  const { backlot, version } = (header ?? {}) as { readonly backlot?: unknown; readonly version?: unknown }
  if (backlot !== 'state' || typeof version !== 'number')
    throw new BadRecord(
      `expected {"backlot":"state","version":${newest}}, with which the file of a Backlot begins, found ${shown(JSON.stringify(header))}`,
    )
  if (version > newest)
    throw new BadRecord(
      `found version ${version}, which a newer Backlot has written; this one reads up to ${newest}`,
    )
  return version
}

const isEnd = (written: unknown): boolean =>
  Array.isArray(written) && written.length === 1 && written[0] === 'end'

const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
