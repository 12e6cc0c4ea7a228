import { fieldOf } from './request.js'

/** A body whose nulls count as absent fields (gap X13). */
export interface BodyWithoutNulls {
  /** The body without them; the same value where it has none. */
  readonly body: unknown
  /** Paths of the fields that had one. */
  readonly nulls: readonly string[]
}

/**
 * Absent fields: a field whose value is null counts as one that was not sent, at every depth. An item of a list that is null
 * stays, since to leave it out would change the places of the others.
 */
export const withoutNulls = (body: unknown): BodyWithoutNulls => {
  const nulls: string[] = []
  return { body: copyWithout(body, [], nulls), nulls }
}

/** Copies only what has a null within it: most bodies have none. */
const copyWithout = (value: unknown, path: PropertyKey[], nulls: string[]): unknown => {
  if (value === null || typeof value !== 'object') return value
  const source = value as Record<PropertyKey, unknown>
  const isList = Array.isArray(value)
  let copy: Record<PropertyKey, unknown> | undefined
  const change = () => {
    copy ??= (isList ? [...value] : { ...source }) as Record<PropertyKey, unknown>
    return copy
  }
  for (const name of Object.keys(source)) {
    path.push(isList ? Number(name) : name)
    const inner = source[name]
    if (inner === null && !isList) {
      delete change()[name]
      nulls.push(fieldOf(path))
    } else if (typeof inner === 'object') {
      const kept = copyWithout(inner, path, nulls)
      if (kept !== inner) change()[name] = kept
    }
    path.pop()
  }
  return copy ?? value
}

const MAX_NAMED = 20

/** What the journal says of the nulls of a body that has some, at these paths. */
export const nullNote = (nulls: readonly string[]): string => {
  const more = nulls.length > MAX_NAMED ? ` and ${nulls.length - MAX_NAMED} more` : ''
  return `null counts as not sent (gap X13): ${nulls.slice(0, MAX_NAMED).join(', ')}${more}`
}
