import { once } from 'node:events'
import { type FileHandle, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Adapter } from 'lowdb'
import { createMutex } from '../../concurrency.js'
import { unusable } from './errors.js'
import { createBatchBytes, headerLine, type ParsedState, parseState, type Versions } from './parse.js'
import type { StoredState } from './records.js'

const COMPACTED = '.compacted'
const BEGUN = '.begun'

/** Where a file is written that is to take the place of the one at `path`. */
const compactedPath = (path: string): string => `${path}${COMPACTED}`

/** Removes what a process that was killed in the middle has left. */
export const sweep = async (path: string): Promise<void> => {
  for (const ending of [COMPACTED, BEGUN]) await rm(path + ending, { force: true })
}

/** The whole file; undefined where there is none. @throws EmulatorError `state-unusable` */
const readIfThere = async (path: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusable(path, error)
  }
}

/** A file with a header and a first batch, open and in its place. API keys stand in it. */
const newFile = async (path: string, batch: Buffer = Buffer.alloc(0)): Promise<FileHandle> => {
  await mkdir(dirname(path), { recursive: true })
  // Under another name first, so that nobody ever finds half a header.
  const handle = await open(`${path}${BEGUN}`, 'w+', 0o600)
  try {
    const begun = await writeAll(handle, Buffer.from(`${headerLine()}\n`), 0)
    await writeAll(handle, batch, begun)
    await handle.datasync()
    await rename(`${path}${BEGUN}`, path)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Writes at a place, and answers how many bytes that were. */
const writeAll = async (file: FileHandle, bytes: Buffer, at: number): Promise<number> => {
  for (let written = 0; written < bytes.length; )
    written += (await file.write(bytes, written, bytes.length - written, at + written)).bytesWritten
  return bytes.length
}

/** Whether the file that was opened is still the one of this name. */
const isSameFile = async (path: string, handle: FileHandle): Promise<boolean> => {
  const [named, opened] = await Promise.all([stat(path).catch(() => undefined), handle.stat()])
  return named?.ino === opened.ino && named.dev === opened.dev
}

/** Adds what was written from one place to another of a file to the end of a second one; answers the size of that. */
const appendTail = async (from: FileHandle, begin: number, end: number, to: FileHandle): Promise<number> => {
  let { size } = await to.stat()
  const piece = Buffer.allocUnsafe(2 ** 16)
  for (let at = begin; at < end; ) {
    const { bytesRead } = await from.read(piece, 0, Math.min(piece.length, end - at), at)
    if (bytesRead === 0) throw new Error('The state file has become shorter.')
    size += await writeAll(to, piece.subarray(0, bytesRead), size)
    at += bytesRead
  }
  await to.datasync()
  return size
}

/**
 * Writes the first `length` bytes of a state file into another file, with the records that hold alone: beside the event
 * loop, since it takes a second for a hundred megabytes.
 * @throws Error where it cannot be written, or the signal ends it
 */
const compact = async (path: string, length: number, into: string, signal: AbortSignal): Promise<void> => {
  const worker = new Worker(new URL('./compact-worker.mjs', import.meta.url), {
    workerData: { path, length, into },
  })
  worker.unref()
  try {
    // Raises what the worker raises.
    await once(worker, 'message', { signal })
  } finally {
    await worker.terminate()
  }
}

/** What goes through the adapter: what the file says when it is read, and what is new when it is written. */
export interface StateData {
  readonly saved: StoredState
  /** Records as lines. */
  readonly batch: readonly string[]
}

/** lowdb's way to a state file: reads the whole of it, and writes by adding what is new. */
export interface StateAdapter extends Adapter<StateData> {
  /** What was read; undefined where there was no file. */
  readonly parsed: ParsedState | undefined
  /** Of the file, in bytes. */
  readonly length: number
  /** Has the file ready to be written to; one that is not there is begun. @throws EmulatorError `state-unusable` */
  open(): Promise<void>
  /** Whether the file is another than the one that was written to, or gone. */
  isLost(): Promise<boolean>
  /** Puts a new file with a first batch in the place of the one that is there; until it is whole, that one stays. */
  beginAnew(batch: readonly string[]): Promise<void>
  /** Writes the file anew with what holds, while batches go on being added; the signal ends that, and nothing has changed. */
  compact(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export const createStateAdapter = (path: string, versions?: Versions): StateAdapter => {
  const { run: inTurn } = createMutex()
  const bytesOf = createBatchBytes()
  let parsed: ParsedState | undefined
  let handle: FileHandle | undefined
  /** Up to where the file holds what was written. */
  let length = 0
  /** Whether there may be the beginning of a batch behind that. */
  let isTorn = false
  /** Counts the files that were begun; what was read of one is nothing to the next. */
  let begun = 0

  const read = async (): Promise<StateData | null> => {
    const bytes = await readIfThere(path)
    // An empty file is a place that somebody has made for one.
    if (bytes === undefined || bytes.length === 0) return null
    parsed = parseState(bytes, path, versions)
    length = parsed.goodBytes
    isTorn = bytes.length > length
    return { saved: parsed.saved, batch: [] }
  }

  const openFile = async (): Promise<FileHandle> => {
    if (handle !== undefined) return handle
    handle = length === 0 ? await newFile(path) : await open(path, 'r+')
    if (length === 0) length = (await handle.stat()).size
    else if (parsed?.isUnended === true) length += await writeAll(handle, Buffer.from('\n'), length)
    return handle
  }

  const append = async (lines: readonly string[]): Promise<void> => {
    const file = await openFile()
    if (isTorn) await file.truncate(length)
    isTorn = true
    const bytes = bytesOf(lines)
    await writeAll(file, bytes, length)
    length += bytes.length
    isTorn = false
  }

  const close = async (): Promise<void> => {
    await handle?.close()
    handle = undefined
  }

  const compactNow = async (signal: AbortSignal): Promise<void> => {
    const into = compactedPath(path)
    const [until, of] = [length, begun]
    try {
      await compact(path, until, into, signal)
      await inTurn(async () => {
        signal.throwIfAborted()
        if (begun === of && (await isSameFile(path, await openFile()))) await moveTo(into, until)
      })
    } finally {
      await rm(into, { force: true })
    }
  }

  /** Goes on in a file that has all that holds up to a place of this one. */
  const moveTo = async (into: string, until: number): Promise<void> => {
    const compacted = await open(into, 'r+')
    try {
      const size = await appendTail(await openFile(), until, length, compacted)
      await rename(into, path)
      await close()
      handle = compacted
      length = size
    } catch (error) {
      await compacted.close()
      throw error
    }
  }

  return {
    get parsed() {
      return parsed
    },
    get length() {
      return length
    },
    read,
    open: async () => {
      await inTurn(openFile).catch((error) => {
        throw unusable(path, error)
      })
    },
    write: ({ batch }) => inTurn(() => append(batch)),
    isLost: async () => handle !== undefined && !(await isSameFile(path, handle)),
    beginAnew: (batch) =>
      inTurn(async () => {
        const fresh = await newFile(path, bytesOf(batch))
        await close()
        begun += 1
        isTorn = false
        handle = fresh
        length = (await fresh.stat()).size
      }),
    compact: compactNow,
    close: () => inTurn(close),
  }
}
