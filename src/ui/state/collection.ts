/** Ordered collection of records by id, of limited size. The records are newest first wherever they are listed. */
export interface Collection<T> {
  /** Adds a record as the newest, or replaces the one of its id where it stands. */
  put(record: T): void
  /** Adds records that are older than all those here, newest first. Those that are here already stay as they are. */
  append(records: readonly T[]): void
  remove(id: string): void
  get(id: string): T | undefined
  /** The same array until something changes. */
  list(): readonly T[]
  /** How many were dropped to keep the size. */
  dropped(): number
}

/** @param max the size; the oldest records go first */
export const createCollection = <T>(idOf: (record: T) => string, max: number): Collection<T> => {
  // In the order of insertion, oldest first.
  let records = new Map<string, T>()
  let listed: readonly T[] | undefined = []
  let dropped = 0

  return {
    put: (record) => {
      records.set(idOf(record), record)
      listed = undefined
      for (const oldest of records.keys()) {
        if (records.size <= max) break
        records.delete(oldest)
        dropped += 1
      }
    },
    append: (older) => {
      const missing = older.filter((record) => !records.has(idOf(record)))
      const room = Math.max(0, max - records.size)
      dropped += Math.max(0, missing.length - room)
      const added = missing.slice(0, room).reverse()
      records = new Map([...added.map((record) => [idOf(record), record] as const), ...records])
      listed = undefined
    },
    remove: (id) => {
      if (records.delete(id)) listed = undefined
    },
    get: (id) => records.get(id),
    list: () => {
      listed ??= [...records.values()].reverse()
      return listed
    },
    dropped: () => dropped,
  }
}
