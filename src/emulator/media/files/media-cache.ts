import { createHash } from 'node:crypto'
import { existsSync, type Stats } from 'node:fs'
import { lstat, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { systemReason } from '../../core/errors.js'
import { defaultMediaFolder, makeFolder, removeStaleTemporaries, temporaryName } from './temporary-folders.js'

interface MediaCacheOptions {
  /** Folders, the best first: where one cannot be used, the next takes its place. */
  readonly folders: readonly string[]
  /** Bytes of all files of a folder. */
  readonly maxBytes?: number
  /** Receives a sentence when a folder cannot be used any more. */
  readonly onTrouble: (sentence: string) => void
}

/** 256 MiB: some hundred videos. */
const MAX_BYTES = 256 * 2 ** 20

/** Another process may add as much before this one looks at the folder again. */
const SLACK = 1 / 16

// What a later version of the package writes in another form has another name.
const ENTRY = /^1-[0-9a-f]{64}$/

export interface MediaCache {
  /** Bytes of an entry, by a name of 64 hex digits; undefined where it is not there, or is damaged. */
  read(name: string): Promise<Buffer | undefined>
  write(name: string, bytes: Buffer): Promise<void>
  /** The folder in use; undefined where nothing is kept. */
  folder(): string | undefined
}

/**
 * Cache on disk of rendered media, shared by processes and by versions of the package, and kept between runs. An entry is
 * written aside and renamed, and has its length and a checksum (SHA-256) in front: one that is damaged is removed, and counts as
 * missing. Entries that were not used for longest are evicted. A folder that cannot be used is named once, and the next one of
 * the list takes its place; nothing is raised.
 */
export const createMediaCache = ({
  folders,
  maxBytes = MAX_BYTES,
  onTrouble,
}: MediaCacheOptions): MediaCache => {
  let current = 0
  /** Folders that were opened: one that vanishes later was removed. */
  const opened = new Map<string, Promise<void>>()
  let bytesUntilEviction = 0

  const open = (folder: string): Promise<void> => {
    const known = opened.get(folder) ?? openFolder(folder)
    opened.set(folder, known)
    return known
  }

  const giveUp = (folder: string, cause: unknown): void => {
    // Of several calls that failed in the same folder, the first one is enough.
    if (folders[current] !== folder) return
    current += 1
    const next = folders[current]
    const then = next === undefined ? 'are not kept' : `are kept in ${next} from now on`
    onTrouble(`Rendered media cannot be kept in ${folder}: ${reasonOf(cause)}. They ${then}.`)
  }

  const withFolder = async <T>(use: (folder: string) => Promise<T>): Promise<T | undefined> => {
    for (;;) {
      const folder = folders[current]
      if (folder === undefined) return undefined
      try {
        await open(folder)
        return await use(folder)
      } catch (cause) {
        giveUp(folder, cause)
      }
    }
  }

  const evictAfter = async (folder: string, bytes: number): Promise<void> => {
    bytesUntilEviction -= bytes
    if (bytesUntilEviction > 0) return
    bytesUntilEviction = maxBytes * SLACK
    await evict(folder, maxBytes * (1 - SLACK))
  }

  return {
    read: (name) =>
      withFolder(async (folder) => {
        const path = join(folder, `1-${name}`)
        const bytes = contentOf(name, await readEntry(path))
        if (bytes === undefined) await rm(path, { force: true, recursive: true })
        // Its time is that of its last use.
        else await utimes(path, new Date(), new Date()).catch(() => undefined)
        return bytes
      }),
    write: async (name, bytes) => {
      await withFolder(async (folder) => {
        const head = headOf(name, bytes)
        await writeAside(join(folder, `1-${name}`), [head, bytes])
        await evictAfter(folder, head.length + bytes.length)
      })
    },
    folder: () => folders[current],
  }
}

/** @throws Error with the reason where a folder cannot be made, or is not this user's */
const openFolder = async (folder: string): Promise<void> => {
  await makeFolder(folder, 0o700).catch((cause) => {
    throw new Error(systemReason(cause))
  })
  if (!isOwn(await stat(folder))) throw new Error('it belongs to another user')
  await removeStaleTemporaries(folder)
}

const isOwn = ({ uid }: Stats): boolean => process.getuid === undefined || uid === process.getuid()

const reasonOf = (cause: unknown): string =>
  (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'it was removed' : systemReason(cause)

/** Line in front of the bytes of an entry. The checksum is of its name too: an entry under another name is not that one. */
const headOf = (name: string, bytes: Buffer): Buffer =>
  Buffer.from(`backlot ${bytes.length} ${createHash('sha256').update(name).update(bytes).digest('hex')}\n`)

const LONGEST_HEAD = 100

/** The file of an entry, or undefined where there is none. Only a regular file is read: another one might never end. */
const readEntry = async (path: string): Promise<Buffer | undefined> => {
  try {
    return (await lstat(path)).isFile() ? await readFile(path) : Buffer.alloc(0)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cause
  }
}

const contentOf = (name: string, file: Buffer | undefined): Buffer | undefined => {
  const begin = (file?.subarray(0, LONGEST_HEAD).indexOf('\n') ?? -1) + 1
  if (file === undefined || begin === 0) return undefined
  const bytes = file.subarray(begin)
  return headOf(name, bytes).equals(file.subarray(0, begin)) ? bytes : undefined
}

const writeAside = async (path: string, parts: readonly Buffer[]): Promise<void> => {
  const temporary = join(dirname(path), temporaryName())
  try {
    // In one piece: Bun takes no list of them.
    await writeFile(temporary, Buffer.concat(parts))
    await rename(temporary, path).catch(async (cause) => {
      // Windows replaces no file that is open: another process has added the same one, and reads it.
      if (!existsSync(path)) throw cause
      await rm(temporary, { force: true })
    })
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw cause
  }
}

/** Evicts entries, the one that was used longest ago first, until at most so many bytes are left. */
const evict = async (folder: string, maxBytes: number): Promise<void> => {
  const names = (await readdir(folder)).filter((name) => ENTRY.test(name))
  const entries = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      // Another process may have evicted it.
      const status = await lstat(path).catch(() => undefined)
      return { path, bytes: status?.size ?? 0, usedAt: status?.mtimeMs ?? 0 }
    }),
  )
  entries.sort((a, b) => a.usedAt - b.usedAt)
  let total = entries.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const { path, bytes } of entries) {
    if (total <= maxBytes) return
    await rm(path, { force: true }).catch(() => undefined)
    total -= bytes
  }
}

