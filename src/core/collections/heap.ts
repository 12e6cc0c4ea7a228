/** Entry of a heap. It knows its place, so that it can be removed; -1: it is in no heap. */
export interface HeapEntry {
  heapIndex: number
}

/** Binary heap with removal: the first entry by `isBefore` is on top. */
interface Heap<T extends HeapEntry> {
  readonly size: number
  peek(): T | undefined
  push(entry: T): void
  /** Does nothing for an entry that is in no heap. */
  remove(entry: T): void
  /** Moves an entry whose key has changed. */
  update(entry: T): void
}

export const createHeap = <T extends HeapEntry>(isBefore: (one: T, other: T) => boolean): Heap<T> => {
  const heap: T[] = []

  const place = (entry: T, index: number): void => {
    heap[index] = entry
    entry.heapIndex = index
  }

  const siftUp = (entry: T, from: number): void => {
    let index = from
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = heap[parent] as T
      if (!isBefore(entry, above)) break
      place(above, index)
      index = parent
    }
    place(entry, index)
  }

  const siftDown = (entry: T, from: number): void => {
    let index = from
    for (let child = 2 * index + 1; child < heap.length; child = 2 * index + 1) {
      const other = heap[child + 1]
      const first = other !== undefined && isBefore(other, heap[child] as T) ? child + 1 : child
      const below = heap[first] as T
      if (!isBefore(below, entry)) break
      place(below, index)
      index = first
    }
    place(entry, index)
  }

  const update = (entry: T): void => {
    siftUp(entry, entry.heapIndex)
    siftDown(entry, entry.heapIndex)
  }

  return {
    get size() {
      return heap.length
    },
    peek: () => heap[0],
    push: (entry) => siftUp(entry, heap.length),
    remove: (entry) => {
      const index = entry.heapIndex
      if (index < 0) return
      entry.heapIndex = -1
      const last = heap.pop() as T
      if (last === entry) return
      place(last, index)
      update(last)
    },
    update,
  }
}
