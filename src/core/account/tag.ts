import { hash } from 'node:crypto'

/**
 * Twelve hex digits that follow from the key and do not lead back to it. A key that ends in `~` and twelve hex digits
 * says them itself: it stands in for a key that is not known any more, as in a recording, and everything that follows
 * from the tag (ids, draws, signatures) follows as it did for that one.
 */
export const accountIdOf = (key: string): string => {
  const known = tags.get(key)
  if (known !== undefined) return known
  const tag = SAID.exec(key)?.[1] ?? hash('sha256', `account|${key}`, 'hex').slice(0, 12)
  if (tags.size >= MOST_TAGS) tags.clear()
  tags.set(key, tag)
  return tag
}

// Every call asks for the tags of the same few keys several times, and a digest is a good part of what a call costs.
const tags = new Map<string, string>()
const MOST_TAGS = 1_000

const SAID = /~([0-9a-f]{12})$/
