import type { SeededRandom } from '../account/random.js'
import { EmulatorError } from '../errors.js'

/** Milliseconds since 1970 on an account's clock. */
export type Instant = number

/** A value that holds from an instant on, until the next moment of its timeline. */
export interface Moment<T> {
  readonly at: Instant
  readonly value: T
}

/** Timeline: moments in order of time. Never empty; the first moment is the creation. */
export type Timeline<T> = readonly Moment<T>[]

/** The number of moments that have come by `now`: those at or before it. */
export const momentCountAt = <T>(timeline: Timeline<T>, now: Instant): number => {
  let count = timeline.length
  while (count > 0 && (timeline[count - 1] as Moment<T>).at > now) count -= 1
  return count
}

/** The moment that holds at `now`. Before the creation (a clock that was set back) that is the first one. */
export const momentAt = <T>(timeline: Timeline<T>, now: Instant): Moment<T> =>
  timeline[Math.max(0, momentCountAt(timeline, now) - 1)] as Moment<T>

/** The first moment after `now`; undefined when nothing more will happen. */
export const nextAfter = <T>(timeline: Timeline<T>, now: Instant): Moment<T> | undefined =>
  timeline[Math.max(1, momentCountAt(timeline, now))]

/** Instant at which a task or an asset changes next, or undefined where it changes no more. */
export const nextChange = <T>(of: { readonly timeline: Timeline<T> }, now: Instant): Instant | undefined =>
  nextAfter(of.timeline, now)?.at

/** The last moment of a timeline, after which nothing changes. */
export const lastOf = <T>(timeline: Timeline<T>): Moment<T> => timeline[timeline.length - 1] as Moment<T>

/** An instant as the control API writes it. */
export const isoOf = (at: Instant): string => new Date(at).toISOString()

export const clockModes = ['live', 'paused', 'on-poll'] as const
export type ClockMode = (typeof clockModes)[number]

/** Hint about what has not happened yet, with ISO times, or undefined where the clock moves by itself, or nothing is left to happen. */
export const advanceHint = (mode: ClockMode, now: string, next: string | null): string | undefined =>
  mode === 'live' || next === null
    ? undefined
    : `The clock is ${mode} and stands at ${now}; the next moment is at ${next}: advance the clock.`

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

/**
 * Monotonic wall clock: never goes back. After the machine's clock is set back, it continues from its latest time, so
 * that no wait gets longer and nothing happens twice. It follows when the machine's clock is set forward.
 */
export const monotonicNow = (systemNow: () => number): (() => number) => {
  let latest = Number.NEGATIVE_INFINITY
  let ahead = 0
  return () => {
    const now = systemNow()
    if (now + ahead < latest) ahead = latest - now
    latest = now + ahead
    return latest
  }
}

/** Latest instant of any clock: the end of the years that have four digits. */
export const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59)

/** Maximum speed of a live clock: eleven days in a second. */
export const MAX_SPEED = 1_000_000

/** Reads the clock of an account, in milliseconds since 1970. A live clock goes on with the system's. */
export const readClock = (clock: ClockState, systemNow: Instant): Instant =>
  clock.mode === 'live' ? liveNow(clock, systemNow) : clock.now

const liveNow = ({ now, wall: since, speed }: ClockState, systemNow: Instant): Instant =>
  Math.min(Math.floor(now + (systemNow - since) * speed), Math.max(now, LAST_INSTANT))

/** Clock set to an instant; a live one runs on from there. */
export const clockAt = (clock: ClockState, now: Instant, systemNow: Instant): ClockState => ({
  ...clock,
  now,
  wall: systemNow,
})

/** Clock with another mode or speed from this instant on; its time does not jump. */
export const clockWith = (
  clock: ClockState,
  change: Partial<Pick<ClockState, 'mode' | 'speed'>>,
  systemNow: Instant,
): ClockState => ({ ...clock, ...change, now: readClock(clock, systemNow), wall: systemNow })

/** Real milliseconds until the clock says `at`; Infinity for a clock that does not run. */
export const realMsUntil = (clock: ClockState, at: Instant, systemNow: Instant): number =>
  clock.mode === 'live' && readClock(clock, systemNow) < LAST_INSTANT
    ? Math.max(0, (at - readClock(clock, systemNow)) / clock.speed)
    : Number.POSITIVE_INFINITY

/** Length of a second, in milliseconds. */
export const SECOND = 1_000
/** Length of a minute, in milliseconds. */
export const MINUTE = 60 * SECOND
/** Length of an hour, in milliseconds. */
export const HOUR = 60 * MINUTE
/** Length of a day of 24 hours, in milliseconds. */
export const DAY = 24 * HOUR

