/** A row between those of one day and those of another. */
export interface DayRow {
  readonly id: string
  /** `2026-01-01`, in UTC. */
  readonly day: string
}

export const isDayRow = (row: { readonly id: string }): row is DayRow => 'day' in row

/** Rows with one before each day, but for today's where they come first. @param dayOf the day of a row */
export const withDays = <T extends { readonly id: string }>(
  rows: readonly T[],
  dayOf: (row: T) => string,
  today: string,
): readonly (T | DayRow)[] => {
  let latest = today
  return rows.flatMap((row): (T | DayRow)[] => {
    const day = dayOf(row)
    if (day === latest) return [row]
    latest = day
    return [{ id: `day ${day}`, day }, row]
  })
}
