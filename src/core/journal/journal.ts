import { createGroupedList, type GroupedItem, type GroupedList } from '../collections/grouped-list.js'
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

/** The facts by which calls are listed. */
interface CallFacts {
  readonly operation: string | undefined
  readonly status: number
  /** The rules that refused the call. */
  readonly rules: readonly string[]
  /** Whether it is the place of something else than a call, which no list shows. */
  readonly isHidden: boolean
  /** All of these in one text. */
  readonly name: string
}

/** A call in a list. */
export interface ListedCall extends GroupedItem<CallFacts> {
  /** Undefined: the item is hidden. */
  readonly entry: JournalEntry | undefined
}

/** Calls in the order in which they came. */
type CallList<T extends ListedCall = ListedCall> = GroupedList<CallFacts, T>

export const createCallList = <T extends ListedCall = ListedCall>(): CallList<T> =>
  createGroupedList(({ name }) => name)

export const factsOf = (entry: JournalEntry | undefined): CallFacts => {
  if (entry === undefined) return hidden
  const { operation, status, refusedBy } = entry
  const rules = refusedBy.map(({ rule }) => rule)
  return { operation, status, rules, isHidden: false, name: `${operation} ${status} ${rules.join(' ')}` }
}

const hidden: CallFacts = { operation: undefined, status: 0, rules: [], isHidden: true, name: '' }

/** A page of the calls that match, newest first, and how many match. */
export const pageOfCalls = <T extends ListedCall>(
  list: CallList<T>,
  filter: EntryFilter,
  offset: number,
  limit: number,
): { items: JournalEntry[]; total: number } => {
  const matches = (facts: CallFacts) => matchesFacts(facts, filter)
  const { path } = filter
  if (path === undefined) {
    const { items, total } = list.page(matches, offset, limit)
    return { items: items.flatMap(entryOf), total }
  }
  const found = [...list.newest(matches)].filter(({ entry }) => entry?.path.includes(path))
  return { items: found.slice(offset, offset + limit).flatMap(entryOf), total: found.length }
}

/** Journal: the latest calls of an account. */
export interface Journal {
  readonly size: number
  /** How many calls were removed. */
  readonly evicted: number
  add(entry: JournalEntry, facts?: CallFacts): void
  removeOldest(): void
  get(id: string): JournalEntry | undefined
  /** Newest first. */
  list(filter?: EntryFilter): JournalEntry[]
  page(filter: EntryFilter, offset: number, limit: number): { items: JournalEntry[]; total: number }
}

export const createJournal = (): Journal => {
  const calls = createCallList()
  const byId = new Map<string, ListedCall>()
  let evicted = 0
  return {
    get size() {
      return calls.size
    },
    get evicted() {
      return evicted
    },
    add: (entry, facts = factsOf(entry)) => void byId.set(entry.id, calls.add({ entry }, facts)),
    removeOldest: () => {
      const oldest = calls.oldest()
      if (oldest?.entry === undefined) return
      calls.remove(oldest)
      if (byId.get(oldest.entry.id) === oldest) byId.delete(oldest.entry.id)
      evicted += 1
    },
    get: (id) => byId.get(id)?.entry,
    list: (filter = {}) => pageOfCalls(calls, filter, 0, Number.POSITIVE_INFINITY).items,
    page: (filter, offset, limit) => pageOfCalls(calls, filter, offset, limit),
  }
}

const entryOf = ({ entry }: ListedCall): JournalEntry[] => (entry === undefined ? [] : [entry])

const matchesFacts = (call: CallFacts, { operation, status, problem }: EntryFilter): boolean =>
  !call.isHidden &&
  (operation === undefined || isNamed(call.operation, operation)) &&
  (status === undefined || call.status === status) &&
  (problem === undefined || isRefused(call.rules, problem))

const isNamed = (name: string | undefined, wanted: string): boolean =>
  wanted.endsWith('.*') ? name?.startsWith(wanted.slice(0, -1)) === true : name === wanted

const isRefused = (rules: readonly string[], problem: string): boolean =>
  problem === 'any' ? rules.length > 0 : rules.some((rule) => rule.startsWith(problem))
