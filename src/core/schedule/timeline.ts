/** Milliseconds since 1970 on an account's clock. */
export type Instant = number

/** A value that holds from an instant on, until the next moment of its timeline. */
export interface Moment<T> {
  readonly at: Instant
  readonly value: T
}

/** Everything that was, is and will be, in order of time. Never empty; the first moment is the creation. */
export type Timeline<T> = readonly Moment<T>[]

/** The number of moments that have come by `now`: those at or before it. */
export const cameBy = <T>(timeline: Timeline<T>, now: Instant): number => {
  let count = timeline.length
  while (count > 0 && (timeline[count - 1] as Moment<T>).at > now) count -= 1
  return count
}

/** The moment that holds at `now`. Before the creation (a clock that was set back) that is the first one. */
export const momentAt = <T>(timeline: Timeline<T>, now: Instant): Moment<T> =>
  timeline[Math.max(0, cameBy(timeline, now) - 1)] as Moment<T>

/** The first moment after `now`; undefined when nothing more will happen. */
export const nextAfter = <T>(timeline: Timeline<T>, now: Instant): Moment<T> | undefined =>
  timeline[Math.max(1, cameBy(timeline, now))]

export const lastOf = <T>(timeline: Timeline<T>): Moment<T> => timeline[timeline.length - 1] as Moment<T>

/** An instant as the control API writes it. */
export const isoOf = (at: Instant): string => new Date(at).toISOString()
