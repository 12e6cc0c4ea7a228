import { expect, test } from 'vitest'
import { GroupedItem, GroupedList } from '../../../../src/emulator/core/collections/grouped-list.js'

class Item extends GroupedItem<string> {
  constructor(readonly n: number) {
    super()
  }
}

const COUNT = 5_000

const listOf = (groupOf: (n: number) => string) => {
  const list = new GroupedList<string, Item>((one, other) => one === other)
  const items = Array.from({ length: COUNT }, (_, n) => list.add(new Item(n), groupOf(n)))
  return { list, items }
}

const isAny = () => true
const numbers = ({ items }: { readonly items: readonly Item[] }) => items.map(({ n }) => n)

test('pages of a list of many blocks join into all of it, newest first', () => {
  const { list } = listOf((n) => (n % 3 === 0 ? 'third' : 'other'))
  const expected = Array.from({ length: COUNT }, (_, n) => n).filter((n) => n % 3 === 0)
  const found = []
  for (let offset = 0; offset < expected.length; offset += 97)
    found.push(...numbers(list.page((name) => name === 'third', offset, 97)))
  expect(found).toEqual(expected.toReversed())
})

test('a rare item is found between many others', () => {
  const { list } = listOf((n) => (n === 1_234 ? 'rare' : 'plain'))
  const isRare = (name: string) => name === 'rare'
  expect(list.page(isRare, 0, 10)).toMatchObject({ items: [{ n: 1_234 }], total: 1 })
  expect(list.oldest(isRare)?.n).toBe(1_234)
  expect(list.page(isRare, 1, 10)).toEqual({ items: [], total: 1 })
  expect(list.page((name) => name === 'none', 0, 10)).toEqual({ items: [], total: 0 })
})

test('removed items are skipped, and restored items have their former positions', () => {
  const { list, items } = listOf(() => 'all')
  // The first blocks become empty.
  const removed = items.slice(0, 1_500)
  for (const item of removed) list.remove(item)
  expect(list.oldest(isAny)?.n).toBe(1_500)
  expect(list.page(isAny, COUNT - 1_501, 5)).toMatchObject({ items: [{ n: 1_500 }], total: COUNT - 1_500 })
  list.add(new Item(COUNT), 'all')
  for (const item of removed.toReversed()) list.restore(item)
  expect([...list.values()].map(({ n }) => n)).toEqual(Array.from({ length: COUNT + 1 }, (_, n) => n))
})

test('an item that is restored behind the oldest one does not take its place', () => {
  const { list, items } = listOf(() => 'all')
  const item = items[5] as Item
  list.remove(item)
  list.restore(item)
  expect(list.oldest(isAny)?.n).toBe(0)
  expect(list.first?.n).toBe(0)
})

test('the newest items are restored behind all others after every one of them was removed', () => {
  const { list, items } = listOf(() => 'all')
  const removed = items.slice(-1_000)
  for (const item of removed) list.remove(item)
  for (const item of removed.toReversed()) list.restore(item)
  expect([...list.values()].map(({ n }) => n)).toEqual(Array.from({ length: COUNT }, (_, n) => n))
})

test('an item that moves to another group keeps its place', () => {
  const { list, items } = listOf(() => 'first')
  list.move(items[700] as Item, 'second')
  list.move(items[600] as Item, 'second')
  expect(numbers(list.page((name) => name === 'second', 0, 5))).toEqual([700, 600])
  expect(list.groups().map(({ facts, size }) => [facts, size])).toEqual([
    ['first', COUNT - 2],
    ['second', 2],
  ])
})

test('groups that have become empty give their places to others', () => {
  const { list } = listOf(() => 'kept')
  for (let n = 0; n < 100; n += 1) {
    const item = list.add(new Item(n), `group ${n}`)
    expect(item.group.number).toBe(1)
    list.remove(item)
  }
})

test('an item is restored to its group when another one has its place', () => {
  const { list, items } = listOf((n) => (n === 0 ? 'rare' : 'plain'))
  const [first] = items as [Item]
  list.remove(first)
  list.add(new Item(COUNT), 'new')
  list.restore(first)
  expect(list.groups().map(({ facts, size }) => [facts, size])).toEqual([
    ['new', 1],
    ['plain', COUNT - 1],
    ['rare', 1],
  ])
  expect(list.oldest((name) => name === 'rare')?.n).toBe(0)
})