/** A hundred years; what is longer is a mistake, and dates end. */
const MAX_DURATION_MS = 36_500 * DAY

/** The longest delay of a timer of Node, 24 days: a longer one fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1

const msPerUnit = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY } as const

type Amount = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

/** A length of time: `250ms`, `10s`, `5m`, `24h`, `14d`, up to three joined (`1h30m`), or a number of milliseconds. */
export type Duration = Amount | `${Amount}${Amount}` | `${Amount}${Amount}${Amount}` | number

/** Form of a duration as a text, and how messages call it. */
export const durationForm = {
  pattern: /^(\d+(\.\d+)?(ms|s|m|h|d))+$/,
  name: 'a duration such as 250ms, 10s, 5m, 24h or 14d',
}

/**
 * Milliseconds of a duration; whole, not negative, and at most a hundred years.
 * @param name of the field or option that holds it, with which the message begins
 * @throws EmulatorError `bad-duration` when the text is none
 */
export const parseDuration = (duration: string | number, name = 'The time'): number => {
  const ms = typeof duration === 'number' ? duration : sumOfParts(String(duration).trim())
  if (ms >= 0 && ms <= MAX_DURATION_MS) return Math.round(ms)
  // Code without types can give anything.
  const found = typeof duration === 'string' ? JSON.stringify(beginningOf(duration)) : String(duration)
  throw new EmulatorError(`${name} must be ${durationForm.name}, found ${found}.`, {
    code: 'bad-duration',
    hint: 'Write a number and a unit (ms, s, m, h, d), or a number of milliseconds in code; 36500d is the most.',
  })
}

const MAX_SHOWN = 100

const beginningOf = (text: string): string =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text

/** Whether a text is a duration, but of more than a hundred years. */
export const exceedsMaxDuration = (text: string): boolean => sumOfParts(text) > MAX_DURATION_MS

const sumOfParts = (text: string): number => {
  if (!durationForm.pattern.test(text)) return Number.NaN
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * msPerUnit[unit as DurationUnit],
    0,
  )
}

/** Duration text of milliseconds, exact, as scenario files write it: `3h`, `1500ms`. */
export const durationText = (ms: number): string => {
  const whole = Math.max(0, Math.round(ms))
  const units = Object.entries(msPerUnit).reverse()
  const [unit, length] = units.find(([, length]) => whole > 0 && whole % length === 0) ?? ['ms', 1]
  return `${whole / length}${unit}`
}

/** Duration as a short text: `1.5s`, `2m 30s`, `14d`. */
export const formatDuration = (ms: number): string => {
  if (ms < SECOND) return `${Math.round(ms)}ms`
  if (ms < MINUTE) return `${Math.floor(ms / 100) / 10}s`
  if (ms < HOUR) return inTwoUnits(ms, 'm', 's')
  return ms < DAY ? inTwoUnits(ms, 'h', 'm') : inTwoUnits(ms, 'd', 'h')
}

type DurationUnit = keyof typeof msPerUnit

const inTwoUnits = (ms: number, large: DurationUnit, small: DurationUnit): string => {
  const whole = Math.floor(ms / msPerUnit[large])
  const rest = Math.floor((ms % msPerUnit[large]) / msPerUnit[small])
  return rest === 0 ? `${whole}${large}` : `${whole}${large} ${rest}${small}`
}

export const timings = ['realistic', 'fast', 'instant'] as const
/** Timing of tasks: as on the service, a few seconds, or over when first queried. */
export type Timing = (typeof timings)[number]

/** Durations of a task's waiting and running, in milliseconds. */
export interface TaskDurations {
  readonly queuedMs: number
  readonly runningMs: number
}

const FAST: TaskDurations = { queuedMs: 1 * SECOND, runningMs: 2 * SECOND }

/**
 * Durations of one task: the typical ones with a seeded jitter of up to a quarter, so that two tasks of a kind do not end at
 * the same time, and every run gives the same durations.
 */
export const paceOf = (timing: Timing, workload: TaskDurations, random: SeededRandom): TaskDurations => {
  if (timing === 'instant') return { queuedMs: 0, runningMs: 0 }
  const { queuedMs, runningMs } = timing === 'fast' ? FAST : workload
  return {
    queuedMs: jittered(queuedMs, random.fraction('queued')),
    runningMs: jittered(runningMs, random.fraction('running')),
  }
}

const jittered = (middle: number, fraction: number): number => Math.round(middle * (0.75 + fraction / 2))
