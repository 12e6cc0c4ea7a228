import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readStandIn } from '../../../core/media/stand-in.js'

/**
 * SHA-256 in hex, computed beside the event loop: fifty megabytes take a tenth of a second. Of a stand-in it is that of
 * the medium it stands for.
 */
export const hashOfBytes = async (bytes: Uint8Array): Promise<string> => {
  const standIn = readStandIn(bytes)
  if (standIn !== undefined) return standIn.sha256
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return Buffer.from(digest).toString('hex')
}

export const hashOfFile = async (path: string): Promise<{ hash: string; bytes: number }> => {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(piece)
    bytes += piece.length
  }
  return { hash: hash.digest('hex'), bytes }
}

export const readIfThere = async (path: string): Promise<Uint8Array | undefined> => {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    (status) => status.isFile(),
    () => false,
  )

/** Writes a file so that nobody ever sees half of it: under another name first. */
export const writeWhole = async (path: string, bytes: Uint8Array): Promise<void> => {
  const unfinished = unfinishedName(path)
  try {
    await writeFile(unfinished, bytes)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    throw error
  }
}

/** Moves a file, also from another disk. */
export const moveWhole = async (from: string, to: string): Promise<void> => {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    const unfinished = unfinishedName(to)
    await copyFile(from, unfinished)
    await rename(unfinished, to)
    await rm(from, { force: true })
  }
}

export interface FoundBlob {
  readonly hash: string
  readonly bytes: number
}

/** Makes the folder, removes what was left unfinished, and lists the blobs that it holds, the oldest first. */
export const openFolder = async (folder: string): Promise<readonly FoundBlob[]> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = await readdir(folder)
  const unfinished = names.filter((name) => name.endsWith(UNFINISHED))
  await Promise.all(unfinished.map((name) => rm(join(folder, name), { force: true })))
  const hashes = names.filter((name) => /^[0-9a-f]{64}$/.test(name))
  const found = await Promise.all(
    hashes.map(async (hash) => {
      const status = await lstat(join(folder, hash))
      // A link could lead anywhere.
      return status.isFile() ? [{ hash, bytes: status.size, mtimeMs: status.mtimeMs }] : []
    }),
  )
  return found.flat().sort((a, b) => a.mtimeMs - b.mtimeMs)
}

const UNFINISHED = '.unfinished'

const unfinishedName = (path: string): string => `${path}.${randomUUID()}${UNFINISHED}`