interface CacheFolderSettings {
  readonly mediaCache?: string | undefined
  readonly mediaFolder?: string | undefined
}

/**
 * Folders of the media cache, the best first (setting mediaCache): the one that is named; else one within mediaFolder, where that is
 * named; else `node_modules/.cache/backlot` of the project, else the user's folder for caches. The last is a temporary one.
 * None for `none`.
 */
export const mediaCacheFolders = async ({
  mediaCache,
  mediaFolder,
}: CacheFolderSettings): Promise<readonly string[]> => {
  if (mediaCache === 'none') return []
  const temporary = join(defaultMediaFolder(), 'cache')
  if (mediaCache !== undefined) return [resolve(mediaCache), temporary]
  if (mediaFolder !== undefined) return [join(resolve(mediaFolder), 'cache'), temporary]
  return [(await projectCache()) ?? userCache(), temporary]
}

/** `node_modules/.cache/backlot` of the nearest project; undefined where there is no such folder, or it is another user's. */
const projectCache = async (): Promise<string | undefined> => {
  try {
    for (let folder = process.cwd(); dirname(folder) !== folder; folder = dirname(folder)) {
      const modules = join(folder, 'node_modules')
      const status = await stat(modules).catch(() => undefined)
      if (status?.isDirectory()) return isOwn(status) ? join(modules, '.cache', 'backlot') : undefined
    }
  } catch {
    // The working directory was removed.
  }
  return undefined
}

const userCache = (): string => {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env
  if (process.platform === 'win32') return join(LOCALAPPDATA || homedir(), 'backlot', 'cache')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'backlot')
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'backlot')
}
