/**
 * A map that notes which of its keys were set or deleted, so that what changed can be written down without the core
 * saying so. Whoever writes takes the notes away, and gives them back where writing failed.
 */
export class TrackedMap<K, V> extends Map<K, V> {
  #noted = new Set<K>()

  /** @param onNote told when there is something noted again */
  constructor(
    entries: Iterable<readonly [K, V]>,
    areNews: boolean,
    private readonly onNote: () => void,
  ) {
    super()
    for (const [key, value] of entries) {
      super.set(key, value)
      if (areNews) this.#noted.add(key)
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
    const isFirst = this.#noted.size === 0
    this.#noted.add(key)
    if (isFirst) this.onNote()
  }

  takeChanges(): ReadonlySet<K> {
    const taken = this.#noted
    this.#noted = new Set()
    return taken
  }

  restoreChanges(notes: ReadonlySet<K>): void {
    this.#noted = new Set([...notes, ...this.#noted])
  }
}

/** Keeps what stood under a key before it was set anew or deleted, until somebody takes that. */
export class ReplacedTrackedMap<K, V> extends TrackedMap<K, V> {
  #replaced = new Map<K, V>()

  override note(key: K): void {
    const stood = this.get(key)
    if (stood !== undefined && !this.#replaced.has(key)) this.#replaced.set(key, stood)
    super.note(key)
  }

  takeReplaced(): Iterable<V> {
    const taken = this.#replaced
    this.#replaced = new Map()
    return taken.values()
  }
}

/**
 * The same for values that are changed where they stand: whoever gets one may be about to, so that looking is noted too.
 * The price is that some are written that did not change.
 */
export class ReadTrackedMap<K, V> extends TrackedMap<K, V> {
  override get(key: K): V | undefined {
    if (this.has(key)) this.note(key)
    return super.get(key)
  }
  /** Looks without a note. */
  peek(key: K): V | undefined {
    return super.get(key)
  }
}
