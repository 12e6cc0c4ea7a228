import { Heap, type HeapEntry } from '../core/collections/heap.js'

interface Entry extends HeapEntry {
  readonly key: string
  amount: number
}

/** Usage of a quota by accounts: an amount for each key, their sum, and the key with the largest (a max-heap). */
export const createUsage = () => {
  const entries = new Map<string, Entry>()
  const heap = new Heap<Entry>((one, other) => one.amount > other.amount)
  let total = 0

  /** Replaces the amount of a key. */
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
    /** Adds to the amount of a key; a negative number is subtracted. */
    add: (key: string, amount: number) => set(key, (entries.get(key)?.amount ?? 0) + amount),
    forget: (key: string) => set(key, 0),
    /** The key with the largest amount; undefined: all amounts are 0. */
    largest: (): Readonly<Entry> | undefined => heap.peek(),
  }
}
