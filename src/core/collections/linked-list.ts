/** Node of a linked list. The list writes its links. */
export interface ListNode<T> {
  readonly value: T
  older: ListNode<T> | undefined
  newer: ListNode<T> | undefined
}

/** Doubly linked list in the order in which values were added: each is added and removed in constant time. */
export interface LinkedList<T> {
  readonly size: number
  readonly oldest: T | undefined
  /** Appends a value as the newest. */
  add(value: T): ListNode<T>
  /** Removes a node that is in the list. */
  remove(node: ListNode<T>): void
  newestFirst(): Generator<T>
  oldestFirst(): Generator<T>
}

export const createLinkedList = <T>(): LinkedList<T> => {
  let first: ListNode<T> | undefined
  let last: ListNode<T> | undefined
  let size = 0
  return {
    get size() {
      return size
    },
    get oldest() {
      return first?.value
    },
    add: (value) => {
      const node: ListNode<T> = { value, older: last, newer: undefined }
      if (last === undefined) first = node
      else last.newer = node
      last = node
      size += 1
      return node
    },
    remove: (node) => {
      const { older, newer } = node
      if (older === undefined) first = newer
      else older.newer = newer
      if (newer === undefined) last = older
      else newer.older = older
      // A removed node that is not collected yet would keep its neighbours from being collected.
      node.older = undefined
      node.newer = undefined
      size -= 1
    },
    *newestFirst() {
      for (let node = last; node !== undefined; node = node.older) yield node.value
    },
    *oldestFirst() {
      for (let node = first; node !== undefined; node = node.newer) yield node.value
    },
  }
}
