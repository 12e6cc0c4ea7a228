/** How much of all the bodies that are being read may be in memory. */
export interface BodyBudget {
  /** The place of one body; it has to be left when the body has been read. */
  enter(): BodyReservation
  /** What is taken at present. */
  readonly bytes: number
}

export interface BodyReservation {
  /** Takes room for bytes that have come; false where there is none left. */
  take(bytes: number): boolean
  leave(): void
}

// What every body may have without being counted, so that those who send large ones never keep others out.
const UNCOUNTED_BYTES = 64 * 1024

export const createBodyBudget = (maxBytes: number): BodyBudget => {
  let takenBytes = 0
  return {
    get bytes() {
      return takenBytes
    },
    enter: () => {
      let bytes = 0
      const counted = (): number => Math.max(0, bytes - UNCOUNTED_BYTES)
      return {
        take: (more) => {
          const before = counted()
          bytes += more
          takenBytes += counted() - before
          return counted() === 0 || takenBytes <= maxBytes
        },
        leave: () => {
          takenBytes -= counted()
          bytes = 0
        },
      }
    },
  }
}
