/** Multimap: several values for each key, in the order in which they were added. A key without values is not kept. */
export class Multimap<K, V> {
  readonly #sets = new Map<K, Set<V>>()

  add(key: K, value: V): void {
    this.#sets.set(key, (this.#sets.get(key) ?? new Set()).add(value))
  }

  delete(key: K, value: V): void {
    const values = this.#sets.get(key)
    values?.delete(value)
    if (values?.size === 0) this.#sets.delete(key)
  }

  /** Values of a key, as a copy: they may change while it is iterated. */
  get(key: K): V[] {
    return [...(this.#sets.get(key) ?? [])]
  }

  keys(): K[] {
    return [...this.#sets.keys()]
  }
}
