/** Where the clock is to be moved. */
type ClockGoal = { readonly by: string } | { readonly to: string }

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * Goal of the clock from what a user writes: a duration (`14d`, `1h 30m`), a time of the day (`18:00`, the next one), a date
 * (`2026-01-15`), or both (`2026-01-15 12:00`). Times are in UTC.
 * @param now of the account's clock, in milliseconds
 * @throws Error with a sentence where the text is neither
 */
export const clockGoal = (text: string, now: number): ClockGoal => {
  const written = text.trim().replace(/^to\s+|^\+\s*/i, '')
  const parts = [...written.matchAll(/(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)\s*/gi)]
  if (parts.length > 0 && parts.map(([part]) => part).join('') === written) {
    const ms = parts.reduce(
      (sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit.toLowerCase()] ?? 0),
      0,
    )
    return { by: `${Math.round(ms)}ms` }
  }
  const at = timeOf(written, now)
  if (Number.isNaN(at))
    throw new Error(`"${written}" is neither a duration (14d, 1h 30m) nor a time (18:00, 2026-01-15 12:00).`)
  return { to: new Date(at).toISOString() }
}

/** The instant that a text names, in milliseconds; NaN: none. */
const timeOf = (text: string, now: number): number => {
  if (/^\d{1,2}:\d{2}(:\d{2})?$/.test(text)) {
    const today = Date.parse(
      `${new Date(now).toISOString().slice(0, 10)}T${text.padStart(text.length + (text.indexOf(':') === 1 ? 1 : 0), '0')}Z`,
    )
    return today > now ? today : today + (UNITS.d ?? 0)
  }
  const [, date, time = '00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|[+-]\d\d:\d\d)?$/i.exec(text) ?? []
  return date === undefined ? Number.NaN : Date.parse(`${date}T${time}${zone}`)
}
