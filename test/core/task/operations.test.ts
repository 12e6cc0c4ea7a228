import { expect, test } from 'vitest'
import { operationsOf } from '../../../src/core/task/operations.js'
import { ask, at, callOf, cancel, create, list, operationOf, read, worldWith } from '../../families/world.js'
import { toys } from './literals.js'

const red = { model: 'toy-1', colour: 'red' }
const worldAt0 = (settings = {}) => worldWith({ now: 0, settings })

test('a family with all routes has four operations', () =>
  expect(operationsOf(toys).map(({ id }) => id)).toEqual([
    'toy.create',
    'toy.read',
    'toy.list',
    'toy.cancel',
  ]))

test('a family with one route has one operation', () =>
  expect(operationsOf({ ...toys, routes: { create: toys.routes.create } })).toHaveLength(1))

test('an accepted create answers with the new task and remembers it', () => {
  const world = worldAt0()
  const decision = create(toys, red, world)
  expect(decision.reply).toEqual({ status: 200, body: { id: 'toy-1', status: 'queued' } })
  expect(world.account.tasks.get('toy-1')).toMatchObject({
    family: 'toy',
    account: 'test-key',
    model: 'toy-1',
    requestId: 'request-1',
    createdAt: 0,
    order: { colour: 'red', wheels: 4 },
    price: 5,
  })
  expect(world.account.ordinal).toBe(1)
})

test('a new task is shown as it began, even where everything happens in the same instant', () => {
  const sudden = { ...toys, lifecycle: toys.lifecycle }
  sudden.lifecycle = (_, { now }) => [
    { at: now, value: { state: 'queued' } },
    { at: now, value: { state: 'succeeded', media: [] } },
  ]
  const world = worldAt0()
  expect(create(sudden, red, world).reply.body).toEqual({ id: 'toy-1', status: 'queued' })
  expect(read(sudden, 'toy-1', world).reply.body).toEqual({ id: 'toy-1', status: 'succeeded' })
})

test('a refused create changes nothing', () => {
  const world = worldAt0()
  const decision = create(toys, { ...red, colour: 'green' }, world)
  expect(decision.changes).toEqual([])
  expect(world.account.ordinal).toBe(0)
  expect(world.account.tasks.size).toBe(0)
})

test('the first rule answers and all of them are noted', () => {
  const decision = create(toys, { ...red, colour: 'green', wheels: 3 }, worldAt0())
  expect(decision.reply).toEqual({
    status: 400,
    body: { error: 'bad', field: 'colour', message: 'colour must not be green', requestId: 'request-1' },
  })
  expect(decision.notes.refusedBy.map(({ rule, place }) => [rule, place])).toEqual([
    ['toy.not-green', '§T colour'],
    ['toy.even-wheels', '§T wheels'],
  ])
})

test.each([
  ['a model nobody has', { ...red, model: 'toy-9' }, 404, 'no_model', 'toy.schema.model'],
  ['a model that is no text', { ...red, model: 9 }, 400, 'bad', 'toy.schema.model'],
  ['a missing model', { colour: 'red' }, 400, 'absent', 'toy.schema.model'],
  ['a missing field', { model: 'toy-1' }, 400, 'absent', 'toy.schema.colour'],
  ['a field of another type', { ...red, colour: 7 }, 400, 'bad', 'toy.schema.colour'],
  ['a body that is no object', [], 400, 'bad', 'toy.schema'],
])('%s is refused by the schema', (_, body, status, error, rule) => {
  const decision = create(toys, body, worldAt0())
  expect(decision.reply).toMatchObject({ status, body: { error } })
  expect(decision.notes.refusedBy[0]?.rule).toBe(rule)
})

test('a call without a body is refused as a body that is no object', () => {
  const operation = operationOf(toys, 'create')
  expect(ask(operation, callOf(operation), worldAt0()).reply).toMatchObject({
    status: 400,
    body: { error: 'bad' },
  })
})

test('an unknown model is named before all else', () =>
  expect(create(toys, { model: 'toy-9', wheels: 'many' }, worldAt0()).reply.body).toMatchObject({
    error: 'no_model',
  }))

test('unknown fields are ignored and noted', () => {
  const decision = create(toys, { ...red, sound: 'loud' }, worldAt0())
  expect(decision.reply.status).toBe(200)
  expect(decision.notes.ignored).toEqual(['sound'])
})

