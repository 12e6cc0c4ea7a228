interface CollectionOptions<T> {
  readonly idOf: (record: T) => string
  readonly groupOf?: (record: T) => string
  /** The size; the oldest records go first. */
  readonly max: number
}

/** Ordered collection of records by id, of limited size. The records are newest first wherever they are listed. */
export interface Collection<T> {
  /** Adds a record as the newest, or replaces the one of its id where it stands. */
  put(record: T): void
  /**
   * Adds a page of a list, newest first, which says in which order its records came: an event can tell of the first of
   * several before, and of the others after it. Records that are here already are newer versions and stay; those that
   * the page lacks are newer than it.
   */
  load(page: readonly T[]): void
  remove(id: string): void
  get(id: string): T | undefined
  /** The same array until something changes. */
  list(): readonly T[]
  /** The records of one group; the same array until one of them changes. */
  group(name: string): readonly T[]
  /** How many were dropped to keep the size. */
  dropped(): number
}

/** Collection without records. */
export const createCollection = <T>({ idOf, groupOf, max }: CollectionOptions<T>): Collection<T> => {
  // In the order of insertion, oldest first.
  let records = new Map<string, T>()
  const groups = new Map<string, readonly T[]>()
  let listed: readonly T[] | undefined = []
  let dropped = 0

  const regroup = (record: T, change: (group: readonly T[]) => readonly T[]): void => {
    if (groupOf === undefined) return
    const name = groupOf(record)
    const group = change(groups.get(name) ?? EMPTY)
    if (group.length > 0) groups.set(name, group)
    else groups.delete(name)
  }
  const remove = (id: string): void => {
    const record = records.get(id)
    if (record === undefined) return
    records.delete(id)
    regroup(record, (group) => group.filter((other) => other !== record))
    listed = undefined
  }

  /** Rebuilds the groups of the records of a page. */
  const regroupPage = (page: readonly T[]): void => {
    if (groupOf === undefined) return
    const changed = new Map<string, T[]>(page.map((record) => [groupOf(record), []]))
    for (const record of records.values()) changed.get(groupOf(record))?.push(record)
    for (const [name, group] of changed) groups.set(name, group.reverse())
  }
  const trim = (): void => {
    for (const oldest of records.keys()) {
      if (records.size <= max) break
      remove(oldest)
      dropped += 1
    }
  }

  return {
    put: (record) => {
      const previous = records.get(idOf(record))
      records.set(idOf(record), record)
      regroup(record, (group) =>
        previous === undefined
          ? [record, ...group]
          : group.map((other) => (other === previous ? record : other)),
      )
      listed = undefined
      trim()
    },
    load: (page) => {
      const loaded = new Map(page.toReversed().map((record) => [idOf(record), record]))
      for (const [id, record] of records) loaded.set(id, record)
      records = loaded
      regroupPage(page)
      trim()
      listed = undefined
    },
    remove,
    get: (id) => records.get(id),
    list: () => {
      listed ??= [...records.values()].reverse()
      return listed
    },
    group: (name) => groups.get(name) ?? EMPTY,
    dropped: () => dropped,
  }
}

const EMPTY: readonly never[] = []
