import { expect, test } from 'vitest'
import { operationsOf } from '../../../../src/emulator/core/task/operations.js'
import {
  ask,
  at,
  callOf,
  cancel,
  contextWith,
  create,
  list,
  operationOf,
  read,
} from '../../families/context.js'
import { toys } from './literals.js'

const red = { model: 'toy-1', colour: 'red' }
const worldAt0 = (settings = {}) => contextWith({ now: 0, settings })

test('a family with all routes has four operations', () =>
  expect(operationsOf(toys).map(({ id }) => id)).toEqual([
    'toy.create',
    'toy.read',
    'toy.list',
    'toy.cancel',
  ]))

test('a family with one route has one operation', () =>
  expect(operationsOf({ ...toys, routes: { create: toys.routes.create } })).toHaveLength(1))

test('reading changes nothing, however often', () => {
  const context = worldAt0()
  create(toys, red, context)
  const decision = read(toys, 'toy-1', at(context, 12))
  expect(decision).toMatchObject({
    reply: { status: 200, body: { id: 'toy-1', status: 'running' } },
    changes: [],
  })
  expect(decision.meta.task).toBe('toy-1')
  expect(read(toys, 'toy-1', at(context, 12))).toEqual(decision)
})

test.each(['read', 'cancel'] as const)(
  '%s of an unknown task is refused in the words of the family',
  (verb) => {
    const operation = operationOf(toys, verb)
    const decision = ask(operation, callOf(operation, { id: 'toy-9' }), worldAt0())
    expect(decision.reply).toMatchObject({ status: 404, body: { error: 'unknown', field: 'id' } })
    expect(decision.meta.refusedBy[0]).toMatchObject({ rule: 'toy.task-exists', found: 'toy-9' })
  },
)

test("a task of another family is not read here, unless the family reads that one's tasks", () => {
  const context = worldAt0()
  create({ ...toys, id: 'games' }, red, context)
  expect(read(toys, 'toy-1', context).reply.status).toBe(404)
  expect(read({ ...toys, reads: ['toy', 'games'] }, 'toy-1', context).reply.status).toBe(200)
})

test.each([
  ['as long as it is kept', 1_000, 200],
  ['when it is no longer kept', 1_001, 404],
])('a task can be read %s', (_, now, status) => {
  const context = worldAt0()
  create(toys, red, context)
  expect(read(toys, 'toy-1', at(context, now)).reply.status).toBe(status)
})

test('cancelling what may be cancelled ends it at that instant', () => {
  const context = worldAt0()
  create(toys, red, context)
  const decision = cancel(toys, 'toy-1', at(context, 4))
  expect(decision.reply).toEqual({ status: 200, body: {} })
  expect(read(toys, 'toy-1', at(context, 4)).reply.body).toEqual({ id: 'toy-1', status: 'cancelled' })
  expect(context.account.tasks.usage.inFlight).toBe(0)
})

test('cancelling what may not be cancelled changes nothing', () => {
  const context = worldAt0()
  create(toys, red, context)
  const decision = cancel(toys, 'toy-1', at(context, 12))
  expect(decision).toMatchObject({ reply: { status: 409, body: { error: 'stays' } }, changes: [] })
  expect(decision.meta.refusedBy[0]?.rule).toBe('toy.cancelling')
  expect(read(toys, 'toy-1', at(context, 20)).reply.body).toMatchObject({ status: 'succeeded' })
})

test('cancelling what has ended removes it', () => {
  const context = worldAt0()
  create(toys, red, context)
  expect(cancel(toys, 'toy-1', at(context, 20)).reply.status).toBe(200)
  expect(read(toys, 'toy-1', at(context, 20)).reply.status).toBe(404)
})

test('a list is newest first', () => {
  const context = worldAt0()
  for (let made = 0; made < 3; made += 1) create(toys, red, context)
  expect(list(toys, '', context).reply.body).toEqual({ items: ['toy-3', 'toy-2', 'toy-1'], total: 3 })
})

test('a cancelled task keeps its place in the list', () => {
  const context = worldAt0()
  for (let made = 0; made < 3; made += 1) create(toys, red, context)
  cancel(toys, 'toy-2', context)
  expect(list(toys, '', context).reply.body).toEqual({ items: ['toy-3', 'toy-2', 'toy-1'], total: 3 })
})

test('a status query waits for the next moment of its task', () => {
  const context = worldAt0()
  create(toys, red, context)
  const operation = operationOf(toys, 'read')
  const call = callOf(operation, { id: 'toy-1' })
  expect(operation.nextMomentOf?.(call, context.account, 0)).toBe(10)
  expect(operation.nextMomentOf?.(call, context.account, 10)).toBe(20)
  expect(operation.nextMomentOf?.(call, context.account, 20)).toBeUndefined()
  expect(operation.nextMomentOf?.(callOf(operation, { id: 'toy-9' }), context.account, 0)).toBeUndefined()
})

test('a list that names tasks waits for the soonest of their moments', () => {
  const context = worldAt0()
  create(toys, red, at(context, 0))
  create(toys, red, at(context, 3))
  const operation = operationOf(toys, 'list')
  const call = (query: string) => callOf(operation, { query })
  expect(
    operation.nextMomentOf?.(call('filter.task_ids=toy-1&filter.task_ids=toy-2'), context.account, 3),
  ).toBe(10)
  expect(operation.nextMomentOf?.(call('filter.task_ids=toy-2'), context.account, 3)).toBe(13)
  expect(operation.nextMomentOf?.(call('filter.task_ids=toy-9'), context.account, 3)).toBeUndefined()
  expect(operation.nextMomentOf?.(call(''), context.account, 3)).toBeUndefined()
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
  expect(operation.matches?.(callOf(operation, { body: { model } }), worldAt0().account)).toBe(claimed)
})

test.each([null, 7, 'toy-1', []])('a create with the body %j is claimed by no family', (body) => {
  const operation = operationOf(toys, 'create')
  expect(operation.matches?.(callOf(operation, { body }), worldAt0().account)).toBe(false)
})

test('a read is claimed where the task is known', () => {
  const context = worldAt0()
  create(toys, red, context)
  const operation = operationOf(toys, 'read')
  expect(operation.matches?.(callOf(operation, { id: 'toy-1' }), context.account)).toBe(true)
  expect(operation.matches?.(callOf(operation, { id: 'toy-2' }), context.account)).toBe(false)
})
