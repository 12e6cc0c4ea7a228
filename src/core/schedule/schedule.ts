import type { Instant } from './timeline.js'

/** Something that is to be done at an instant of an account's clock. `id` says of what, `index` which of its moments. */
export interface ScheduledEvent {
  readonly at: Instant
  readonly kind: 'task' | 'asset' | 'callback'
  readonly id: string
  readonly index: number
}

/**
 * What is to come, soonest first: a binary heap. Entries are never searched for and taken out; whoever takes one
 * checks that it still holds, since a life may have been rewritten meanwhile.
 */
export interface Schedule {
  add(due: ScheduledEvent): void
  peek(): ScheduledEvent | undefined
  take(): ScheduledEvent | undefined
  /** Forgets every entry that does not hold any more. */
  sift(holds: (due: ScheduledEvent) => boolean): void
  readonly size: number
}

interface Entry {
  readonly due: ScheduledEvent
  readonly order: number
}

// Things due at the same instant happen in the order in which they were written down.
const isBefore = (one: Entry, other: Entry): boolean =>
  one.due.at === other.due.at ? one.order < other.order : one.due.at < other.due.at

export const createSchedule = (): Schedule => {
  let heap: Entry[] = []
  let added = 0
  /** Puts an entry where it belongs, from a place that is free upwards. */
  const rise = (entry: Entry, from: number): void => {
    let place = from
    while (place > 0) {
      const parent = (place - 1) >> 1
      const above = heap[parent] as Entry
      if (!isBefore(entry, above)) break
      heap[place] = above
      place = parent
    }
    heap[place] = entry
  }
  /** The same downwards, from the top. */
  const sink = (entry: Entry): void => {
    let place = 0
    for (let child = 1; child < heap.length; child = 2 * place + 1) {
      const other = heap[child + 1]
      const soonest = other !== undefined && isBefore(other, heap[child] as Entry) ? child + 1 : child
      const below = heap[soonest] as Entry
      if (!isBefore(below, entry)) break
      heap[place] = below
      place = soonest
    }
    heap[place] = entry
  }
  return {
    add: (due) => {
      added += 1
      rise({ due, order: added }, heap.length)
    },
    peek: () => heap[0]?.due,
    take: () => {
      const first = heap[0]
      const last = heap.pop()
      if (last !== undefined && heap.length > 0) sink(last)
      return first?.due
    },
    sift: (holds) => {
      // What is sorted is a heap as well.
      heap = heap.filter(({ due }) => holds(due)).sort((one, other) => (isBefore(one, other) ? -1 : 1))
    },
    get size() {
      return heap.length
    },
  }
}
