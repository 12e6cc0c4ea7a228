import fc from 'fast-check'

/** Names that bodies of some family have, and names of the language. */
export const fieldNames = [
  'input',
  'parameters',
  'content',
  'media',
  'subject_reference',
  'prompt',
  'seconds',
  'duration',
  'size',
  'ratio',
  'resolution',
  'seed',
  '__proto__',
  'constructor',
]

/** Any JSON, and above all what is nearly right. */
export const json = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    0,
    -1,
    1e308,
    -0,
    [],
    {},
    [null],
    [[]],
    [{}],
    '5',
    'data:;base64,',
    'asset://',
    'http://[',
  ),
)

/** One change of a body. */
export interface Change {
  /** Which of the places of the body, counted through. */
  readonly place: number
  readonly how: 'replace' | 'remove' | 'repeat'
  readonly value: unknown
}

export const change: fc.Arbitrary<Change> = fc.record({
  place: fc.nat(),
  how: fc.constantFrom('replace', 'remove', 'repeat'),
  value: json,
})

/** The body with one of its places replaced, removed or, in a list, repeated. */
export const changed = (body: unknown, { place, how, value }: Change): unknown => {
  const copy = structuredClone(body)
  const places = placesIn(copy)
  const spot = places[place % Math.max(1, places.length)]
  if (spot === undefined) return value
  const { parent, key } = spot
  if (how === 'remove') delete parent[key]
  else if (how === 'repeat' && Array.isArray(parent)) parent.push(structuredClone(parent[Number(key)]))
  else parent[key] = value
  return copy
}

const placesIn = (value: unknown): { parent: Record<string, unknown>; key: string }[] => {
  if (value === null || typeof value !== 'object') return []
  const parent = value as Record<string, unknown>
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...placesIn(parent[key])])
}
