import { expect, test } from 'vitest'
import {
  ReadTrackedMap,
  ReplacedTrackedMap,
  TrackedMap,
} from '../../../src/accounts/persistence/change-tracker.js'

const counted = () => {
  let told = 0
  const map = new TrackedMap<string, number>([['old', 1]], false, () => {
    told += 1
  })
  return { map, told: () => told }
}

test('what is set and deleted is noted', () => {
  const { map } = counted()
  map.set('new', 2)
  map.set('new', 3)
  map.delete('old')
  expect([...map.takeChanges()]).toEqual(['new', 'old'])
  expect([...map]).toEqual([['new', 3]])
  expect(map.takeChanges().size).toBe(0)
})

test('looking is not noted, and being told once is enough', () => {
  const { map, told } = counted()
  map.get('old')
  expect(told()).toBe(0)
  map.set('a', 1)
  map.set('b', 1)
  expect(told()).toBe(1)
  map.takeChanges()
  map.clear()
  expect(told()).toBe(2)
  expect([...map.takeChanges()]).toEqual(['old', 'a', 'b'])
})

test('notes that are given back are noted still, before what came after them', () => {
  const { map } = counted()
  map.set('old', 2)
  const notes = map.takeChanges()
  map.set('new', 3)
  map.set('old', 3)
  map.restoreChanges(notes)
  expect([...map.takeChanges()]).toEqual(['old', 'new'])
})

test('what stood where something was set or deleted is kept until it is taken', () => {
  const map = new ReplacedTrackedMap(
    [
      ['a', 1],
      ['b', 2],
    ],
    false,
    () => {},
  )
  map.set('a', 10)
  map.set('a', 11)
  map.delete('b')
  map.set('c', 3)
  expect([...map.takeReplaced()]).toEqual([1, 2])
  expect([...map.takeReplaced()]).toEqual([])
  expect([...map.takeChanges()]).toEqual(['a', 'b', 'c'])
})

test('news are noted from the start', () => {
  expect([...new TrackedMap([['a', 1]], true, () => {}).takeChanges()]).toEqual(['a'])
})

test('of values that are changed where they stand, looking is noted, and peeking is not', () => {
  const map = new ReadTrackedMap([['a', { count: 0 }]], false, () => {})
  map.peek('a')
  map.get('none')
  expect(map.takeChanges().size).toBe(0)
  map.get('a')
  expect([...map.takeChanges()]).toEqual(['a'])
})
