import { isRecord, valueAt } from './request.js'

/** Path of a field in an answer: `data.url`, `items[0].id`, and `items[].id` for each item of a list. */
export const FIELD_PATH = /^[\w$-]+(\.[\w$-]+|\[\d*\])*$/

type Steps = readonly (string | number)[]

/** Path of a field as keys and positions: `data.items[0].id`. An empty pair of brackets stands for each item, as `[]`. */
export const fieldPath = (written: string): (string | number)[] =>
  [...written.matchAll(/[\w$-]+|\[\d*\]/g)].map(([step]) => {
    if (!step.startsWith('[')) return step
    return step === '[]' ? step : Number(step.slice(1, -1))
  })

/**
 * Changes of a body, in the order in which they are made. Each path names a field, or with `[]` one of each item; those of `remove`,
 * `rename` and `move` name it as it is in the body that is given, also where a field around it gets another name.
 */
export interface FieldChanges {
  readonly remove?: readonly string[] | undefined
  /** The new name, which stands in the same place. */
  readonly rename?: Readonly<Record<string, string>> | undefined
  /** The path at which a field stands instead. */
  readonly move?: Readonly<Record<string, string>> | undefined
  /** The field that holds the whole body. */
  readonly wrap?: string | null | undefined
  /** Values by their paths in the body as it is by then. Objects and lists on the way are made where they are missing. */
  readonly set?: Readonly<Record<string, unknown>> | undefined
}

/** A copy of a body with changes. What a path names and is not there is not changed. */
export const changeFields = (
  given: unknown,
  { remove = [], rename = {}, move = {}, wrap, set = {} }: FieldChanges,
): unknown => {
  let body = structuredClone(given)
  // From the last one on, so that the places before it stay.
  for (const path of remove) for (const at of placesOf(body, fieldPath(path)).reverse()) take(body, at)
  const names = new Map(Object.entries(rename).map(([path, name]) => [keyOf(fieldPath(path)), name]))
  if (names.size > 0) body = renamed(body, names)
  for (const [path, to] of deepestFirst(move))
    for (const at of placesOf(body, renamedPath(path, names)))
      put(body, targetOf(fieldPath(to), at), take(body, at))
  if (typeof wrap === 'string') body = { [wrap]: body }
  for (const [path, value] of Object.entries(set)) {
    const steps = fieldPath(path)
    const parent = steps.slice(0, steps.lastIndexOf('[]') + 1)
    const rest = steps.slice(parent.length)
    // Each a copy of its own, which a later path may change.
    const places = parent.length === 0 ? [[]] : placesOf(body, parent)
    for (const at of places) put(body, [...at, ...rest], structuredClone(value))
  }
  return body
}

/** The entries of an object by paths, those within a field before the field itself. */
const deepestFirst = (paths: Readonly<Record<string, string>>): [Steps, string][] =>
  Object.entries(paths)
    .map(([path, to]): [Steps, string] => [fieldPath(path), to])
    .sort(([a], [b]) => b.length - a.length)

const keyOf = (steps: Steps): string => steps.map((step) => `/${step}`).join('')

/** New names of fields, by the keys of their paths. */
type Names = ReadonlyMap<string, string>

/** A path with the new names of the fields on it. */
const renamedPath = (steps: Steps, names: Names): Steps =>
  steps.map((step, index) => names.get(keyOf(steps.slice(0, index + 1))) ?? step)

/**
 * A body whose fields have other names, each in its place, all at once: two can swap theirs. A field whose name another one gets is
 * gone.
 * @param at the keys that the path of the value has: in a list it is each item, and that of its position
 */
const renamed = (value: unknown, names: Names, at: readonly string[] = ['']): unknown => {
  if (Array.isArray(value))
    return value.map((item, index) =>
      renamed(
        item,
        names,
        at.flatMap((key) => [`${key}/[]`, `${key}/${index}`]),
      ),
    )
  if (!isRecord(value)) return value
  const newNames = new Map(
    Object.keys(value).flatMap((name) =>
      at.flatMap((key) => {
        const to = names.get(`${key}/${name}`)
        return to === undefined ? [] : [[name, to] as const]
      }),
    ),
  )
  const given = new Set(newNames.values())
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => newNames.has(name) || !given.has(name))
      .map(([name, inner]) => [
        newNames.get(name) ?? name,
        renamed(
          inner,
          names,
          at.map((key) => `${key}/${name}`),
        ),
      ]),
  )
}

