import { describe, expect, test } from 'vitest'
import outside from '../../examples/family/sketch.family.js'
import type { AnyTaskFamily } from '../../src/emulator/core/contract.js'
import { builtIn, families } from '../../src/emulator/families/index.js'
import { keepsTheFamilyPromises } from './family-promises.js'

const { gaps, operations, taskFamilies } = builtIn

for (const family of taskFamilies)
  describe(`§${family.section} ${family.title}`, () => keepsTheFamilyPromises(family))

describe('a family from outside', () => keepsTheFamilyPromises(outside as AnyTaskFamily, { isOutside: true }))

test('families and operations are named once', () => {
  for (const ids of [taskFamilies.map(({ id }) => id), operations.map(({ id }) => id)])
    expect(new Set(ids).size).toBe(ids.length)
})

test('no model is claimed by two families on one route', () => {
  const claims = taskFamilies.flatMap(({ models, routes: { create } }) =>
    models.map((model) => `${create.method} ${create.path} ${model}`),
  )
  expect(new Set(claims).size).toBe(claims.length)
})

test('a route that is shared has a claim on each of its operations', () => {
  const routeOf = ({ route }: (typeof operations)[number]) => `${route.method} ${route.path}`
  for (const operation of operations) {
    const sharing = operations.filter((other) => routeOf(other) === routeOf(operation))
    if (sharing.length > 1) for (const { id, matches: claims } of sharing) expect(claims, id).toBeDefined()
  }
})

// The letters X, Z and N are those of gaps that belong to no chapter.
test.each(families)('$id is a chapter, with whose letter its gaps begin', ({ section, gaps = [] }) => {
  expect(section).toMatch(/^[A-MO-WY]\d?$/)
  const [letter] = section
  for (const { id } of gaps) expect(id).toMatch(new RegExp(`^${letter}\\d{1,2}$`))
})

test('gaps are named once', () => {
  const ids = gaps.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test.each(families)('$id relies on gaps that exist, by its verbs', ({ id, reliesOn = {} }) => {
  const verbs = operations
    .filter(({ family }) => family === id)
    .map((operation) => operation.id.split('.')[1])
  expect([...verbs, 'refusal', 'callback', 'challenge']).toEqual(
    expect.arrayContaining(Object.keys(reliesOn)),
  )
  expect(gaps.map((gap) => gap.id)).toEqual(expect.arrayContaining(Object.values(reliesOn).flat()))
})

test('families whose tasks are read by others exist', () => {
  const ids = taskFamilies.map(({ id }) => id)
  for (const { reads } of taskFamilies) for (const id of reads ?? []) expect(ids).toContain(id)
})