test('with the setting strict unknown fields are refused', () => {
  const decision = create(toys, { ...red, sound: 'loud' }, worldAt0({ strict: true }))
  expect(decision.reply).toMatchObject({ status: 400, body: { error: 'bad', field: 'sound' } })
  expect(decision.notes.refusedBy[0]).toMatchObject({ rule: 'toy.strict', place: 'defaults X11' })
})

test('with the setting strict known fields are accepted', () =>
  expect(create(toys, red, worldAt0({ strict: true })).reply.status).toBe(200))

test('media that were not read and remarks are warned of', () => {
  const decision = create(
    toys,
    { ...red, colour: 'beige', picture: 'https://elsewhere.test/a.png' },
    worldAt0(),
  )
  expect(decision.notes.warnings).toEqual([
    'picture was not read, so no rule on its facts was applied (setting fetchMedia)',
    'beige is out of fashion',
  ])
})

test('a create names its media before it decides', () => {
  const operation = operationOf(toys, 'create')
  const { mentions } = operation.prepare(
    callOf(operation, { body: { ...red, picture: 'https://elsewhere.test/a.png' } }),
    worldAt0().settings,
  )
  expect(mentions).toEqual([{ field: 'picture', url: 'https://elsewhere.test/a.png', wants: 'image' }])
})

test('images of an accepted create are counted', () => {
  const world = worldAt0()
  create(toys, { ...red, wheels: 2 }, world)
  create(toys, { ...red, wheels: 4 }, world)
  expect(world.account.imagesMade).toBe(2)
})

test('the rate limit refuses before anything is looked at, and says how long to wait', () => {
  const world = worldAt0({ requestsPerMinute: 1 })
  create(toys, red, world)
  const decision = create(toys, 'no object', at(world, 15_000))
  expect(decision.reply).toMatchObject({
    status: 429,
    headers: { 'Retry-After': '45' },
    body: { error: 'busy' },
  })
  expect(decision.notes.refusedBy).toHaveLength(1)
  expect(decision.notes.refusedBy[0]).toMatchObject({ rule: 'toy.rate-limit', place: 'defaults X6' })
})

test('refused calls do not count against the rate limit', () => {
  const world = worldAt0({ requestsPerMinute: 1 })
  create(toys, 'no object', world)
  expect(create(toys, red, world).reply.status).toBe(200)
})

test('after the wait one more create is accepted', () => {
  const world = worldAt0({ requestsPerMinute: 1 })
  create(toys, red, world)
  expect(create(toys, red, at(world, 59_999)).reply.status).toBe(429)
  expect(create(toys, red, at(world, 60_000)).reply.status).toBe(200)
})

test('reading changes nothing, however often', () => {
  const world = worldAt0()
  create(toys, red, world)
  const decision = read(toys, 'toy-1', at(world, 12))
  expect(decision).toMatchObject({
    reply: { status: 200, body: { id: 'toy-1', status: 'running' } },
    changes: [],
  })
  expect(decision.notes.task).toBe('toy-1')
  expect(read(toys, 'toy-1', at(world, 12))).toEqual(decision)
})

test.each(['read', 'cancel'] as const)(
  '%s of a task that nobody made is refused in the words of the family',
  (verb) => {
    const operation = operationOf(toys, verb)
    const decision = ask(operation, callOf(operation, { id: 'toy-9' }), worldAt0())
    expect(decision.reply).toMatchObject({ status: 404, body: { error: 'unknown', field: 'id' } })
    expect(decision.notes.refusedBy[0]).toMatchObject({ rule: 'toy.task-exists', found: 'toy-9' })
  },
)

test("a task of another family is not read here, unless the family reads that one's tasks", () => {
  const world = worldAt0()
  create({ ...toys, id: 'games' }, red, world)
  expect(read(toys, 'toy-1', world).reply.status).toBe(404)
  expect(read({ ...toys, reads: ['toy', 'games'] }, 'toy-1', world).reply.status).toBe(200)
})

test.each([
  ['as long as it is kept', 1_000, 200],
  ['when it is no longer kept', 1_001, 404],
])('a task can be read %s', (_, now, status) => {
  const world = worldAt0()
  create(toys, red, world)
  expect(read(toys, 'toy-1', at(world, now)).reply.status).toBe(status)
})

