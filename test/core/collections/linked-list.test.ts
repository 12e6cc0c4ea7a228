import { expect, test } from 'vitest'
import { createLinkedList } from '../../../src/core/collections/linked-list.js'

const listOf = (values: readonly string[]) => {
  const list = createLinkedList<string>()
  const nodes = values.map((value) => list.add(value))
  return { list, nodes }
}

test('values come in the order in which they were added, from either end', () => {
  const { list } = listOf(['a', 'b', 'c'])
  expect([...list.oldestFirst()]).toEqual(['a', 'b', 'c'])
  expect([...list.newestFirst()]).toEqual(['c', 'b', 'a'])
  expect([list.size, list.oldest]).toEqual([3, 'a'])
})

test.each([
  ['oldest', 0, ['b', 'c']],
  ['middle', 1, ['a', 'c']],
  ['newest', 2, ['a', 'b']],
])('the %s value can be removed', (_, index, left) => {
  const { list, nodes } = listOf(['a', 'b', 'c'])
  for (const node of nodes.slice(index, index + 1)) list.remove(node)
  list.add('d')
  expect([...list.oldestFirst()]).toEqual([...left, 'd'])
  expect([...list.newestFirst()]).toEqual(['d', ...left.toReversed()])
  expect([list.size, list.oldest]).toEqual([3, left[0]])
})

test('a list from which everything was removed begins anew', () => {
  const { list, nodes } = listOf(['a', 'b'])
  for (const node of nodes) list.remove(node)
  expect([list.size, list.oldest, ...list.newestFirst()]).toEqual([0, undefined])
  list.add('c')
  expect([...list.oldestFirst()]).toEqual(['c'])
})
