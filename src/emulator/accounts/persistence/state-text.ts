import { isUtf8 } from 'node:buffer'
import { valuesWithin } from '../../core/request.js'
import { BadRecord, badState } from './errors.js'
import { checkedRecord, shortened } from './read-record.js'
import { STATE_VERSION, type StateRecord } from './records.js'

/**
 * Text format of the state file and of its write-ahead log: lines of JSON. A header, then records, a line each; a line
 * `["end"]` ends a batch. Records that no such line follows were cut off while they were written and do not hold.
 */
interface Header {
  readonly backlot: 'state'
  readonly version: number
  /** Identifies a snapshot and the logs that continue it. Undefined in version 1. */
  readonly id?: string
  /** Number of the snapshot, and of the log that holds what came after it. Undefined in version 1. */
  readonly generation?: number
  /** The snapshot was written at a stop, so that no log need be beside it. */
  readonly isClosed?: boolean
}

export const headerLine = (id: string, generation: number, isClosed = false): string =>
  JSON.stringify({
    backlot: 'state',
    version: STATE_VERSION,
    id,
    generation,
    isClosed: isClosed || undefined,
  })

export const END_LINE = '["end"]'

/** Contents of a state file or a log. */
interface ParsedText {
  readonly header: Header
  readonly records: readonly StateRecord[]
  /** Length of its whole batches, in bytes. */
  readonly goodBytes: number
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
  let number = 0
  for (const line of linesOf(bytes)) {
    number += 1
    const isCutOff = line.end > end
    if (line.text.trim() === '' && number > 1) continue
    try {
      // A kill leaves whole lines, and the beginning of one.
      if (isCutOff && line.isUnended) continue
      const value = parsed(line)
      if (isCutOff) continue
      if (header === undefined) header = checkedHeader(value)
      else if (!isEnd(value)) records.push(checkedRecord(value, header.version))
    } catch (error) {
      throw error instanceof BadRecord ? badState(file, error.message, number, error.cause) : error
    }
  }
  const hasBatches = end > bytes.indexOf(NEWLINE) + 1
  const cutOff = bytes.length - end
  return { header: header ?? checkedHeader(undefined), records, hasBatches, goodBytes: end, cutOff }
}

interface Line {
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
  for (let start = 0; start < bytes.length; ) {
    const end = endOfLine(bytes, start)
    const isUnended = bytes[end - 1] !== NEWLINE
    const line = bytes.subarray(start, isUnended ? end : end - 1)
    yield { text: line.toString('utf8'), isUtf8: isWhole || isUtf8(line), end, isUnended }
    start = end
  }
}

/** Where the line that has a byte ends: behind its line feed, or with the file. */
const endOfLine = (bytes: Buffer, at: number): number => {
  const newline = bytes.indexOf(NEWLINE, at)
  return newline === -1 ? bytes.length : newline + 1
}

/** Where the last whole batch ends; the end of the first line where there is no batch. */
const endOfBatches = (bytes: Buffer): number => {
  for (let at = bytes.lastIndexOf(END_LINE); at > 0; at = bytes.lastIndexOf(END_LINE, at - 1)) {
    const end = endOfLine(bytes, at)
    const rest = bytes.toString('latin1', at + END_LINE.length, end)
    // The same text may be part of a record.
    if (bytes[at - 1] === NEWLINE && rest.trim() === '') return end
  }
  return endOfLine(bytes, 0)
}

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
      `expected {"backlot":"state","version":${STATE_VERSION},…}, with which the file of a Backlot begins, found ${shortened(JSON.stringify(found) ?? 'nothing')}`,
    )
  checkVersion(version)
  if (version > 1 && (typeof header.id !== 'string' || !Number.isInteger(header.generation)))
    throw new BadRecord(
      `expected an id and a generation in the header, found ${shortened(JSON.stringify(found))}`,
    )
  return header as Header
}

/** @throws BadRecord where this program cannot read that version */
export const checkVersion = (version: number): void => {
  if (version > STATE_VERSION)
    throw new BadRecord(
      `found version ${version}, which a newer Backlot has written; this one reads up to ${STATE_VERSION}`,
    )
  if (!Number.isInteger(version) || version < 1)
    throw new BadRecord(`found version ${version}; the versions are 1 to ${STATE_VERSION}`)
}

const isEnd = (value: unknown): boolean => Array.isArray(value) && value.length === 1 && value[0] === 'end'
