import type { Entry } from './entry.js'

/** What is looked for; every part that is left out matches everything. */
export interface EntryFilter {
  /** An operation's name, or its beginning followed by a point and an asterisk: `b-video-task.*`. */
  readonly operation?: string
  readonly status?: number
  /** A part of the path. */
  readonly path?: string
  /** A rule, or the beginning of one; `any` for every call that was refused. */
  readonly problem?: string
}

/** The latest calls of an account, newest last, within a bound. */
export interface Journal {
  add(entry: Entry): void
  get(id: string): Entry | undefined
  /** Newest first. */
  list(filter?: EntryFilter): Entry[]
  /** How many entries had to go to keep the bound. */
  readonly evicted: number
  clear(): void
}

export const createJournal = (most: number): Journal => {
  const entries = new Map<string, Entry>()
  let evicted = 0
  const evictOldest = () => {
    for (const id of entries.keys()) {
      entries.delete(id)
      evicted += 1
      return
    }
  }
  return {
    add: (entry) => {
      if (entries.size >= most) evictOldest()
      entries.set(entry.id, entry)
    },
    get: (id) => entries.get(id),
    list: (filter = {}) => [...entries.values()].filter((entry) => matches(entry, filter)).reverse(),
    get evicted() {
      return evicted
    },
    clear: () => {
      entries.clear()
      evicted = 0
    },
  }
}

export const matches = (entry: Entry, { operation, status, path, problem }: EntryFilter): boolean =>
  (operation === undefined || isNamed(entry.operation, operation)) &&
  (status === undefined || entry.status === status) &&
  (path === undefined || entry.path.includes(path)) &&
  (problem === undefined || isRefused(entry, problem))

const isNamed = (name: string | undefined, wanted: string): boolean =>
  wanted.endsWith('.*') ? name?.startsWith(wanted.slice(0, -1)) === true : name === wanted

const isRefused = ({ refusedBy }: Entry, problem: string): boolean =>
  problem === 'any' ? refusedBy.length > 0 : refusedBy.some(({ rule }) => rule.startsWith(problem))
