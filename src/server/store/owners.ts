/**
 * Whose the ids are that are asked for without a key: those of asset jobs. Their digits are too few to name an account,
 * so that it is looked up. What is in here follows from the accounts, and can be made again from them.
 */
export interface Owners {
  /** The key of the account that owns an id; `first`, where it is one of several. */
  of(id: string, first?: string): string | undefined
  give(id: string, key: string): void
  drop(id: string, key: string): void
}

export const createOwners = (): Owners => {
  const keysById = new Map<string, readonly string[]>()
  return {
    of: (id, first) => {
      const keys = keysById.get(id) ?? []
      return first !== undefined && keys.includes(first) ? first : keys[0]
    },
    give: (id, key) => {
      keysById.set(id, [...(keysById.get(id) ?? []), key])
    },
    drop: (id, key) => {
      const left = (keysById.get(id) ?? []).filter((one) => one !== key)
      if (left.length === 0) keysById.delete(id)
      else keysById.set(id, left)
    },
  }
}
