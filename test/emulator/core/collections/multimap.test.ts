import { expect, test } from 'vitest'
import { Multimap } from '../../../../src/emulator/core/collections/multimap.js'

test('a key has its values once each, in the order in which they were added', () => {
  const map = new Multimap<string, number>()
  for (const value of [2, 1, 2]) map.add('a', value)
  map.add('b', 3)
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([[2, 1], [3], []])
})

test('a key whose last value is deleted is gone', () => {
  const map = new Multimap<string, number>()
  map.add('a', 1)
  map.add('a', 2)
  map.delete('a', 1)
  map.delete('b', 1)
  expect(map.keys()).toEqual(['a'])
  map.delete('a', 2)
  expect(map.keys()).toEqual([])
})

test('values that are read stay the same while they are deleted', () => {
  const map = new Multimap<string, number>()
  map.add('a', 1)
  map.add('a', 2)
  const values = map.get('a')
  for (const value of values) map.delete('a', value)
  expect([values, map.get('a')]).toEqual([[1, 2], []])
})
