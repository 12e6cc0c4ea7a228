import type { JournalEntry } from './entry.js'

/** Journal filter; an undefined part matches everything. */
interface EntryFilter {
  /** An operation's name, or its beginning followed by a point and an asterisk: `b-video-task.*`. */
  readonly operation?: string
  readonly status?: number
  /** A part of the path. */
  readonly path?: string
  /** A rule, or the beginning of one; `any` for every call that was refused. */
  readonly problem?: string
}

/** Journal: the latest calls of an account, or of all accounts. */
export interface Journal {
  /** How many calls were evicted. */
  readonly evicted: number
  get(id: string): JournalEntry | undefined
  /** Newest first. */
  list(filter?: EntryFilter): JournalEntry[]
  /** A page of the calls that match, newest first, and how many match. */
  page(filter: EntryFilter, offset: number, limit: number): { items: JournalEntry[]; total: number }
}

/** @param calls newest first; there are as many as a journal may keep, so that each look reads them all */
export const createJournal = (calls: () => Iterable<JournalEntry>, evicted = 0): Journal => {
  const page: Journal['page'] = (filter, offset, limit) => {
    const items: JournalEntry[] = []
    let total = 0
    for (const entry of calls()) {
      if (!matchesEntry(entry, filter)) continue
      if (total >= offset && items.length < limit) items.push(entry)
      total += 1
    }
    return { items, total }
  }
  return {
    evicted,
    get: (id) => {
      for (const entry of calls()) if (entry.id === id) return entry
      return undefined
    },
    list: (filter = {}) => page(filter, 0, Number.POSITIVE_INFINITY).items,
    page,
  }
}

const matchesEntry = (entry: JournalEntry, { operation, status, path, problem }: EntryFilter): boolean =>
  (operation === undefined || isNamed(entry.operation, operation)) &&
  (status === undefined || entry.status === status) &&
  (path === undefined || entry.path.includes(path)) &&
  (problem === undefined || isRefused(entry, problem))

const isNamed = (name: string | undefined, wanted: string): boolean =>
  wanted.endsWith('.*') ? name?.startsWith(wanted.slice(0, -1)) === true : name === wanted

const isRefused = ({ refusedBy }: JournalEntry, problem: string): boolean =>
  problem === 'any' ? refusedBy.length > 0 : refusedBy.some(({ rule }) => rule.startsWith(problem))
