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
export class FileCache {
  readonly #options: FileCacheOptions
  // LRU index: a Map keeps its order of insertion, so the first entry is the least recently used.
  readonly #entries = new Map<string, Entry>()
  readonly #mutex = createMutex()
  readonly #load: () => Promise<void>
  #total = 0

  constructor(options: FileCacheOptions) {
    const { folder, maxBytes, namePattern } = options
    this.#options = options
    this.#load = memoizeLoad(async () => {
      for (const { name, bytes } of await filesIn(folder, namePattern)) this.#set(name, { bytes, pins: 0 })
      await this.#evict(maxBytes)
    })
  }

  path(name: string): string {
    return join(this.#options.folder, name)
  }

  stats(): FileCacheStats {
    let pinnedBytes = 0
    for (const { bytes, pins } of this.#entries.values()) if (pins > 0) pinnedBytes += bytes
    const { maxBytes } = this.#options
    return { files: this.#entries.size, bytes: this.#total, pinnedBytes, maxBytes }
  }

  /** Adds a file unless it is there. `write` writes it to the path that it is given. */
  add(name: string, bytes: number, write: WriteFile): Promise<HeldFile> {
    // One at a time: otherwise the eviction of a file could remove a new one of the same name.
    return this.#mutex.run(async () => {
      const there = await this.hold(name)
      if (there?.bytes === bytes) return there
      // A machine that lost power can have left a shorter one.
      there?.release()
      await this.#makeRoom(name, bytes)
      const { folder, fsync } = this.#options
      await writeWhole(folder, name, write, fsync).catch((error) => {
        // Windows replaces no file that is open: another process has added the same one, and sends it.
        if (!isWhole(this.path(name), bytes)) throw error
      })
      const entry = this.#entries.get(name) ?? { bytes, pins: 0 }
      this.#drop(name)
      entry.bytes = bytes
      this.#set(name, entry)
      return this.#acquire(name, entry)
    })
  }

  async has(name: string): Promise<boolean> {
    await this.#load()
    return this.#use(name) !== undefined
  }

  /** Holds a file, so that it stays until it is released. Undefined where there is no such file. */
  async hold(name: string): Promise<HeldFile | undefined> {
    await this.#load()
    const entry = this.#use(name)
    return entry && this.#acquire(name, entry)
  }

  async read(name: string): Promise<Buffer | undefined> {
    const file = await this.hold(name)
    return file && readFile(file.path).finally(file.release)
  }

  /** Keeps a file from being evicted until it is unpinned as often. `false`: there is no such file. */
  async pin(name: string): Promise<boolean> {
    return (await this.hold(name)) !== undefined
  }

  async unpin(name: string): Promise<void> {
    await this.#load()
    const entry = this.#entries.get(name)
    if (entry !== undefined) entry.pins = Math.max(0, entry.pins - 1)
  }

  /** Removes the folder with all files, pinned or not. */
  remove(): Promise<void> {
    return this.#mutex.run(() => {
      this.#entries.clear()
      this.#total = 0
      return rm(this.#options.folder, { recursive: true, force: true })
    })
  }

  /** Removes every file that is not pinned. */
  evictAll(): Promise<void> {
    return this.#mutex.run(() => this.#load().then(() => this.#evict(0)))
  }

  #set(name: string, entry: Entry): void {
    this.#drop(name)
    this.#entries.set(name, entry)
    this.#total += entry.bytes
  }

  #drop(name: string): void {
    this.#total -= this.#entries.get(name)?.bytes ?? 0
    this.#entries.delete(name)
  }

  /** Evicts what a file takes of the room. One that is cut short counts already, and so does a pinned one that has vanished. */
  async #makeRoom(name: string, bytes: number): Promise<void> {
    const { maxBytes, onNoRoom } = this.#options
    const before = this.stats()
    const more = bytes - (this.#entries.get(name)?.bytes ?? 0)
    if (before.pinnedBytes + more > maxBytes) onNoRoom?.(bytes, before)
    await this.#evict(maxBytes - more)
  }

  /** Evicts unpinned files, least recently used first, until at most so many bytes are left. */
  async #evict(max: number): Promise<void> {
    let hasEvicted = false
    for (const [name, { pins }] of this.#entries) {
      if (this.#total <= max) break
      if (pins > 0) continue
      hasEvicted = true
      this.#drop(name)
      // A file that cannot be removed now is found again at the next start.
      await rm(this.path(name), { force: true }).catch(() => undefined)
    }
    if (hasEvicted) this.#options.onEvict?.()
  }

  /** Entry of a file that is there whole, which is then the most recently used one. */
  #use(name: string): Entry | undefined {
    const entry = this.#entries.get(name)
    if (entry === undefined) return undefined
    if (isWhole(this.path(name), entry.bytes)) {
      this.#set(name, entry)
      return entry
    }
    // Systems remove temporary files. A pinned file keeps its pins for when it is added again.
    if (entry.pins === 0) this.#drop(name)
    return undefined
  }

  #acquire(name: string, entry: Entry): HeldFile {
    const { maxBytes } = this.#options
    let isHeld = true
    entry.pins += 1
    return {
      path: this.path(name),
      bytes: entry.bytes,
      retain: () => this.#acquire(name, entry),
      release: () => {
        if (!isHeld) return
        isHeld = false
        entry.pins -= 1
        if (this.#total > maxBytes) void this.#mutex.run(() => this.#evict(maxBytes))
      },
    }
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
