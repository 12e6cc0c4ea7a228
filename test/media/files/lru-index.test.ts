import { expect, test } from 'vitest'
import { createLruIndex } from '../../../src/media/files/lru-index.js'

const ledgerOf = (...blobs: readonly (readonly [hash: string, bytes: number])[]) => {
  const lru = createLruIndex(100)
  for (const [hash, bytes] of blobs) lru.use(hash, bytes)
  return lru
}

test('nobody leaves while there is room to the last byte', () => {
  expect(ledgerOf(['a', 60]).evictionCandidates(40)).toEqual([])
})

test('one byte too many lets the least recently used blob go', () => {
  const lru = ledgerOf(['a', 30], ['b', 30], ['a', 30])
  expect(lru.evictionCandidates(41)).toEqual(['b'])
  expect(lru.evictionCandidates(71)).toEqual(['b', 'a'])
})

test('pinned blobs stay, and without room beside them nothing fits', () => {
  const lru = ledgerOf(['a', 60], ['b', 30])
  lru.pin('a', 1)
  expect(lru.evictionCandidates(40)).toEqual(['b'])
  expect(lru.evictionCandidates(41)).toBeUndefined()
})

test('a blob stays until it is unpinned as often as it was pinned', () => {
  const lru = ledgerOf(['a', 60])
  lru.pin('a', 1)
  lru.pin('a', 1)
  lru.pin('a', -1)
  expect(lru.stats()).toEqual({ blobs: 1, bytes: 60, pinnedBytes: 60, maxBytes: 100 })
  lru.pin('a', -1)
  lru.pin('a', -1)
  expect(lru.stats()).toMatchObject({ pinnedBytes: 0 })
  lru.pin('a', 1)
  expect(lru.stats()).toMatchObject({ pinnedBytes: 60 })
})

test('what was dropped takes no room and has no pins', () => {
  const lru = ledgerOf(['a', 60])
  lru.pin('a', 1)
  lru.drop('a')
  expect(lru.has('a')).toBe(false)
  expect(lru.evictionCandidates(100)).toEqual([])
})

test('a pin on a blob that is not there does nothing', () => {
  const lru = ledgerOf()
  lru.pin('a', 1)
  expect(lru.stats()).toMatchObject({ blobs: 0 })
})
