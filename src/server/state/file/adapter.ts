import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import type { Adapter } from 'lowdb'
import type { StoredState } from '../../../core/state/saved.js'
import { oneByOne } from '../../media/one-by-one.js'
import { unusable } from '../errors.js'
import { compact } from './compact.js'
import { appendTail, compactedPath, isSameFile, newFile, readIfThere, writeAll } from './disk.js'
import { createBatchBytes } from './lines.js'
import { type ParsedState, parseState, type Versions } from './parse.js'

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
  const inTurn = oneByOne()
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
