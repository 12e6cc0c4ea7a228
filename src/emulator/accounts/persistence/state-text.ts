import { isUtf8 } from 'node:buffer'
import zlib from 'node:zlib'
import { valuesWithin } from '../../core/request.js'
import { BadRecord, badState } from './errors.js'
import { checkedRecord, shortened } from './read-record.js'
import type { StateRecord } from './records.js'

// Looked up here: an import by its name would fail on an older Node before the package can say which one it needs.
const { crc32 } = zlib

/**
 * Version of the text format. Version 1 had one file without a log; version 2 had neither checksums nor the predecessor of a
 * log, and its records are those of today.
 */
export const FILE_VERSION = 3

/**
 * Text format of the state file and of its write-ahead log: lines of JSON. A header, then records, a line each; a line
 * `["end",checksum]` ends a batch. Records that no such line follows were cut off while they were written and do not hold.
 */
interface Header extends HeaderFacts {
  readonly backlot: 'state'
  readonly version: number
  /** Identifies a snapshot and the logs that continue it. Undefined in version 1. */
  readonly id?: string
  /** Number of the snapshot, and of the log that holds what came after it. Undefined in version 1. */
  readonly generation?: number
}

/** What a header says beside what every header has. */
interface HeaderFacts {
  /** The snapshot was written at a stop, so that no log need be beside it. */
  readonly isClosed?: boolean | undefined
  /** Of a log: the one that it continues; null: it is the first. Undefined for a snapshot, and before version 3. */
  readonly after?: Predecessor | null | undefined
}

/** Log that another one continues. */
export interface Predecessor {
  readonly generation: number
  /** Its length, in bytes. */
  readonly bytes: number
}

export const headerLine = (id: string, generation: number, facts: HeaderFacts = {}): string =>
  JSON.stringify({ backlot: 'state', version: FILE_VERSION, id, generation, ...facts })

/**
 * Checksum (CRC-32) of a file up to a line and with it, from that of the lines before; 0: there are none. Ends of lines and
 * empty lines do not count, as editors and version control change them.
 */
export const checksumAfter = (checksum: number, line: string | Uint8Array): number => crc32(line, checksum)

/** Line that ends a batch, with the checksum of the file up to it. */
export const endLine = (checksum: number): string =>
  JSON.stringify(['end', checksum.toString(16).padStart(8, '0')])

/** Contents of a state file or a log. */
interface ParsedText {
  readonly header: Header
  readonly records: readonly StateRecord[]
  /** Length of its whole batches, in bytes. */
  readonly goodBytes: number
  /** Checksum of its whole batches. */
  readonly checksum: number
  /** Whether there is a whole batch. */
  readonly hasBatches: boolean
  /** How many bytes were cut off: those of the last batch, where it has no end. */
  readonly cutOff: number
}

/**
 * Reads a file whole; each record is checked once.
 * @throws EmulatorError `bad-state` with the line, what was found and what is expected
 */
export const parseStateText = (bytes: Buffer, file: string): ParsedText => {
  const end = endOfBatches(bytes)
  const records: StateRecord[] = []
  let header: Header | undefined
  let checksum = 0
  for (const line of linesOf(bytes)) {
    const isCutOff = line.end > end
    if (isBlank(line) || (isCutOff && isTorn(line))) continue
    try {
      const value = parsed(line)
      if (header === undefined) header = checkedHeader(value)
      else if (isEnd(value)) checkEnd(value, checksum)
      else {
        const record = checkedRecord(value, header.version)
        if (!isCutOff) records.push(record)
      }
    } catch (error) {
      throw error instanceof BadRecord ? badState(file, error.message, line.number, error.cause) : error
    }
    if (!isCutOff) checksum = checksumAfter(checksum, line.bytes)
  }
  const hasBatches = end > bytes.indexOf(NEWLINE) + 1
  const cutOff = bytes.length - end
  return {
    header: header ?? checkedHeader(undefined),
    records,
    hasBatches,
    goodBytes: end,
    checksum,
    cutOff,
  }
}

const isBlank = ({ text, number }: Line): boolean => number > 1 && text.trim() === ''

/** Whether a line is the beginning of one, as a kill leaves it behind whole lines; that of an end cannot be longer than an end. */
const isTorn = ({ isUnended, text }: Line): boolean =>
  isUnended && !(text.startsWith(END) && text.length >= endLine(0).length)

const END = '["end"'

