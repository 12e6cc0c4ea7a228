import { type FileHandle, open, rm, truncate } from 'node:fs/promises'
import { type LogEnd, logPath } from './state-files.js'
import { checksumAfter, endLine, headerLine, type Predecessor } from './state-text.js'

/** Write-ahead log: what came after a snapshot, in batches of records. */
export interface WriteAheadLog {
  /** Of the snapshot that it continues. */
  readonly id: string
  readonly generation: number
  /** Length of its whole batches. */
  readonly bytes: number
  readonly hasBatches: boolean
  /** Adds a batch. After one that failed, nothing more is to be written. */
  write(lines: readonly string[]): Promise<void>
  /** Whether the file is there and has the length that was written. */
  isIntact(): Promise<boolean>
  close(): Promise<void>
}

/** Log that is to be begun. */
interface NewLog {
  /** Of the snapshot that it continues. */
  readonly id: string
  /** The first number that it may have. */
  readonly from: number
  /** The log that it continues; null: it is the first. */
  readonly after: Predecessor | null
}

/** Creates a write-ahead log under the first free number. */
export const beginLog = async (
  path: string,
  { id, from, after }: NewLog,
  fsync: boolean,
): Promise<WriteAheadLog> => {
  for (let generation = from; ; generation += 1) {
    const file = await open(logPath(path, generation), 'ax', 0o600).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
    if (file === undefined) continue
    const header = headerLine(id, generation, { after })
    const bytes = Buffer.from(`${header}\n`)
    try {
      await writeAll(file, bytes)
    } catch (error) {
      await file.close()
      await rm(logPath(path, generation), { force: true })
      throw error
    }
    const checksum = checksumAfter(0, header)
    return createLog(file, { id, generation, begin: bytes.length, checksum, fsync, holdsBatches: false })
  }
}

/** Reopens a write-ahead log: truncates it to its last whole batch and appends there. */
export const continueLog = async (
  path: string,
  id: string,
  { generation, goodBytes, checksum }: LogEnd,
  fsync: boolean,
): Promise<WriteAheadLog> => {
  const log = logPath(path, generation)
  // By its path: Windows lets no file be truncated by a handle that only appends.
  await truncate(log, goodBytes)
  const file = await open(log, 'a')
  return createLog(file, { id, generation, begin: goodBytes, checksum, fsync, holdsBatches: true })
}

const CHUNK_CHARACTERS = 2 ** 22

interface LogOptions {
  /** Of the snapshot that it continues. */
  readonly id: string
  readonly generation: number
  /** Where the next batch begins, in bytes. */
  readonly begin: number
  /** Of what it holds already. */
  readonly checksum: number
  readonly fsync: boolean
  /** Whether it holds batches already. */
  readonly holdsBatches: boolean
}

const createLog = (file: FileHandle, options: LogOptions): WriteAheadLog => {
  const { id, generation, fsync } = options
  let { begin: bytes, checksum, holdsBatches: hasBatches } = options
  // An editor may have left the last line without an end.
  let text = hasBatches ? '\n' : ''
  return {
    id,
    generation,
    get bytes() {
      return bytes
    },
    get hasBatches() {
      return hasBatches
    },
    write: async (lines) => {
      let end = bytes
      const flush = async (): Promise<void> => {
        end += await writeAll(file, Buffer.from(text))
        text = ''
      }
      for (const line of lines) {
        text += `${line}\n`
        checksum = checksumAfter(checksum, line)
        if (text.length >= CHUNK_CHARACTERS) await flush()
      }
      const last = endLine(checksum)
      text += `${last}\n`
      checksum = checksumAfter(checksum, last)
      await flush()
      if (fsync) await file.datasync()
      bytes = end
      hasBatches = true
    },
    isIntact: async () => {
      const { size, nlink } = await file.stat()
      return nlink > 0 && size === bytes
    },
    close: () => file.close(),
  }
}

// At the end of the file, wherever that is: one that was cut off in place is found by its size.
const writeAll = async (file: FileHandle, bytes: Buffer): Promise<number> => {
  for (let written = 0; written < bytes.length; )
    written += (await file.write(bytes, written, bytes.length - written)).bytesWritten
  return bytes.length
}
