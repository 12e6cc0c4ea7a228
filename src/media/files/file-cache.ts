import { lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removeStaleTemporaries, temporaryName } from './temporary-folders.js'

/** A file that stays where it is until it is released. */
export interface HeldFile {
  readonly path: string
  readonly bytes: number
  /** Held once more; both have to be released. */
  again(): HeldFile
  /** The second call does nothing. */
  release(): void
}

/**
 * Drawn files on disk, the least recently used thrown out first. Files that an earlier process has left are used again:
 * they are named by what they show. Two processes may share a folder, since a file is there whole or not at all.
 */
export interface Files {
  /** Looks at what is in the folder, once. Nothing else may be called before. */
  ready(): Promise<void>
  /** Undefined where there is none, decided at once; a promise of undefined where somebody else has deleted it. */
  take(name: string): Promise<HeldFile | undefined> | undefined
  /** Makes the folder where it is not there (any more). What could not be written whole leaves nothing behind. */
  put(name: string, content: Uint8Array): Promise<HeldFile>
  /** Deletes every file that nobody holds. */
  makeRoom(): Promise<void>
  bytes(): number
}

interface Entry {
  readonly bytes: number
  holders: number
}

/** `onEvicted` is told of every file that has to make room. */
export const createFiles = (folder: string, maxBytes: number, onEvicted = () => {}): Files => {
  // In the order of their last use.
  const entries = new Map<string, Entry>()
  let total = 0
  const add = (name: string, bytes: number, holders: number): Entry => {
    const entry = { bytes, holders: (entries.get(name)?.holders ?? 0) + holders }
    forget(name)
    entries.set(name, entry)
    total += bytes
    return entry
  }
  const forget = (name: string) => {
    total -= entries.get(name)?.bytes ?? 0
    entries.delete(name)
  }
  const evict = (most = maxBytes): Promise<unknown> => {
    const leaving: Promise<unknown>[] = []
    for (const [name, { holders }] of entries) {
      if (total <= most) break
      if (holders > 0) continue
      forget(name)
      onEvicted()
      leaving.push(rm(join(folder, name), { force: true }).catch(() => undefined))
    }
    return Promise.all(leaving)
  }
  const held = (name: string, entry: Entry): HeldFile => {
    let isHeld = true
    return {
      path: join(folder, name),
      bytes: entry.bytes,
      again: () => {
        entry.holders += 1
        return held(name, entry)
      },
      release: () => {
        if (!isHeld) return
        isHeld = false
        entry.holders -= 1
        void evict()
      },
    }
  }
  let index: Promise<void> | undefined
  return {
    ready: () => {
      index ??= filesIn(folder).then((files) => {
        for (const { name, bytes } of files) add(name, bytes, 0)
        void evict()
      })
      return index
    },
    take: (name) => {
      const entry = entries.get(name)
      if (!entry) return undefined
      entries.delete(name)
      entries.set(name, entry)
      entry.holders += 1
      const file = held(name, entry)
      return isWhole(file).then((isThere) => {
        if (isThere) return file
        if (entries.get(name) === entry) forget(name)
        return undefined
      })
    },
    put: async (name, content) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeWhole(join(folder, temporaryName()), join(folder, name), content)
      const file = held(name, add(name, content.byteLength, 1))
      void evict()
      return file
    },
    makeRoom: async () => void (await evict(0)),
    bytes: () => total,
  }
}

// Somebody else may have removed it, cut it short, or put a link in its place that leads out of the folder.
const isWhole = ({ path, bytes }: HeldFile): Promise<boolean> =>
  lstat(path).then(
    (status) => status.isFile() && status.size === bytes,
    () => false,
  )

const writeWhole = async (scratch: string, path: string, content: Uint8Array): Promise<void> => {
  try {
    await writeFile(scratch, content)
    await rename(scratch, path)
  } catch (error) {
    await rm(scratch, { force: true }).catch(() => undefined)
    throw error
  }
}

const DRAWN = /^[0-9a-f]{64}\.(png|mp4)$/

/** What is in a folder, the oldest first; nothing when there is no such folder. What a dead process left half done is removed. */
const filesIn = async (folder: string): Promise<{ name: string; bytes: number }[]> => {
  await removeStaleTemporaries(folder)
  const names = await readdir(folder).catch(() => [])
  const found = await Promise.all(
    names
      .filter((name) => DRAWN.test(name))
      .map(async (name) => ({ name, status: await lstat(join(folder, name)).catch(() => undefined) })),
  )
  return found
    .flatMap(({ name, status }) =>
      status?.isFile() ? [{ name, bytes: status.size, at: status.mtimeMs }] : [],
    )
    .sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1))
}
