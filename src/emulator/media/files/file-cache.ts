import { lstatSync, type Stats } from 'node:fs'
import { copyFile, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createMutex, memoizeLoad } from '../../concurrency.js'
import { makeFolder, removeStaleTemporaries, temporaryName } from './temporary-folders.js'

/** Reference-counted file: it stays in the cache until it is released. */
export interface HeldFile {
  readonly path: string
  readonly bytes: number
  /** Holds the file once more; both have to be released. */
  retain(): HeldFile
  /** Releases the file; a second call does nothing. */
  release(): void
}

export interface FileCacheStats {
  readonly files: number
  readonly bytes: number
  /** Of these, the bytes that cannot be evicted. */
  readonly pinnedBytes: number
  readonly maxBytes: number
}

export interface FileCacheOptions {
  readonly folder: string
  readonly maxBytes: number
  /** Which files of the folder belong to the cache. */
  readonly namePattern: RegExp
  /** Waits for the disk before a file counts as added (setting stateFsync). Default: no. */
  readonly fsync?: boolean
  readonly onEvict?: () => void
  /** Raises an error where pinned files leave no room. Default: the cache grows beyond its size until they are released. */
  readonly onNoRoom?: (bytes: number, stats: FileCacheStats) => never
}

type WriteFile = (path: string) => Promise<unknown>

interface Entry {
  bytes: number
  pins: number
}

/**
 * Content-addressed file cache: files of one folder, named by the hash of what they are made from, evicted in LRU order.
 * Nothing is made on disk before the first file. Files that an earlier process left are used again. Two processes may
 * share a folder, since a file is written under another name and renamed.
 */
export const createFileCache = ({ folder, maxBytes, ...options }: FileCacheOptions) => {
  // LRU index: a Map keeps its order of insertion, so the first entry is the least recently used.
  const entries = new Map<string, Entry>()
  let total = 0
  const mutex = createMutex()
  const pathOf = (name: string) => join(folder, name)

  const set = (name: string, entry: Entry): void => {
    drop(name)
    entries.set(name, entry)
    total += entry.bytes
  }
  const drop = (name: string): void => {
    total -= entries.get(name)?.bytes ?? 0
    entries.delete(name)
  }
  const stats = (): FileCacheStats => {
    let pinnedBytes = 0
    for (const { bytes, pins } of entries.values()) if (pins > 0) pinnedBytes += bytes
    return { files: entries.size, bytes: total, pinnedBytes, maxBytes }
  }

  const load = memoizeLoad(async () => {
    for (const { name, bytes } of await filesIn(folder, options.namePattern)) set(name, { bytes, pins: 0 })
    await evict(maxBytes)
  })

  /** Evicts unpinned files, least recently used first, until at most so many bytes are left. */
  const evict = async (max: number): Promise<void> => {
    let hasEvicted = false
    for (const [name, { pins }] of entries) {
      if (total <= max) break
      if (pins > 0) continue
      hasEvicted = true
      drop(name)
      // A file that cannot be removed now is found again at the next start.
      await rm(pathOf(name), { force: true }).catch(() => undefined)
    }
    if (hasEvicted) options.onEvict?.()
  }

  /** Entry of a file that is there whole, which is then the most recently used one. */
  const use = (name: string): Entry | undefined => {
    const entry = entries.get(name)
    if (entry === undefined) return undefined
    if (isWhole(pathOf(name), entry.bytes)) {
      set(name, entry)
      return entry
    }
    // Systems remove temporary files. A pinned file keeps its pins for when it is added again.
    if (entry.pins === 0) drop(name)
    return undefined
  }

  const acquire = (name: string, entry: Entry): HeldFile => {
    let isHeld = true
    entry.pins += 1
    return {
      path: pathOf(name),
      bytes: entry.bytes,
      retain: () => acquire(name, entry),
      release: () => {
        if (!isHeld) return
        isHeld = false
        entry.pins -= 1
        if (total > maxBytes) void mutex.run(() => evict(maxBytes))
      },
    }
  }

  const hold = async (name: string): Promise<HeldFile | undefined> => {
    await load()
    const entry = use(name)
    return entry && acquire(name, entry)
  }

  return {
    path: pathOf,
    stats,
    /** Adds a file unless it is there. `write` writes it to the path that it is given. */
    add: (name: string, bytes: number, write: WriteFile): Promise<HeldFile> =>
      // One at a time: otherwise the eviction of a file could remove a new one of the same name.
      mutex.run(async () => {
        const there = await hold(name)
        if (there?.bytes === bytes) return there
        // A machine that lost power can have left a shorter one.
        there?.release()
        const before = stats()
        // One that is cut short counts already, and so does a pinned one that has vanished.
        const more = bytes - (entries.get(name)?.bytes ?? 0)
        if (before.pinnedBytes + more > maxBytes) options.onNoRoom?.(bytes, before)
        await evict(maxBytes - more)
        await writeWhole(folder, name, write, options.fsync).catch((error) => {
          // Windows replaces no file that is open: another process has added the same one, and sends it.
          if (!isWhole(pathOf(name), bytes)) throw error
        })
        const entry = entries.get(name) ?? { bytes, pins: 0 }
        drop(name)
        entry.bytes = bytes
        set(name, entry)
        return acquire(name, entry)
      }),
    has: async (name: string): Promise<boolean> => {
      await load()
      return use(name) !== undefined
    },
    hold,
    read: async (name: string): Promise<Buffer | undefined> => {
      const file = await hold(name)
      return file && readFile(file.path).finally(file.release)
    },
    /** Keeps a file from being evicted until it is unpinned as often. `false`: there is no such file. */
    pin: async (name: string): Promise<boolean> => (await hold(name)) !== undefined,
    unpin: async (name: string): Promise<void> => {
      await load()
      const entry = entries.get(name)
      if (entry !== undefined) entry.pins = Math.max(0, entry.pins - 1)
    },
    /** Removes the folder with all files, pinned or not. */
    remove: (): Promise<void> =>
      mutex.run(() => {
        entries.clear()
        total = 0
        return rm(folder, { recursive: true, force: true })
      }),
    /** Removes every file that is not pinned. */
    evictAll: (): Promise<void> => mutex.run(() => load().then(() => evict(0))),
  }
}

