import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Found } from '../../src/core/media/mention.js'
import { valueAt } from '../../src/core/request/path.js'
import type { AnyTaskFamily } from '../../src/core/task/family.js'
import {
  audio,
  create,
  image,
  read,
  refused,
  type TestWorld,
  unseen,
  video,
  worldWith,
} from '../families/world.js'
import { shapeOf } from './error-shapes.js'
import { samplesOf } from './samples.js'

/** No body of any shape makes a family stumble: it is accepted, or refused in the family's words. */
export const bodiesOfAnyShapeAreAnswered = (family: AnyTaskFamily): void => {
  test('any JSON is answered', () => {
    fc.assert(
      fc.property(fc.jsonValue(), behind, (body, found) => isAnswered(family, body, worldWhere(found))),
      { numRuns: 300 },
    )
  })

  test('any object with a model of the family is answered', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...fieldNames), json),
        fc.constantFrom(...family.models),
        behind,
        (fields, model, found) => isAnswered(family, { ...fields, model }, worldWhere(found)),
      ),
      { numRuns: 300 },
    )
  })

  const samples = samplesOf(family.id)
  if (samples.length === 0) return
  test('any change of a sample request is answered', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        behind,
        (sample, changes, found) => {
          const body = changes.reduce<unknown>((before, one) => changed(before, one), sample.body)
          isAnswered(family, body, worldWhere(found))
        },
      ),
      { numRuns: 1_000 },
    )
  })
}

const isAnswered = (family: AnyTaskFamily, body: unknown, world: TestWorld): void => {
  const { reply, notes } = create(family, body, world)
  const shape = shapeOf(family.id)
  if (reply.status === 200) {
    expect(notes.refusedBy).toEqual([])
    if (family.render.read !== undefined) expect(read(family, notes.task ?? '', world).reply.status).toBe(200)
    return
  }
  expect(reply.status).toBeGreaterThanOrEqual(400)
  expect(reply.status).toBeLessThan(500)
  expect(reply.body).toEqual(shape.schema.parse(reply.body))
  const [first] = notes.refusedBy
  const isOfShape = first?.rule.includes('.schema.') && !first.rule.endsWith('.schema.model')
  if (isOfShape) expect(valueAt(reply.body, shape.message)).toContain(first?.field)
}

const worldWhere = (found: Found): TestWorld => ({ ...worldWith(), found: () => found })

const behind = fc.constantFrom<Found>(
  image(),
  image({ width: 8_000, height: 10, bytes: 2 ** 30, format: 'avif' }),
  video(),
  video({ seconds: 0.5, framesPerSecond: 5, videoCodec: 'vp09', width: 1, height: 9_000 }),
  audio(),
  audio({ seconds: 900, bytes: 2 ** 30 }),
  unseen(),
  refused('form'),
  refused('unreachable'),
  refused('unreadable'),
  refused('too-large'),
  refused('asset'),
)

const fieldNames = [
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

const json = fc.oneof(
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

interface Change {
  /** Which of the places of the body, counted through. */
  readonly place: number
  readonly how: 'replace' | 'remove' | 'repeat'
  readonly value: unknown
}

const change: fc.Arbitrary<Change> = fc.record({
  place: fc.nat(),
  how: fc.constantFrom('replace', 'remove', 'repeat'),
  value: json,
})

const changed = (body: unknown, { place, how, value }: Change): unknown => {
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
