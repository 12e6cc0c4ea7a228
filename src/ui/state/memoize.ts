/** Memoizes a function of a record by its identity: records are replaced, never changed. */
export const memoize = <T extends object, R>(compute: (record: T) => R): ((record: T) => R) => {
  const cache = new WeakMap<T, R>()
  return (record) => {
    if (!cache.has(record)) cache.set(record, compute(record))
    return cache.get(record) as R
  }
}
