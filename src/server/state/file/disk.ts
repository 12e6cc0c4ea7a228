import { type FileHandle, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { unusable } from '../errors.js'
import { headerLine } from './lines.js'

const COMPACTED = '.compacted'
const BEGUN = '.begun'

/** Where a file is written that is to take the place of the one at `path`. */
export const compactedPath = (path: string): string => `${path}${COMPACTED}`

/** Removes what a process that was killed in the middle has left. */
export const sweep = async (path: string): Promise<void> => {
  for (const ending of [COMPACTED, BEGUN]) await rm(path + ending, { force: true })
}

/** The whole file; undefined where there is none. @throws EmulatorError `state-unusable` */
export const readIfThere = async (path: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusable(path, error)
  }
}

/** A file with a header and a first batch, open and in its place. API keys stand in it. */
export const newFile = async (path: string, batch: Buffer = Buffer.alloc(0)): Promise<FileHandle> => {
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
export const writeAll = async (file: FileHandle, bytes: Buffer, at: number): Promise<number> => {
  for (let written = 0; written < bytes.length; )
    written += (await file.write(bytes, written, bytes.length - written, at + written)).bytesWritten
  return bytes.length
}

/** Whether the file that was opened is still the one of this name. */
export const isSameFile = async (path: string, handle: FileHandle): Promise<boolean> => {
  const [named, opened] = await Promise.all([stat(path).catch(() => undefined), handle.stat()])
  return named?.ino === opened.ino && named.dev === opened.dev
}

/** Adds what was written from one place to another of a file to the end of a second one; answers the size of that. */
export const appendTail = async (
  from: FileHandle,
  begin: number,
  end: number,
  to: FileHandle,
): Promise<number> => {
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
