import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rulesOf } from '../../src/emulator/control/rules.js'
import type { AnyTaskFamily } from '../../src/emulator/core/contract.js'
import type { ResolvedMedia } from '../../src/emulator/core/media/input.js'
import { valueAt } from '../../src/emulator/core/request.js'
import { operationsOf } from '../../src/emulator/core/task/operations.js'
import {
  audio,
  contextWith,
  create,
  image,
  onTask,
  read,
  refused,
  type TestContext,
  unseen,
  video,
} from '../emulator/families/context.js'
import { change, changed, fieldNames, json } from './any-json.js'
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

  test.each([
    ['very deep', () => JSON.parse('['.repeat(20_000) + ']'.repeat(20_000))],
    ['very wide', () => Array.from({ length: 200_000 }, () => null)],
  ])('a body that is %s is refused', (_, made) => {
    const [intricate, model] = [made(), family.models[0]]
    const messages = [{ role: 'user', content: intricate }]
    for (const body of [intricate, { model, content: intricate, media: intricate, input: { messages } }]) {
      const { reply, meta: notes } = create(family, body, contextWith())
      expect(reply.status).toBeGreaterThanOrEqual(400)
      expect(notes.refusedBy).toHaveLength(1)
      isAnswered(family, body, contextWith())
    }
  })

  for (const verb of ['read', 'cancel'].filter((one) => Object.hasOwn(family.routes, one)))
    test(`any id can be asked to ${verb}`, () => {
      fc.assert(
        fc.property(fc.oneof(fc.string(), fc.constantFrom(...fieldNames)), (id) => {
          const { reply } = onTask(family, verb, id, contextWith())
          expect(reply.status).toBeGreaterThanOrEqual(400)
          expect(reply.body).toEqual(shapeOf(family.id).schema.parse(reply.body))
        }),
      )
    })

  const samples = samplesOf(family)
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

/** The ids of a family's rules, as they can be looked up. */
const idsOf = (family: AnyTaskFamily): readonly string[] => {
  const ids = known.get(family) ?? rulesOf(operationsOf(family), [family]).map(({ id }) => id)
  known.set(family, ids)
  return ids
}

const known = new WeakMap<AnyTaskFamily, readonly string[]>()

const isAnswered = (family: AnyTaskFamily, body: unknown, context: TestContext): void => {
  const { reply, meta: notes } = create(family, body, context)
  const shape = shapeOf(family.id)
  if (reply.status === 200) {
    expect(notes.refusedBy).toEqual([])
    if (family.respond.read !== undefined)
      expect(read(family, notes.task ?? '', context).reply.status).toBe(200)
    return
  }
  expect(reply.status).toBeGreaterThanOrEqual(400)
  expect(reply.status).toBeLessThan(500)
  expect(reply.body).toEqual(shape.schema.parse(reply.body))
  for (const { rule } of notes.refusedBy) expect(idsOf(family)).toContain(rule)
  const [first] = notes.refusedBy
  const isOfShape = first?.rule.includes('.schema.') && !first.rule.endsWith('.schema.model')
  if (isOfShape) expect(valueAt(reply.body, shape.message)).toContain(first?.field)
}

const worldWhere = (found: ResolvedMedia): TestContext => ({ ...contextWith(), resolvedMedia: () => found })

const behind = fc.constantFrom<ResolvedMedia>(
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
