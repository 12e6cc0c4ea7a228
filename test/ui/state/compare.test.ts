import { expect, test } from 'vitest'
import { comparable, counterpart, differences } from '../../../src/ui/state/compare.js'

test('differences are the paths that changed, with the old and the new value', () => {
  const before = { model: 'a', content: [{ text: 'x' }, { text: 'y' }], duration: 5, __proto__: null }
  const after = { model: 'a', content: [{ text: 'z' }], duration: '5', ratio: null }
  expect(differences(before, after)).toEqual([
    { path: 'content[0].text', before: '"x"', after: '"z"' },
    { path: 'content[1]', before: '{"text":"y"}', after: undefined },
    { path: 'duration', before: '5', after: '"5"' },
    { path: 'ratio', before: undefined, after: 'null' },
  ])
})

test.each([
  [1, 1, []],
  [{ a: [] }, { a: [] }, []],
  [[], {}, [{ path: '', before: '[]', after: '{}' }]],
  [undefined, { a: 1 }, [{ path: '', before: undefined, after: '{"a":1}' }]],
  [{}, { constructor: 1 }, [{ path: 'constructor', before: undefined, after: '1' }]],
])('%j and %j differ in %j', (before, after, expected) => {
  expect(differences(before, after)).toEqual(expected)
})

const call = (id: string, status: number, operation = 'create') => ({ id, status, operation })

test('a call is compared with the last one before it that went the other way, else with a later one', () => {
  const calls = [
    call('6', 200),
    call('5', 400, 'read'),
    call('4', 400),
    call('3', 200),
    call('2', 400),
    call('1', 200),
  ]
  const idOf = (id: string) => counterpart(calls, calls.find((one) => one.id === id) as (typeof calls)[0])?.id
  expect(['6', '4', '3', '2', '1', '5'].map(idOf)).toEqual(['4', '3', '2', '1', '4', undefined])
  expect(counterpart([call('2', 200), call('1', 200)], call('2', 200))?.id).toBe('1')
  expect(comparable(calls, call('4', 400)).map(({ id }) => id)).toEqual(['6', '3', '2', '1'])
})
