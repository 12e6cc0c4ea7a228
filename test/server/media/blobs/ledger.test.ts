import { expect, test } from 'vitest'
import { createLedger } from '../../../../src/server/media/blobs/ledger.js'

const ledgerOf = (...blobs: readonly (readonly [hash: string, bytes: number])[]) => {
  const ledger = createLedger(100)
  for (const [hash, bytes] of blobs) ledger.use(hash, bytes)
  return ledger
}

test('nobody leaves while there is room to the last byte', () => {
  expect(ledgerOf(['a', 60]).leaversFor(40)).toEqual([])
})

test('one byte too many lets the least recently used blob go', () => {
  const ledger = ledgerOf(['a', 30], ['b', 30], ['a', 30])
  expect(ledger.leaversFor(41)).toEqual(['b'])
  expect(ledger.leaversFor(71)).toEqual(['b', 'a'])
})

test('pinned blobs stay, and without room beside them nothing fits', () => {
  const ledger = ledgerOf(['a', 60], ['b', 30])
  ledger.pin('a', 1)
  expect(ledger.leaversFor(40)).toEqual(['b'])
  expect(ledger.leaversFor(41)).toBeUndefined()
})

test('a blob stays until it is unpinned as often as it was pinned', () => {
  const ledger = ledgerOf(['a', 60])
  ledger.pin('a', 1)
  ledger.pin('a', 1)
  ledger.pin('a', -1)
  expect(ledger.stats()).toEqual({ blobs: 1, bytes: 60, pinnedBytes: 60, maxBytes: 100 })
  ledger.pin('a', -1)
  ledger.pin('a', -1)
  expect(ledger.stats()).toMatchObject({ pinnedBytes: 0 })
  ledger.pin('a', 1)
  expect(ledger.stats()).toMatchObject({ pinnedBytes: 60 })
})

test('what was dropped takes no room and has no pins', () => {
  const ledger = ledgerOf(['a', 60])
  ledger.pin('a', 1)
  ledger.drop('a')
  expect(ledger.has('a')).toBe(false)
  expect(ledger.leaversFor(100)).toEqual([])
})

test('a pin on a blob that is not there does nothing', () => {
  const ledger = ledgerOf()
  ledger.pin('a', 1)
  expect(ledger.stats()).toMatchObject({ blobs: 0 })
})
