/**
 * The wall as clocks may go by it: it never goes back. Where the machine's own clock is set back, it goes on from where it
 * stood, so that nobody has to wait until that time comes again, and nothing happens twice; where that one is set
 * forward, it goes along.
 */
export const monotonicNow = (wall: () => number): (() => number) => {
  let latest = Number.NEGATIVE_INFINITY
  let ahead = 0
  return () => {
    const now = wall()
    if (now + ahead < latest) ahead = latest - now
    latest = now + ahead
    return latest
  }
}
