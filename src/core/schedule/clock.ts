import type { Instant } from './timeline.js'

export const clockModes = ['live', 'paused', 'on-poll'] as const
export type ClockMode = (typeof clockModes)[number]

/**
 * An account's clock as plain data. Live: it stood at `now` when the system clock (wall clock) stood at `wall` and runs `speed` times as
 * fast. Paused and on-poll: it stands at `now` until it is told to move.
 */
export interface ClockState {
  readonly mode: ClockMode
  readonly speed: number
  readonly now: Instant
  readonly wall: Instant
}

/** Where live clocks stand still and no other is moved to: the end of the years that have four digits. */
export const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59)

/** How fast a live clock may run: eleven days in a second. */
export const MOST_SPEED = 1_000_000

export const readClock = (clock: ClockState, systemNow: Instant): Instant =>
  clock.mode === 'live' ? liveNow(clock, systemNow) : clock.now

const liveNow = ({ now, wall: since, speed }: ClockState, systemNow: Instant): Instant =>
  Math.min(Math.floor(now + (systemNow - since) * speed), Math.max(now, LAST_INSTANT))

/** The clock put to an instant; a live one runs on from there. */
export const clockAt = (clock: ClockState, now: Instant, systemNow: Instant): ClockState => ({
  ...clock,
  now,
  wall: systemNow,
})

/** Another mode or speed from this instant on; what the clock says does not jump. */
export const clockWith = (
  clock: ClockState,
  change: Partial<Pick<ClockState, 'mode' | 'speed'>>,
  systemNow: Instant,
): ClockState => ({ ...clock, ...change, now: readClock(clock, systemNow), wall: systemNow })

/** How many real milliseconds pass until the clock says `at`; Infinity for a clock that does not run. */
export const realMsUntil = (clock: ClockState, at: Instant, systemNow: Instant): number =>
  clock.mode === 'live' && readClock(clock, systemNow) < LAST_INSTANT
    ? Math.max(0, (at - readClock(clock, systemNow)) / clock.speed)
    : Number.POSITIVE_INFINITY
