/** A place at which two answers differ; what is not there is left out. */
export interface Difference {
  /** `error.message`, `items[0].status`, `status`. */
  readonly path: string
  readonly recorded?: unknown
  readonly now?: unknown
}

/** Where two JSON values differ, field by field; the shallowest place that tells them apart. */
export const differences = (recorded: unknown, now: unknown, path = ''): Difference[] => {
  if (Object.is(recorded, now)) return []
  if (Array.isArray(recorded) && Array.isArray(now)) return inLists(recorded, now, path)
  if (isRecord(recorded) && isRecord(now)) return inRecords(recorded, now, path)
  return [{ path, ...(recorded === undefined ? {} : { recorded }), ...(now === undefined ? {} : { now }) }]
}

const inLists = (recorded: readonly unknown[], now: readonly unknown[], path: string): Difference[] =>
  Array.from({ length: Math.max(recorded.length, now.length) }, (_, index) => index).flatMap((index) =>
    differences(recorded[index], now[index], `${path}[${index}]`),
  )

type Fields = Readonly<Record<string, unknown>>

const inRecords = (recorded: Fields, now: Fields, path: string): Difference[] =>
  [...new Set([...Object.keys(recorded), ...Object.keys(now)])].flatMap((name) =>
    differences(recorded[name], now[name], path === '' ? name : `${path}.${name}`),
  )

const isRecord = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
