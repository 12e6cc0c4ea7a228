import { fieldOf } from './path.js'

/**
 * The paths of what the schema dropped: keys that are in the body and not in what was understood of it
 * (defaults X11). A field whose value was rebuilt (joined, defaulted) is not looked into.
 */
export const ignoredFields = (
  body: unknown,
  understood: unknown,
  path: readonly PropertyKey[] = [],
): string[] => {
  if (Array.isArray(body) && Array.isArray(understood))
    return body.flatMap((item, index) => ignoredFields(item, understood[index], [...path, index]))
  if (!isRecord(body) || !isRecord(understood)) return []
  return Object.keys(body).flatMap((key) =>
    Object.hasOwn(understood, key)
      ? ignoredFields(body[key], understood[key], [...path, key])
      : [fieldOf([...path, key])],
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