test('cancelling what may be cancelled ends it at that instant', () => {
  const world = worldAt0()
  create(toys, red, world)
  const decision = cancel(toys, 'toy-1', at(world, 4))
  expect(decision.reply).toEqual({ status: 200, body: {} })
  expect(read(toys, 'toy-1', at(world, 4)).reply.body).toEqual({ id: 'toy-1', status: 'cancelled' })
  expect(world.account.open.size).toBe(0)
})

test('cancelling what may not be cancelled changes nothing', () => {
  const world = worldAt0()
  create(toys, red, world)
  const decision = cancel(toys, 'toy-1', at(world, 12))
  expect(decision).toMatchObject({ reply: { status: 409, body: { error: 'stays' } }, changes: [] })
  expect(decision.notes.refusedBy[0]?.rule).toBe('toy.cancelling')
  expect(read(toys, 'toy-1', at(world, 20)).reply.body).toMatchObject({ status: 'succeeded' })
})

test('cancelling what has ended removes it', () => {
  const world = worldAt0()
  create(toys, red, world)
  expect(cancel(toys, 'toy-1', at(world, 20)).reply.status).toBe(200)
  expect(read(toys, 'toy-1', at(world, 20)).reply.status).toBe(404)
})

test('a list is newest first', () => {
  const world = worldAt0()
  for (let made = 0; made < 3; made += 1) create(toys, red, world)
  expect(list(toys, '', world).reply.body).toEqual({ items: ['toy-3', 'toy-2', 'toy-1'], total: 3 })
})

test('a cancelled task keeps its place in the list', () => {
  const world = worldAt0()
  for (let made = 0; made < 3; made += 1) create(toys, red, world)
  cancel(toys, 'toy-2', world)
  expect(list(toys, '', world).reply.body).toEqual({ items: ['toy-3', 'toy-2', 'toy-1'], total: 3 })
})

test('a status query waits for the next moment of its task', () => {
  const world = worldAt0()
  create(toys, red, world)
  const operation = operationOf(toys, 'read')
  const call = callOf(operation, { id: 'toy-1' })
  expect(operation.awaits?.(call, world.account, 0)).toBe(10)
  expect(operation.awaits?.(call, world.account, 10)).toBe(20)
  expect(operation.awaits?.(call, world.account, 20)).toBeUndefined()
  expect(operation.awaits?.(callOf(operation, { id: 'toy-9' }), world.account, 0)).toBeUndefined()
})

test('a list that names tasks waits for the soonest of their moments', () => {
  const world = worldAt0()
  create(toys, red, at(world, 0))
  create(toys, red, at(world, 3))
  const operation = operationOf(toys, 'list')
  const call = (query: string) => callOf(operation, { query })
  expect(operation.awaits?.(call('filter.task_ids=toy-1&filter.task_ids=toy-2'), world.account, 3)).toBe(10)
  expect(operation.awaits?.(call('filter.task_ids=toy-2'), world.account, 3)).toBe(13)
  expect(operation.awaits?.(call('filter.task_ids=toy-9'), world.account, 3)).toBeUndefined()
  expect(operation.awaits?.(call(''), world.account, 3)).toBeUndefined()
})

test.each([
  ['toy-1', true],
  ['toy-2', true],
  ['toy-3', false],
  ['', false],
  [7, false],
  [undefined, false],
])('a create with the model %j is claimed: %s', (model, claimed) => {
  const operation = operationOf(toys, 'create')
  expect(operation.claims?.(callOf(operation, { body: { model } }), worldAt0().account)).toBe(claimed)
})

test.each([null, 7, 'toy-1', []])('a create with the body %j is claimed by nobody', (body) => {
  const operation = operationOf(toys, 'create')
  expect(operation.claims?.(callOf(operation, { body }), worldAt0().account)).toBe(false)
})

test('a read is claimed where the task is known', () => {
  const world = worldAt0()
  create(toys, red, world)
  const operation = operationOf(toys, 'read')
  expect(operation.claims?.(callOf(operation, { id: 'toy-1' }), world.account)).toBe(true)
  expect(operation.claims?.(callOf(operation, { id: 'toy-2' }), world.account)).toBe(false)
})
