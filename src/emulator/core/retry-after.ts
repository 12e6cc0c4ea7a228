import type { Instant } from './schedule/time.js'

/** A moment on the two clocks by which a wait counts: that of the account, and that of the system. */
export interface Moment {
  /** On the clock of the account. */
  readonly at: Instant
  /** Real time, in Unix milliseconds. */
  readonly wall: Instant
}

// Tolerance for timers that end early. A wait counts by the clock of the account or in real time: tests move either.
const EARLY_MS = 20

/**
 * Whether a call came before the time that `Retry-After` asks for had passed since an answer: neither the clock of the account
 * nor real time has come so far, less 20 ms.
 * @param asked what `Retry-After` asks for, in milliseconds
 */
export const isBeforeRetry = (asked: number, answered: Moment, called: Moment): boolean =>
  called.at - answered.at < asked - EARLY_MS && called.wall - answered.wall < asked - EARLY_MS

/** What `Retry-After` says, in milliseconds, or undefined where it is neither seconds nor a date. A date counts from that of the answer. */
export const retryAfterMsIn = (
  headers: Readonly<Record<string, string>>,
  at: Instant,
): number | undefined => {
  const header = (wanted: string) =>
    Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''
  const retryAfter = header('retry-after')
  const seconds = retryAfter === '' ? Number.NaN : Number(retryAfter)
  const ms = Number.isNaN(seconds)
    ? Date.parse(retryAfter) - (Date.parse(header('date')) || at)
    : seconds * 1_000
  // JSON has no other numbers.
  return Number.isFinite(ms) ? ms : undefined
}