interface Line {
  /** Counts from 1. */
  readonly number: number
  /** Without its end. */
  readonly bytes: Buffer
  readonly text: string
  readonly isUtf8: boolean
  /** Where the next line begins, in bytes. */
  readonly end: number
  /** Whether it lacks a line feed at its end. */
  readonly isUnended: boolean
}

const NEWLINE = 10

function* linesOf(bytes: Buffer): Generator<Line> {
  // Looked at once for the whole: the last line may be cut off within a character.
  const isWhole = isUtf8(bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1))
  for (let start = 0, number = 1; start < bytes.length; number += 1) {
    const end = endOfLine(bytes, start)
    const isUnended = bytes[end - 1] !== NEWLINE
    const line = withoutReturn(bytes.subarray(start, isUnended ? end : end - 1))
    yield {
      number,
      bytes: line,
      text: line.toString('utf8'),
      isUtf8: isWhole || isUtf8(line),
      end,
      isUnended,
    }
    start = end
  }
}

const RETURN = 13

const withoutReturn = (line: Buffer): Buffer => (line.at(-1) === RETURN ? line.subarray(0, -1) : line)

/** Where the line that has a byte ends: behind its line feed, or with the file. */
const endOfLine = (bytes: Buffer, at: number): number => {
  const newline = bytes.indexOf(NEWLINE, at)
  return newline === -1 ? bytes.length : newline + 1
}

/** Where the last whole batch ends; the end of the first line where there is no batch. */
const endOfBatches = (bytes: Buffer): number => {
  for (let at = bytes.lastIndexOf(END); at > 0; at = bytes.lastIndexOf(END, at - 1)) {
    const end = endOfLine(bytes, at)
    // The same text may be part of a record.
    if (bytes[at - 1] === NEWLINE && REST_OF_END.test(bytes.toString('latin1', at + END.length, end)))
      return end
  }
  return endOfLine(bytes, 0)
}

// Before version 3 there was no checksum.
const REST_OF_END = /^(?:,"[0-9a-f]{8}")?\]\s*$/

const LONG = 4_096
const MAX_LEVELS = 500

const parsed = ({ text, isUtf8: isText }: Line): unknown => {
  if (!isText) throw new BadRecord('found bytes that are no UTF-8')
  const value = jsonOf(text)
  if (text.length > LONG && valuesWithin(value, MAX_LEVELS) === Number.POSITIVE_INFINITY)
    throw new BadRecord(`found a record with more than ${MAX_LEVELS} levels, one in the other`)
  return value
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new BadRecord(`expected a record in JSON, found ${shortened(text)}`, { cause })
  }
}

const checkedHeader = (found: unknown): Header => {
  const header = (found ?? {}) as Partial<Header>
  const { backlot, version } = header
  if (backlot !== 'state' || typeof version !== 'number')
    throw new BadRecord(
      `expected {"backlot":"state","version":${FILE_VERSION},…}, with which the file of a Backlot begins, found ${shortened(JSON.stringify(found) ?? 'nothing')}`,
    )
  checkVersion(version, FILE_VERSION)
  const { id, generation, after } = header
  const isComplete = version === 1 || (typeof id === 'string' && isCount(generation))
  if (!isComplete || !isPredecessor(after))
    throw new BadRecord(
      `expected an id and a generation in the header, and numbers in what it comes after, found ${shortened(JSON.stringify(found))}`,
    )
  return header as Header
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0

const isPredecessor = (after: Header['after']): boolean =>
  after === undefined || after === null || (isCount(after.generation) && isCount(after.bytes))

/** @throws BadRecord where this program cannot read that version */
export const checkVersion = (version: number, latest: number): void => {
  if (version > latest)
    throw new BadRecord(
      `found version ${version}, which a newer Backlot has written; this one reads up to ${latest}`,
    )
  if (!Number.isInteger(version) || version < 1)
    throw new BadRecord(`found version ${version}; the versions are 1 to ${latest}`)
}

const isEnd = (value: unknown): value is readonly ['end', unknown?] =>
  Array.isArray(value) && value.length <= 2 && value[0] === 'end'

/** @throws BadRecord where the checksum is another one than that of the lines before. An end of version 2 has none. */
const checkEnd = (end: readonly unknown[], checksum: number): void => {
  if (end.length > 1 && JSON.stringify(end) !== endLine(checksum))
    throw new BadRecord(
      `found ${shortened(JSON.stringify(end))}, and the checksum of the lines before is ${endLine(checksum)}: one of them is damaged or was edited (an ["end"] without a checksum is read unchecked)`,
    )
}