/** Whether a body has a field of this path. */
export const hasField = (body: unknown, path: string): boolean => placesOf(body, fieldPath(path)).length > 0

/** Types that a value can be given: `text` "7", `number` 7 of "7", `decimal` 7.0 of 7, `list` [7]. */
export const valueTypes = ['text', 'number', 'decimal', 'list'] as const
type ValueType = (typeof valueTypes)[number]

/**
 * A copy of a body in which values have another type, and its text as JSON. The text alone has decimals: in JavaScript 7.0 is 7.
 * What cannot have the type (a number of the text "soon", a decimal of 0.5) stays as it is.
 * @param types by the paths of the values
 */
export const retypeFields = (
  given: unknown,
  types: Readonly<Record<string, ValueType>>,
): { readonly body: unknown; readonly text: string } => {
  const body = structuredClone(given)
  const marked = structuredClone(given)
  for (const [path, type] of Object.entries(types))
    for (const at of placesOf(body, fieldPath(path))) {
      const value = valueAt(body, at)
      const isDecimal = type === 'decimal' && Number.isInteger(value)
      const retyped = type === 'decimal' ? value : retype(value, type)
      put(body, at, retyped)
      put(marked, at, isDecimal ? `${DECIMAL}${value}.0` : retyped)
    }
  return { body, text: (JSON.stringify(marked) ?? '').replace(MARKED, '$1') }
}

// No text of an answer begins with it. JSON writes the character as \u0000.
const DECIMAL = '\u0000decimal '
const MARKED = /"\\u0000decimal (-?\d+\.0)"/g

const retype = (value: unknown, type: Exclude<ValueType, 'decimal'>): unknown => {
  if (type === 'list') return [value]
  if (type === 'text') return typeof value === 'string' ? value : JSON.stringify(value)
  const isNumeral = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
  return isNumeral ? Number(value) : value
}

/** The places in a body that a path names; several where it has `[]`, and none where nothing is there. */
const placesOf = (body: unknown, steps: Steps): Steps[] => {
  const each = steps.indexOf('[]')
  if (each < 0) return isThere(body, steps) ? [steps] : []
  const before = steps.slice(0, each)
  const list = valueAt(body, before)
  if (!Array.isArray(list)) return []
  return list.flatMap((_, index) => placesOf(body, [...before, index, ...steps.slice(each + 1)]))
}

/** Whether a path leads to something: within a list by positions alone, though JavaScript gives it a `length` too. */
const isThere = (body: unknown, steps: Steps): boolean => {
  const names = steps.findIndex(
    (step, index) => typeof step === 'string' && Array.isArray(valueAt(body, steps.slice(0, index))),
  )
  return names < 0 && valueAt(body, steps) !== undefined
}

/** A path with the positions of another one in the place of its `[]`. */
const targetOf = (to: Steps, from: Steps): Steps => {
  const positions = from.filter((step) => typeof step === 'number')
  return to.map((step) => (step === '[]' ? (positions.shift() ?? 0) : step))
}

const take = (body: unknown, at: Steps): unknown => {
  const parent = valueAt(body, at.slice(0, -1))
  const last = at.at(-1) as string | number
  const value = valueAt(parent, [last])
  if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else if (isRecord(parent)) delete parent[last]
  return value
}

/** Puts a value at a path; objects and lists on the way are made where they are missing. */
const put = (body: unknown, at: Steps, value: unknown): void => {
  const [step, ...rest] = at
  if (step === undefined || body === null || typeof body !== 'object') return
  const parent = body as Record<string | number, unknown>
  if (rest.length === 0) {
    Object.defineProperty(parent, step, { value, enumerable: true, configurable: true, writable: true })
    return
  }
  if (!Object.hasOwn(parent, step) || parent[step] === null || typeof parent[step] !== 'object')
    parent[step] = typeof rest[0] === 'number' ? [] : {}
  put(parent[step], rest, value)
}
