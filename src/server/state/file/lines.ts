import { STATE_VERSION, type StateRecord } from '../../../core/state/record.js'

/**
 * A state file is lines of JSON: a header, then records, a line each. A line `["end"]` ends a batch; records that no such
 * line follows were cut off while they were written, and do not hold.
 */
export const headerLine = (version = STATE_VERSION): string => JSON.stringify({ backlot: 'state', version })

export const END_LINE = '["end"]'

export const recordLine = (record: StateRecord): string => JSON.stringify(record)

/** A batch as it is appended. */
export const batchText = (lines: readonly string[]): string => `${[...lines, END_LINE].join('\n')}\n`
