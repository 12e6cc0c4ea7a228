import type { Instant } from './timeline.js'

/** Scheduled event: something due at an instant of an account's clock. `id` says of what, `index` which of its moments. */
export interface ScheduledEvent {
  readonly at: Instant
  readonly kind: 'task' | 'asset' | 'callback'
  readonly id: string
  readonly index: number
}

/**
 * Timer queue of an account, soonest first: a binary heap. Entries are never searched for and removed; the caller of
 * `take` checks that the entry is not stale, since a timeline may have been rewritten meanwhile.
 */
export interface Schedule {
  add(event: ScheduledEvent): void
  peek(): ScheduledEvent | undefined
  take(): ScheduledEvent | undefined
  /** Removes every entry that is stale. */
  compact(isCurrent: (event: ScheduledEvent) => boolean): void
  readonly size: number
  /** Undo log of the running transaction, to which the inverse of each change is added; undefined: none runs. */
  undo: (() => void)[] | undefined
}

interface Entry {
  readonly event: ScheduledEvent
  readonly sequence: number
}

// Events due at the same instant come in the order in which they were added.
const isBefore = (one: Entry, other: Entry): boolean =>
  one.event.at === other.event.at ? one.sequence < other.sequence : one.event.at < other.event.at

export const createSchedule = (): Schedule => {
  let heap: Entry[] = []
  let added = 0

  const siftUp = (entry: Entry, from: number): void => {
    let index = from
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = heap[parent] as Entry
      if (!isBefore(entry, above)) break
      heap[index] = above
      index = parent
    }
    heap[index] = entry
  }

  const siftDown = (entry: Entry): void => {
    let index = 0
    for (let child = 1; child < heap.length; child = 2 * index + 1) {
      const other = heap[child + 1]
      const soonest = other !== undefined && isBefore(other, heap[child] as Entry) ? child + 1 : child
      const below = heap[soonest] as Entry
      if (!isBefore(below, entry)) break
      heap[index] = below
      index = soonest
    }
    heap[index] = entry
  }

  const keep = (isKept: (entry: Entry) => boolean): void => {
    // A sorted array is a heap.
    heap = heap.filter(isKept).sort((one, other) => (isBefore(one, other) ? -1 : 1))
  }

  const schedule: Schedule = {
    undo: undefined,
    add: (event) => {
      added += 1
      const entry = { event, sequence: added }
      siftUp(entry, heap.length)
      schedule.undo?.push(() => keep((one) => one !== entry))
    },
    peek: () => heap[0]?.event,
    take: () => {
      const first = heap[0]
      if (first === undefined) return undefined
      const last = heap.pop() as Entry
      if (heap.length > 0) siftDown(last)
      schedule.undo?.push(() => siftUp(first, heap.length))
      return first.event
    },
    compact: (isCurrent) => keep(({ event }) => isCurrent(event)),
    get size() {
      return heap.length
    },
  }
  return schedule
}
