/** Texts of values. Instants are ISO text or milliseconds, all in UTC. */

/** `00:04:12`, or `00:04:12.250` with milliseconds. */
export const clockTime = (instant: string | number, hasMs = false): string =>
  new Date(instant).toISOString().slice(11, hasMs ? 23 : 19)

/** `2026-01-01`. */
export const dateOf = (instant: string | number): string => new Date(instant).toISOString().slice(0, 10)

/** `2026-01-01 00:04:12`. */
export const dateAndTime = (instant: string | number): string => `${dateOf(instant)} ${clockTime(instant)}`

/** The local time of this machine: `14:02:07`. */
export const localTime = (ms: number): string => new Date(ms).toTimeString().slice(0, 8)

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

/** A length of time in its two largest units: `14 d`, `23 h 40 m`, `1.2 s`, `250 ms`. */
export const formatDuration = (ms: number): string => {
  const whole = Math.abs(ms)
  if (whole < 1_000) return `${Math.round(whole)} ms`
  if (whole < 10_000) return `${Number((whole / 1_000).toFixed(1))} s`
  const seconds = Math.round(whole / 1_000) * 1_000
  const first = UNITS.findIndex(([, size]) => seconds >= size)
  const parts = UNITS.slice(first, first + 2).map(([unit, size], index) => {
    const within = index === 0 ? seconds : seconds % (UNITS[first]?.[1] ?? 1)
    return [Math.floor(within / size), unit] as const
  })
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}

/** `3 s ago`, `in 18 s`, `now`. */
export const relativeTime = (instant: string | number, now: number): string => {
  const difference = new Date(instant).getTime() - now
  if (Math.abs(difference) < 1_000) return 'now'
  const text = formatDuration(Math.round(difference / 1_000) * 1_000)
  return difference < 0 ? `${text} ago` : `in ${text}`
}

/** `1,234.5`: a number with its thousands apart. Written out, since the browser's own formatter takes long to begin. */
export const formatNumber = (value: number, digits = 2): string =>
  String(Number(value.toFixed(digits))).replace(/(?<!\.\d*)\B(?=(\d{3})+(?!\d))/g, ',')

/** `1 call`, `1,200 calls`. */
export const countOf = (count: number, noun: string): string =>
  `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`

/** An id in a few characters: what comes before its date or number, and its end, where ids differ. */
export const shortId = (id: string): string => {
  if (id.length <= 16) return id
  const prefix = /^[a-z]+[-_]/i.exec(id)?.[0] ?? ''
  return `${prefix}…${id.slice(-7)}`
}

/** A text, or its beginning with the number of its characters. */
export const shortened = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max)}… (${text.length} characters)` : text
