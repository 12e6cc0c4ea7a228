import { expect, test } from 'vitest'
import { changeFields, type FieldChanges } from '../../../src/emulator/core/fields.js'

const task = { id: 't-1', usage: { total: 7, unit: 'token' }, seed: 3 }
const list = { items: [{ id: 'a', url: { film: 'x' } }, { id: 'b' }], total: 2 }

test.each<[string, object, FieldChanges, object]>([
  [
    'a field and one within it, in either order',
    list,
    { rename: { items: 'tasks', 'items[].id': 'task_id', 'items[].url': 'links' } },
    { tasks: [{ task_id: 'a', links: { film: 'x' } }, { task_id: 'b' }], total: 2 },
  ],
  [
    'two that swap their names',
    task,
    { rename: { id: 'seed', seed: 'id' } },
    { ...task, id: 3, seed: 't-1' },
  ],
  ['one onto another, which is gone', task, { rename: { id: 'seed' } }, { seed: 't-1', usage: task.usage }],
  [
    'one item of a list',
    list,
    { rename: { 'items[1].id': 'last' } },
    { items: [list.items[0], { last: 'b' }], total: 2 },
  ],
  [
    'a field whose parent gets another name, moved',
    task,
    { rename: { usage: 'used' }, move: { 'usage.total': 'tokens' } },
    { id: 't-1', used: { unit: 'token' }, seed: 3, tokens: 7 },
  ],
  [
    'a field and one within it, moved',
    task,
    { move: { usage: 'made.usage', 'usage.total': 'tokens' } },
    { id: 't-1', seed: 3, tokens: 7, made: { usage: { unit: 'token' } } },
  ],
])('%s', (_, body, changes, expected) => {
  const before = structuredClone(body)
  expect(changeFields(body, changes)).toEqual(expected)
  expect(body).toEqual(before)
})

test('a field with another name stays in its place', () => {
  expect(Object.keys(changeFields(task, { rename: { usage: 'used' } }) as object)).toEqual([
    'id',
    'used',
    'seed',
  ])
})
