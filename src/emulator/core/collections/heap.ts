/** Entry of a heap. It knows its place, so that it can be removed; -1: it is in no heap. */
export interface HeapEntry {
  heapIndex: number
}

/** Binary heap with removal: the first entry by `isBefore` is on top. */
export class Heap<T extends HeapEntry> {
  readonly #entries: T[] = []

  constructor(private readonly isBefore: (one: T, other: T) => boolean) {}

  get size(): number {
    return this.#entries.length
  }

  peek(): T | undefined {
    return this.#entries[0]
  }

  push(entry: T): void {
    this.#siftUp(entry, this.#entries.length)
  }

  /** Does nothing for an entry that is in no heap. */
  remove(entry: T): void {
    const index = entry.heapIndex
    if (index < 0) return
    entry.heapIndex = -1
    const last = this.#entries.pop() as T
    if (last === entry) return
    this.#place(last, index)
    this.update(last)
  }

  /** Moves an entry whose key has changed. */
  update(entry: T): void {
    this.#siftUp(entry, entry.heapIndex)
    this.#siftDown(entry, entry.heapIndex)
  }

  #siftUp(entry: T, from: number): void {
    let index = from
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = this.#entries[parent] as T
      if (!this.isBefore(entry, above)) break
      this.#place(above, index)
      index = parent
    }
    this.#place(entry, index)
  }

  #siftDown(entry: T, from: number): void {
    const entries = this.#entries
    let index = from
    for (let child = 2 * index + 1; child < entries.length; child = 2 * index + 1) {
      const other = entries[child + 1]
      const first = other !== undefined && this.isBefore(other, entries[child] as T) ? child + 1 : child
      const below = entries[first] as T
      if (!this.isBefore(below, entry)) break
      this.#place(below, index)
      index = first
    }
    this.#place(entry, index)
  }

  #place(entry: T, index: number): void {
    this.#entries[index] = entry
    entry.heapIndex = index
  }
}
