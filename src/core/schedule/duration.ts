import { EmulatorError } from '../errors.js'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** A hundred years; what is longer is a mistake, and dates end. */
const LONGEST = 36_500 * DAY

const msPerUnit = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY } as const

/** A length of time: `250ms`, `10s`, `5m`, `24h`, `14d`, several joined (`1h30m`), or a number of milliseconds. */
export type Duration = string | number

/**
 * Milliseconds of a duration; whole, not negative, and at most a hundred years.
 * @throws EmulatorError `bad-duration` when the text is none
 */
export const parseDuration = (duration: Duration): number => {
  const ms = typeof duration === 'number' ? duration : sumOfParts(duration.trim())
  if (ms >= 0 && ms <= LONGEST) return Math.round(ms)
  throw new EmulatorError(
    `Expected a duration such as 250ms, 10s, 5m, 24h or 14d, found ${JSON.stringify(duration)}.`,
    {
      code: 'bad-duration',
      hint: 'Write a number and a unit (ms, s, m, h, d), or a number of milliseconds in code; 36500d is the most.',
    },
  )
}

const sumOfParts = (text: string): number => {
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) return Number.NaN
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * msPerUnit[unit as keyof typeof msPerUnit],
    0,
  )
}

/** The shortest way to say it for people: `1.5s`, `2m 30s`, `14d`. */
export const formatDuration = (ms: number): string => {
  if (ms < SECOND) return `${Math.round(ms)}ms`
  if (ms < MINUTE) return `${Math.floor(ms / 100) / 10}s`
  const [big, small] =
    ms < HOUR ? (['m', 's'] as const) : ms < DAY ? (['h', 'm'] as const) : (['d', 'h'] as const)
  const whole = Math.floor(ms / msPerUnit[big])
  const rest = Math.floor((ms % msPerUnit[big]) / msPerUnit[small])
  return rest === 0 ? `${whole}${big}` : `${whole}${big} ${rest}${small}`
}
