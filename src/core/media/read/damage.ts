import type { MediaFacts, Probe, Unreadable } from '../facts.js'

/** Thrown inside a reader where the bytes cannot go on, and turned into a value at its edge. It never leaves this folder. */
export class Damage extends Error {
  constructor(
    detail: string,
    readonly reason: Unreadable['reason'] = 'damaged',
  ) {
    super(detail)
  }
}

/** Runs a reader and gives its facts, or why there are none. An error that is not about the bytes is a bug and passes through. */
export const factsOrDamage = (read: () => MediaFacts): Probe => {
  try {
    return read()
  } catch (error) {
    if (error instanceof Damage) return unreadable(error.reason, error.message)
    throw error
  }
}

export const unreadable = (reason: Unreadable['reason'], detail: string): Unreadable => ({
  kind: 'unreadable',
  reason,
  detail,
})
