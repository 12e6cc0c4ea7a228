import type { Instant } from '../time/timeline.js'

/** Something that is to be done at an instant of an account's clock. `id` says of what, `index` which of its moments. */
export interface Due {
  readonly at: Instant
  readonly kind: 'task' | 'asset' | 'callback'
  readonly id: string
  readonly index: number
}

/**
 * What is to come, soonest first: a binary heap. Entries are never searched for and taken out; whoever takes one
 * checks that it still holds, since a life may have been rewritten meanwhile.
 */
export interface Agenda {
  add(due: Due): void
  peek(): Due | undefined
  take(): Due | undefined
  readonly size: number
}

export const createAgenda = (): Agenda => {
  const heap: { due: Due; order: number }[] = []
  let added = 0
  const isBefore = (a: number, b: number): boolean => {
    const [left, right] = [heap[a], heap[b]]
    if (left === undefined || right === undefined) return right === undefined
    // Things due at the same instant happen in the order in which they were written down.
    return left.due.at === right.due.at ? left.order < right.order : left.due.at < right.due.at
  }
  const swap = (a: number, b: number) => {
    const kept = heap[a]
    heap[a] = heap[b] as (typeof heap)[number]
    heap[b] = kept as (typeof heap)[number]
  }
  const rise = (index: number): void => {
    const parent = (index - 1) >> 1
    if (index === 0 || !isBefore(index, parent)) return
    swap(index, parent)
    rise(parent)
  }
  const sink = (index: number): void => {
    const left = 2 * index + 1
    if (left >= heap.length) return
    const soonest = left + 1 < heap.length && isBefore(left + 1, left) ? left + 1 : left
    if (!isBefore(soonest, index)) return
    swap(index, soonest)
    sink(soonest)
  }
  return {
    add: (due) => {
      added += 1
      heap.push({ due, order: added })
      rise(heap.length - 1)
    },
    peek: () => heap[0]?.due,
    take: () => {
      const first = heap[0]
      const last = heap.pop()
      if (last !== undefined && heap.length > 0) {
        heap[0] = last
        sink(0)
      }
      return first?.due
    },
    get size() {
      return heap.length
    },
  }
}
