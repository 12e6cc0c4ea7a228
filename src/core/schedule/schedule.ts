import { createHeap, type HeapEntry } from '../collections/heap.js'
import type { Instant } from './time.js'

/** Scheduled event: something due at an instant of an account's clock. `id` says of what, `index` which of its moments. */
export interface ScheduledEvent {
  readonly at: Instant
  readonly kind: 'task' | 'asset' | 'callback'
  readonly id: string
  readonly index: number
}

/**
 * Timer queue of an account, soonest first: a binary heap. Events due at the same instant come in the order in which they
 * were added. There is at most one event of a kind and an id.
 */
export interface Schedule {
  /** Adds an event in the place of the one of its kind and id. */
  set(event: ScheduledEvent): void
  /** Removes the event of a kind and an id, if there is one. */
  delete(kind: ScheduledEvent['kind'], id: string): void
  peek(): ScheduledEvent | undefined
  take(): ScheduledEvent | undefined
  readonly size: number
  /** Undo log of the running transaction, to which the inverse of each change is added; undefined: none runs. */
  undo: (() => void)[] | undefined
}

interface Entry extends ScheduledEvent, HeapEntry {
  readonly sequence: number
}

const isBefore = (one: Entry, other: Entry): boolean =>
  one.at === other.at ? one.sequence < other.sequence : one.at < other.at

export const createSchedule = (): Schedule => {
  const heap = createHeap(isBefore)
  const entries = {
    task: new Map<string, Entry>(),
    asset: new Map<string, Entry>(),
    callback: new Map<string, Entry>(),
  }
  let added = 0

  const insert = (entry: Entry): void => {
    entries[entry.kind].set(entry.id, entry)
    heap.push(entry)
  }

  const remove = (entry: Entry): void => {
    entries[entry.kind].delete(entry.id)
    heap.remove(entry)
  }

  const take = (entry: Entry | undefined): Entry | undefined => {
    if (entry === undefined) return undefined
    remove(entry)
    schedule.undo?.push(() => insert(entry))
    return entry
  }

  const schedule: Schedule = {
    undo: undefined,
    set: ({ at, kind, id, index }) => {
      take(entries[kind].get(id))
      added += 1
      const entry: Entry = { at, kind, id, index, sequence: added, heapIndex: -1 }
      insert(entry)
      schedule.undo?.push(() => remove(entry))
    },
    delete: (kind, id) => void take(entries[kind].get(id)),
    peek: () => heap.peek(),
    take: () => take(heap.peek()),
    get size() {
      return heap.size
    },
  }
  return schedule
}
