import { hash } from 'node:crypto'

/**
 * Twelve hex digits that follow from the key and do not lead back to it. A key that ends in `~` and twelve hex digits
 * says them itself: it stands in for a key that is not known any more, as in a recording, and everything that follows
 * from the tag (ids, draws, signatures) follows as it did for that one.
 */
export const tagOf = (key: string): string =>
  SAID.exec(key)?.[1] ?? hash('sha256', `account|${key}`, 'hex').slice(0, 12)

const SAID = /~([0-9a-f]{12})$/
