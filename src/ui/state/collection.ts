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
  /** The records of one group; the same array until one of them changes. */
  group(name: string): readonly T[]
  /** How many were dropped to keep the size. */
  dropped(): number
}

interface CollectionOptions<T> {
  readonly idOf: (record: T) => string
  readonly groupOf?: (record: T) => string
  /** The size; the oldest records go first. */
  readonly max: number
}

export const createCollection = <T>({ idOf, groupOf, max }: CollectionOptions<T>): Collection<T> => {
  // In the order of insertion, oldest first.
  let records = new Map<string, T>()
  const groups = new Map<string, readonly T[]>()
  let listed: readonly T[] | undefined = []
  let dropped = 0

  const regroup = (record: T, change: (group: readonly T[]) => readonly T[]): void => {
    if (groupOf === undefined) return
    const name = groupOf(record)
    const group = change(groups.get(name) ?? NONE)
    if (group.length > 0) groups.set(name, group)
    else groups.delete(name)
  }
  const remove = (id: string): void => {
    const record = records.get(id)
    if (record === undefined) return
    records.delete(id)
    regroup(record, (group) => group.filter((one) => one !== record))
    listed = undefined
  }

  return {
    put: (record) => {
      const before = records.get(idOf(record))
      records.set(idOf(record), record)
      regroup(record, (group) =>
        before === undefined ? [record, ...group] : group.map((one) => (one === before ? record : one)),
      )
      listed = undefined
      for (const oldest of records.keys()) {
        if (records.size <= max) break
        remove(oldest)
        dropped += 1
      }
    },
    append: (older) => {
      const missing = older.filter((record) => !records.has(idOf(record)))
      const room = Math.max(0, max - records.size)
      dropped += Math.max(0, missing.length - room)
      const added = missing.slice(0, room)
      for (const record of added) regroup(record, (group) => [...group, record])
      records = new Map([...added.reverse().map((record) => [idOf(record), record] as const), ...records])
      listed = undefined
    },
    remove,
    get: (id) => records.get(id),
    list: () => {
      listed ??= [...records.values()].reverse()
      return listed
    },
    group: (name) => groups.get(name) ?? NONE,
    dropped: () => dropped,
  }
}

const NONE: readonly never[] = []
