import { isUtf8 } from 'node:buffer'
import { END_LINE } from './lines.js'

/** A line of a file that is in memory. */
export interface TextLine {
  /** From 1. */
  readonly number: number
  readonly text: string
  readonly isUtf8: boolean
  /** Where the next line begins, in bytes. */
  readonly end: number
  /** Whether it has no end of line, as the last one may. */
  readonly isUnended: boolean
}

const NEWLINE = 10

/**
 * Where the last whole batch ends, and so the file as far as it holds; the end of the first line where there is no batch,
 * and that of the bytes where there is no whole line either.
 */
export const endOfBatches = (bytes: Buffer): number => {
  for (let at = bytes.lastIndexOf(END_LINE); at > 0; at = bytes.lastIndexOf(END_LINE, at - 1)) {
    const newline = bytes.indexOf(NEWLINE, at)
    const rest = bytes.toString('latin1', at + END_LINE.length, newline === -1 ? bytes.length : newline)
    // The same may stand within a record.
    if (bytes[at - 1] === NEWLINE && rest.trim() === '') return newline === -1 ? bytes.length : newline + 1
  }
  const newline = bytes.indexOf(NEWLINE)
  return newline === -1 ? bytes.length : newline + 1
}

export function* textLines(bytes: Buffer): Generator<TextLine> {
  // Looked at once for the whole: the last line may be cut off within a character.
  const isWhole = isUtf8(bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1))
  for (let start = 0, number = 1; start < bytes.length; number += 1) {
    const newline = bytes.indexOf(NEWLINE, start)
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
