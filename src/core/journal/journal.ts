import type { JournalEntry } from './entry.js'

/** Journal filter; an undefined part matches everything. */
export interface EntryFilter {
  /** An operation's name, or its beginning followed by a point and an asterisk: `b-video-task.*`. */
  readonly operation?: string
  readonly status?: number
  /** A part of the path. */
  readonly path?: string
  /** A rule, or the beginning of one; `any` for every call that was refused. */
  readonly problem?: string
}

/** An entry, or what makes it: most are never looked at, and are made when somebody does. */
export type LazyEntry = JournalEntry | (() => JournalEntry)

/** Journal: ring of the latest calls of an account, newest last. */
export interface Journal {
  /** `bytes`: its approximate memory; default: 0. */
  add(kept: LazyEntry, bytes?: number): void
  get(id: string): JournalEntry | undefined
  /** Newest first. */
  list(filter?: EntryFilter): JournalEntry[]
  /** How many entries there are, and about how many bytes they take. */
  readonly size: number
  readonly bytes: number
  /** How many entries had to go to keep a bound. */
  readonly evicted: number
  /** Makes room elsewhere. */
  dropOldest(): void
  clear(): void
}

export const createJournal = (most: number): Journal => {
  // A ring: once it is full, the place of the oldest is taken.
  const ring: (LazyEntry | undefined)[] = []
  const sizes: number[] = []
  let [added, dropped, total] = [0, 0, 0]
  const madeAt = (place: number): JournalEntry => {
    const kept = ring[place] as LazyEntry
    const entry = typeof kept === 'function' ? kept() : kept
    ring[place] = entry
    return entry
  }
  const newestFirst = (): JournalEntry[] =>
    Array.from({ length: added - dropped }, (_, age) => madeAt((added - 1 - age) % most))
  const dropOldest = () => {
    const place = dropped % most
    total -= sizes[place] ?? 0
    ring[place] = undefined
    dropped += 1
  }
  return {
    add: (kept, bytes = 0) => {
      if (added - dropped === most) dropOldest()
      ring[added % most] = kept
      sizes[added % most] = bytes
      total += bytes
      added += 1
    },
    get: (id) => newestFirst().find((entry) => entry.id === id),
    list: (filter = {}) => newestFirst().filter((entry) => matches(entry, filter)),
    get size() {
      return added - dropped
    },
    get bytes() {
      return total
    },
    get evicted() {
      return dropped
    },
    dropOldest: () => {
      if (added > dropped) dropOldest()
    },
    clear: () => {
      ring.length = 0
      sizes.length = 0
      added = 0
      dropped = 0
      total = 0
    },
  }
}

const matches = (entry: JournalEntry, { operation, status, path, problem }: EntryFilter): boolean =>
  (operation === undefined || isNamed(entry.operation, operation)) &&
  (status === undefined || entry.status === status) &&
  (path === undefined || entry.path.includes(path)) &&
  (problem === undefined || isRefused(entry, problem))

const isNamed = (name: string | undefined, wanted: string): boolean =>
  wanted.endsWith('.*') ? name?.startsWith(wanted.slice(0, -1)) === true : name === wanted

const isRefused = ({ refusedBy }: JournalEntry, problem: string): boolean =>
  problem === 'any' ? refusedBy.length > 0 : refusedBy.some(({ rule }) => rule.startsWith(problem))
