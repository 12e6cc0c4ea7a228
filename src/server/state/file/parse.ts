import type { Migration } from '../../../core/state/migrations.js'
import { BadRecord, readRecord } from '../../../core/state/read-record.js'
import { STATE_VERSION } from '../../../core/state/record.js'
import { nothingSaved, type StoredState, take } from '../../../core/state/saved.js'
import { badState } from '../errors.js'
import { createSizes, type Sizes } from './sizes.js'
import { endOfBatches, type TextLine, textLines } from './text-lines.js'

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
