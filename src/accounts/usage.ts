import { createHeap, type HeapEntry } from '../core/collections/heap.js'

/** Usage of a quota by accounts: an amount for each key, their sum, and the key with the largest (a max-heap). */
interface Usage {
  readonly total: number
  /** Replaces the amount of a key. */
  set(key: string, amount: number): void
  /** A negative amount is subtracted. */
  add(key: string, amount: number): void
  forget(key: string): void
  /** The key with the largest amount; undefined: all amounts are 0. */
  largest(): { readonly key: string; readonly amount: number } | undefined
}

interface Entry extends HeapEntry {
  readonly key: string
  amount: number
}

export const createUsage = (): Usage => {
  const entries = new Map<string, Entry>()
  const heap = createHeap<Entry>((one, other) => one.amount > other.amount)
  let total = 0

  const set = (key: string, amount: number): void => {
    const known = entries.get(key)
    const before = known?.amount ?? 0
    if (amount === before) return
    total += amount - before
    if (known !== undefined && amount === 0) {
      heap.remove(known)
      entries.delete(key)
    } else if (known !== undefined) {
      known.amount = amount
      heap.update(known)
    } else {
      const entry: Entry = { key, amount, heapIndex: -1 }
      entries.set(key, entry)
      heap.push(entry)
    }
  }

  return {
    get total() {
      return total
    },
    set,
    add: (key, amount) => set(key, (entries.get(key)?.amount ?? 0) + amount),
    forget: (key) => set(key, 0),
    largest: () => heap.peek(),
  }
}
