import { hash } from '../hash.js'

/**
 * Account id: twelve hex digits that follow from the key and do not lead back to it. A key that ends in `~` and twelve
 * hex digits carries its id itself: it stands in for a key that is not known any more, as in a recording, and everything
 * that follows from the id (ids, random numbers, signatures) is the same as for that key.
 */
export const accountIdOf = (key: string): string => {
  const known = ids.get(key)
  if (known !== undefined) return known
  const id = CARRIED_ID.exec(key)?.[1] ?? hash('sha256', `account|${key}`, 'hex').slice(0, 12)
  if (ids.size >= MAX_IDS) ids.clear()
  ids.set(key, id)
  return id
}

// Cache: every call asks for two, by the key of its account and by the id of it, from which request ids are drawn. There is room
// for the accounts that an emulator holds by default.
const ids = new Map<string, string>()
const MAX_IDS = 25_000

const CARRIED_ID = /~([0-9a-f]{12})$/

/** The key of an `Authorization` header in any of its spellings (gap X1); undefined where there is none (Z29). */
export const keyOf = (authorization: string | undefined): string | undefined => {
  const key = authorization?.trim().replace(/^bearer(\s+|$)/i, '')
  return key === '' ? undefined : key
}
