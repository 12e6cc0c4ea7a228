import { GroupedItem, GroupedList } from '../collections/grouped-list.js'
import { isNamed } from '../scenario/selector.js'
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
  /** How many calls were evicted from it. */
  readonly evicted: number
  get(id: string): JournalEntry | undefined
  /** The calls that match, newest first. Default: all. */
  list(filter?: EntryFilter): JournalEntry[]
  /** A page of the calls that match, newest first, and how many match. */
  page(filter: EntryFilter, offset: number, limit: number): { items: JournalEntry[]; total: number }
}

interface CallFacts {
  readonly operation: string | undefined
  readonly status: number
  readonly rules: readonly string[]
}

/** Undefined where the record is no call. */
type RecordFacts = CallFacts | undefined

/** Facts of a call by which journals are filtered. */
export const factsOf = ({ operation, status, refusedBy }: JournalEntry): CallFacts => ({
  operation,
  status,
  rules: refusedBy.map(({ rule }) => rule),
})

/** Item in the list of a journal. */
export class JournalItem extends GroupedItem<RecordFacts> {
  /** @param entry the call, or undefined for another record that stands between the calls */
  constructor(readonly entry: JournalEntry | undefined) {
    super()
  }
}

/** Index of calls by what journals are filtered by. */
export type CallList<T extends JournalItem> = GroupedList<RecordFacts, T>

export const createCallList = <T extends JournalItem>(): CallList<T> =>
  new GroupedList<RecordFacts, T>(areSame)

const areSame = (one: RecordFacts, other: RecordFacts): boolean => {
  if (one === undefined || other === undefined) return one === other
  const { operation, status, rules } = other
  return (
    one.operation === operation &&
    one.status === status &&
    one.rules.length === rules.length &&
    one.rules.every((rule, nth) => rule === rules[nth])
  )
}

/** @param list undefined: there are no calls */
export const createJournal = (
  list: Pick<CallList<JournalItem>, 'page' | 'newestFirst'> | undefined,
  evicted = 0,
): Journal => {
  const page: Journal['page'] = ({ path, ...filter }, offset, limit) => {
    if (list === undefined) return { items: [], total: 0 }
    const isWanted = (facts: RecordFacts) => facts !== undefined && matchesFacts(facts, filter)
    if (path === undefined) {
      const { items, total } = list.page(isWanted, offset, limit)
      return { items: items.map(entryOf), total }
    }
    // There are too many paths for an index.
    const entries = [...list.newestFirst(isWanted)].map(entryOf).filter((entry) => entry.path.includes(path))
    return { items: entries.slice(offset, offset + limit), total: entries.length }
  }
  return {
    evicted,
    get: (id) => {
      for (const { entry } of list?.newestFirst((facts) => facts !== undefined) ?? [])
        if (entry?.id === id) return entry
      return undefined
    },
    list: (filter = {}) => page(filter, 0, Number.POSITIVE_INFINITY).items,
    page,
  }
}

const entryOf = ({ entry }: JournalItem) => entry as JournalEntry

const matchesFacts = (facts: CallFacts, { operation, status, problem }: Omit<EntryFilter, 'path'>): boolean =>
  (operation === undefined || (facts.operation !== undefined && isNamed(operation, facts.operation))) &&
  (status === undefined || facts.status === status) &&
  (problem === undefined || isRefused(facts, problem))

const isRefused = ({ rules }: CallFacts, problem: string): boolean =>
  problem === 'any' ? rules.length > 0 : rules.some((rule) => rule.startsWith(problem))
