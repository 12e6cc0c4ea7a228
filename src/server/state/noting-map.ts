/**
 * A map that notes which of its keys were set or deleted, so that what changed can be written down without the core
 * saying so. Whoever writes takes the notes away, and gives them back where writing failed.
 */
export class NotingMap<K, V> extends Map<K, V> {
  /** By key, what stood there when it was first touched; undefined where nothing did. */
  #before = new Map<K, V | undefined>()

  /** @param onNote told when there is something noted again */
  constructor(
    entries: Iterable<readonly [K, V]>,
    areNews: boolean,
    private readonly onNote: () => void,
  ) {
    super()
    for (const [key, value] of entries) {
      super.set(key, value)
      if (areNews) this.#before.set(key, undefined)
    }
  }

  override set(key: K, value: V): this {
    this.note(key)
    return super.set(key, value)
  }

  override delete(key: K): boolean {
    this.note(key)
    return super.delete(key)
  }

  override clear(): void {
    for (const key of this.keys()) this.note(key)
    super.clear()
  }

  note(key: K): void {
    if (this.#before.has(key)) return
    this.#before.set(key, super.get(key))
    if (this.#before.size === 1) this.onNote()
  }

  takeNotes(): ReadonlyMap<K, V | undefined> {
    const taken = this.#before
    this.#before = new Map()
    return taken
  }

  giveBack(notes: ReadonlyMap<K, V | undefined>): void {
    this.#before = new Map([...this.#before, ...notes])
  }
}

/**
 * The same for values that are changed where they stand: whoever gets one may be about to, so that looking is noted too.
 * The price is that some are written that did not change.
 */
export class LookNotingMap<K, V> extends NotingMap<K, V> {
  override get(key: K): V | undefined {
    if (this.has(key)) this.note(key)
    return super.get(key)
  }
  /** Looks without a note. */
  peek(key: K): V | undefined {
    return super.get(key)
  }
}
