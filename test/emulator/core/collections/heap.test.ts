import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Heap, type HeapEntry } from '../../../../src/emulator/core/collections/heap.js'

interface Entry extends HeapEntry {
  key: number
}

const entryOf = (key: number): Entry => ({ key, heapIndex: -1 })
const heapOf = (entries: readonly Entry[]): Heap<Entry> => {
  const heap = new Heap<Entry>((one, other) => one.key < other.key)
  for (const entry of entries) heap.push(entry)
  return heap
}

test('the first entry is on top, whatever was added, changed and removed before', () =>
  fc.assert(
    fc.property(
      fc.array(fc.nat(50), { minLength: 1 }),
      fc.array(fc.record({ nth: fc.nat(30), key: fc.option(fc.nat(50)) })),
      (keys, steps) => {
        const entries = keys.map(entryOf)
        const heap = heapOf(entries)
        const kept = new Set(entries)
        for (const { nth, key } of steps) {
          const entry = entries[nth]
          if (entry === undefined) continue
          if (key === null) {
            heap.remove(entry)
            kept.delete(entry)
          } else if (kept.has(entry)) {
            entry.key = key
            heap.update(entry)
          }
        }
        const sorted: number[] = []
        for (let top = heap.peek(); top !== undefined; top = heap.peek()) {
          sorted.push(top.key)
          heap.remove(top)
        }
        expect(sorted).toEqual([...kept].map(({ key }) => key).sort((one, other) => one - other))
        expect(heap.size).toBe(0)
      },
    ),
  ))

test('an entry that was removed is in no heap, so that nothing comes of removing it again', () => {
  const [first, second, third] = [entryOf(1), entryOf(2), entryOf(3)]
  const heap = heapOf([first, second, third])
  heap.remove(first)
  heap.remove(first)
  expect(heap.peek()).toBe(second)
  expect(heap.size).toBe(2)
})