// Another process may have cut it short, or put a link in its place that leads out of the folder.
const isWhole = (path: string, bytes: number): boolean => statusOf(path)?.size === bytes

/**
 * Status of a file; undefined where there is none, or something else. The synchronous call takes a few microseconds here,
 * and twenty times as long by way of a thread.
 */
const statusOf = (path: string): Stats | undefined => {
  try {
    const status = lstatSync(path)
    return status.isFile() ? status : undefined
  } catch {
    return undefined
  }
}

/** Writes a file that is there whole or not at all; makes the folder where it is missing. */
const writeWhole = async (folder: string, name: string, write: WriteFile, fsync = false): Promise<void> => {
  const temporary = join(folder, temporaryName())
  try {
    await write(temporary).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      await makeFolder(folder, 0o700)
      await write(temporary)
    })
    if (fsync) await waitForDisk(temporary)
    await rename(temporary, join(folder, name))
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
}

const waitForDisk = async (path: string): Promise<void> => {
  const file = await open(path, 'r+')
  await file.datasync().finally(() => file.close())
}

/** Moves a file, also from another disk. */
export const moveFile = async (from: string, to: string): Promise<void> => {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    await copyFile(from, to)
    await rm(from, { force: true })
  }
}

/** The files of a folder, the oldest first; none where there is no such folder. Stale temporary files are removed. */
const filesIn = async (folder: string, pattern: RegExp): Promise<{ name: string; bytes: number }[]> => {
  await removeStaleTemporaries(folder)
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names
    .filter((name) => pattern.test(name))
    .flatMap((name) => {
      const status = statusOf(join(folder, name))
      return status === undefined ? [] : [{ name, bytes: status.size, at: status.mtimeMs }]
    })
    .sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1))
}
