/** Cache of what follows from a record: records are replaced, never changed. */
export const remembered = <T extends object, R>(of: (record: T) => R): ((record: T) => R) => {
  const known = new WeakMap<T, R>()
  return (record) => {
    if (!known.has(record)) known.set(record, of(record))
    return known.get(record) as R
  }
}
