import { expect, test } from 'vitest'
import { ask, at, callOf, contextWith, create, operationOf, read } from '../../families/context.js'
import { toys } from './literals.js'

const red = { model: 'toy-1', colour: 'red' }
const worldAt0 = (settings = {}) => contextWith({ now: 0, settings })

test('an accepted create answers with the new task and remembers it', () => {
  const context = worldAt0()
  const decision = create(toys, red, context)
  expect(decision.reply).toEqual({ status: 200, body: { id: 'toy-1', status: 'queued' } })
  expect(context.account.tasks.get('toy-1')).toMatchObject({
    family: 'toy',
    account: 'test-key',
    model: 'toy-1',
    requestId: 'request-1',
    createdAt: 0,
    params: { colour: 'red', wheels: 4 },
    price: 5,
  })
  expect(context.account.sequence).toBe(1)
})

test('a new task is shown as it began, even where everything happens in the same instant', () => {
  const sudden = { ...toys, timeline: toys.timeline }
  sudden.timeline = (_, { now }) => [
    { at: now, value: { state: 'queued' } },
    { at: now, value: { state: 'succeeded', media: [] } },
  ]
  const context = worldAt0()
  expect(create(sudden, red, context).reply.body).toEqual({ id: 'toy-1', status: 'queued' })
  expect(read(sudden, 'toy-1', context).reply.body).toEqual({ id: 'toy-1', status: 'succeeded' })
})

test('a refused create changes nothing', () => {
  const context = worldAt0()
  const decision = create(toys, { ...red, colour: 'green' }, context)
  expect(decision.changes).toEqual([])
  expect(context.account.sequence).toBe(0)
  expect(context.account.tasks.size).toBe(0)
})

test('the first rule answers and all of them are noted', () => {
  const decision = create(toys, { ...red, colour: 'green', wheels: 3 }, worldAt0())
  expect(decision.reply).toEqual({
    status: 400,
    body: { error: 'bad', field: 'colour', message: 'colour must not be green', requestId: 'request-1' },
  })
  expect(decision.meta.refusedBy.map(({ rule, place }) => [rule, place])).toEqual([
    ['toy.not-green', '§T colour'],
    ['toy.even-wheels', '§T wheels'],
  ])
})

test.each([
  ['an unknown model', { ...red, model: 'toy-9' }, 404, 'no_model', 'toy.schema.model'],
  ['a model that is no text', { ...red, model: 9 }, 400, 'bad', 'toy.schema.model'],
  ['a missing model', { colour: 'red' }, 400, 'absent', 'toy.schema.model'],
  ['a missing field', { model: 'toy-1' }, 400, 'absent', 'toy.schema.colour'],
  ['a field of another type', { ...red, colour: 7 }, 400, 'bad', 'toy.schema.colour'],
  ['a body that is no object', [], 400, 'bad', 'toy.schema'],
])('%s is refused by the schema', (_, body, status, error, rule) => {
  const decision = create(toys, body, worldAt0())
  expect(decision.reply).toMatchObject({ status, body: { error } })
  expect(decision.meta.refusedBy[0]?.rule).toBe(rule)
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
  expect(decision.meta.ignored).toEqual(['sound'])
})

test('with the setting strict unknown fields are refused', () => {
  const decision = create(toys, { ...red, sound: 'loud' }, worldAt0({ strict: true }))
  expect(decision.reply).toMatchObject({ status: 400, body: { error: 'bad', field: 'sound' } })
  expect(decision.meta.refusedBy[0]).toMatchObject({
    rule: 'toy.strict',
    place: 'docs/gaps.md#x11, docs/gaps.md#x13',
  })
})

test('with the setting strict known fields are accepted', () =>
  expect(create(toys, red, worldAt0({ strict: true })).reply.status).toBe(200))

test('media that were not read and remarks are warned of', () => {
  const decision = create(
    toys,
    { ...red, colour: 'beige', picture: 'https://elsewhere.test/a.png' },
    worldAt0(),
  )
  expect(decision.meta.warnings).toEqual([
    'picture was not read, so no rule on its facts was applied (setting fetchMedia)',
    'beige is out of fashion',
  ])
})

test('a create names its media before it decides', () => {
  const operation = operationOf(toys, 'create')
  const { mediaRefs } = operation.prepare(
    callOf(operation, { body: { ...red, picture: 'https://elsewhere.test/a.png' } }),
    worldAt0().settings,
  )
  expect(mediaRefs).toEqual([{ field: 'picture', url: 'https://elsewhere.test/a.png', wants: 'image' }])
})

test('images of an accepted create are counted', () => {
  const context = worldAt0()
  create(toys, { ...red, wheels: 2 }, context)
  create(toys, { ...red, wheels: 4 }, context)
  expect(context.account.imagesMade).toBe(2)
})

test('the rate limit refuses before anything is looked at, and says how long to wait', () => {
  const context = worldAt0({ requestsPerMinute: 1 })
  create(toys, red, context)
  const decision = create(toys, 'no object', at(context, 15_000))
  expect(decision.reply).toMatchObject({
    status: 429,
    headers: { 'Retry-After': '45' },
    body: { error: 'busy' },
  })
  expect(decision.meta.refusedBy).toHaveLength(1)
  expect(decision.meta.refusedBy[0]).toMatchObject({ rule: 'toy.rate-limit', place: 'docs/gaps.md#x6' })
})

test('refused calls do not count against the rate limit', () => {
  const context = worldAt0({ requestsPerMinute: 1 })
  create(toys, 'no object', context)
  expect(create(toys, red, context).reply.status).toBe(200)
})

test('after the wait one more create is accepted', () => {
  const context = worldAt0({ requestsPerMinute: 1 })
  create(toys, red, context)
  expect(create(toys, red, at(context, 59_999)).reply.status).toBe(429)
  expect(create(toys, red, at(context, 60_000)).reply.status).toBe(200)
})
