import { STATE_VERSION, type StateRecord } from '../../../core/state/record.js'

/**
 * A state file is lines of JSON: a header, then records, a line each. A line `["end"]` ends a batch; records that no such
 * line follows were cut off while they were written, and do not hold.
 */
export const headerLine = (version = STATE_VERSION): string => JSON.stringify({ backlot: 'state', version })

export const END_LINE = '["end"]'

export const recordLine = (record: StateRecord): string => JSON.stringify(record)

/** Puts a batch into bytes, which hold until the next batch is put. */
export type BatchBytes = (lines: readonly string[]) => Buffer

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
