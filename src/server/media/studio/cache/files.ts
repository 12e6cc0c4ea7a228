import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isLeftover, scratchName } from './scratch.js'

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
  put(name: string, content: Uint8Array): Promise<HeldFile>
  bytes(): number
}

interface Entry {
  readonly bytes: number
  holders: number
}

export const createFiles = (folder: string, maxBytes: number): Files => {
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
  const evict = () => {
    for (const [name, { holders }] of entries) {
      if (total <= maxBytes) return
      if (holders > 0) continue
      forget(name)
      rm(join(folder, name), { force: true }).catch(() => undefined)
    }
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
        evict()
      },
    }
  }
  let index: Promise<void> | undefined
  return {
    ready: () => {
      index ??= filesIn(folder).then((files) => {
        for (const { name, bytes } of files) add(name, bytes, 0)
        evict()
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
      return stat(file.path).then(
        () => file,
        () => {
          if (entries.get(name) === entry) forget(name)
          return undefined
        },
      )
    },
    put: async (name, content) => {
      const scratch = join(folder, scratchName())
      await mkdir(folder, { recursive: true })
      await writeFile(scratch, content)
      await rename(scratch, join(folder, name))
      const file = held(name, add(name, content.byteLength, 1))
      evict()
      return file
    },
    bytes: () => total,
  }
}

const DRAWN = /^[0-9a-f]{64}\.(png|mp4)$/

/** What is in a folder, the oldest first; nothing when there is no such folder. What a dead process left half done is removed. */
const filesIn = async (folder: string): Promise<{ name: string; bytes: number }[]> => {
  const names = await readdir(folder).catch(() => [])
  await Promise.all(
    names.filter(isLeftover).map((name) => rm(join(folder, name), { recursive: true, force: true })),
  )
  const found = await Promise.all(
    names
      .filter((name) => DRAWN.test(name))
      .map(async (name) => ({ name, status: await stat(join(folder, name)).catch(() => undefined) })),
  )
  return found
    .flatMap(({ name, status }) => (status ? [{ name, bytes: status.size, at: status.mtimeMs }] : []))
    .sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1))
}
