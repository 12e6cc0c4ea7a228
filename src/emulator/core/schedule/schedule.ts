import { Heap, type HeapEntry } from '../collections/heap.js'
import type { Instant } from './time.js'

/** Scheduled event: something due at an instant of an account's clock. `id` says of what, `index` which of its moments. */
export interface ScheduledEvent {
  readonly at: Instant
  readonly kind: 'task' | 'asset' | 'callback'
  readonly id: string
  readonly index: number
}

interface Entry extends ScheduledEvent, HeapEntry {
  readonly sequence: number
}

const isBefore = (one: Entry, other: Entry): boolean =>
  one.at === other.at ? one.sequence < other.sequence : one.at < other.at

/**
 * Timer queue of an account, soonest first: a binary heap. Events due at the same instant come in the order in which they
 * were added. There is at most one event of a kind and an id.
 */
export class Schedule {
  /** Undo log of the running transaction, to which the inverse of each change is added, or undefined where none runs. */
  undo: (() => void)[] | undefined
  /** Instant of the soonest event; infinity: there is none. Every call compares it with its clock. */
  nextAt: Instant = Number.POSITIVE_INFINITY
  readonly #heap = new Heap<Entry>(isBefore)
  readonly #entries = {
    task: new Map<string, Entry>(),
    asset: new Map<string, Entry>(),
    callback: new Map<string, Entry>(),
  }
  #added = 0

  get size(): number {
    return this.#heap.size
  }

  /** Adds an event in the place of the one of its kind and id. */
  set({ at, kind, id, index }: ScheduledEvent): void {
    this.delete(kind, id)
    this.#added += 1
    const entry: Entry = { at, kind, id, index, sequence: this.#added, heapIndex: -1 }
    this.#insert(entry)
    this.undo?.push(() => this.#remove(entry))
  }

  /** Removes the event of a kind and an id, if there is one. */
  delete(kind: ScheduledEvent['kind'], id: string): void {
    this.#removeLogged(this.#entries[kind].get(id))
  }

  peek(): ScheduledEvent | undefined {
    return this.#heap.peek()
  }

  take(): ScheduledEvent | undefined {
    return this.#removeLogged(this.#heap.peek())
  }

  /** Removes an entry, and logs the inverse. */
  #removeLogged(entry: Entry | undefined): Entry | undefined {
    if (entry === undefined) return undefined
    this.#remove(entry)
    this.undo?.push(() => this.#insert(entry))
    return entry
  }

  #insert(entry: Entry): void {
    this.#entries[entry.kind].set(entry.id, entry)
    this.#heap.push(entry)
    if (entry.at < this.nextAt) this.nextAt = entry.at
  }

  #remove(entry: Entry): void {
    this.#entries[entry.kind].delete(entry.id)
    this.#heap.remove(entry)
    this.nextAt = this.#heap.peek()?.at ?? Number.POSITIVE_INFINITY
  }
}
