import { fieldOf } from './path.js'

/**
 * The paths of what the schema dropped: keys that are in the body and not in what was understood of it
 * (gap X11). A field whose value was rebuilt (joined, defaulted) is not looked into.
 */
export const ignoredFields = (body: unknown, understood: unknown): string[] =>
  // Most bodies hold nothing that is dropped, which is found out without writing down a path to everything.
  isUnderstood(body, understood) ? [] : fieldsIgnored(body, understood, [])

const isUnderstood = (body: unknown, understood: unknown): boolean => {
  if (Array.isArray(body) && Array.isArray(understood))
    return body.every((item, index) => isUnderstood(item, understood[index]))
  if (!isRecord(body) || !isRecord(understood)) return true
  return Object.keys(body).every(
    (key) => Object.hasOwn(understood, key) && isUnderstood(body[key], understood[key]),
  )
}

const fieldsIgnored = (body: unknown, understood: unknown, path: readonly PropertyKey[]): string[] => {
  if (Array.isArray(body) && Array.isArray(understood))
    return body.flatMap((item, index) => fieldsIgnored(item, understood[index], [...path, index]))
  if (!isRecord(body) || !isRecord(understood)) return []
  return Object.keys(body).flatMap((key) =>
    Object.hasOwn(understood, key)
      ? fieldsIgnored(body[key], understood[key], [...path, key])
      : [fieldOf([...path, key])],
  )
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
