import { expect, test } from 'vitest'
import { createEventLog } from '../../../src/emulator/control/event-log.js'

const logOf = (count: number, most: { entries: number; characters: number }) => {
  const log = createEventLog(most)
  for (let number = 1; number <= count; number += 1) log.append([{ account: 'a', text: `text ${number}` }])
  return log
}

test('gives what came after an event, in order', () => {
  const log = logOf(4, { entries: 10, characters: 1_000 })
  expect(log.after(2)?.map(({ text }) => text)).toEqual(['text 3', 'text 4'])
  expect(log.after(4)).toEqual([])
})

test.each([
  ['entries', { entries: 2, characters: 1_000 }],
  ['characters', { entries: 10, characters: 12 }],
])('evicts the oldest beyond its %s', (_, most) => {
  const log = logOf(5, most)
  expect(log.after(2)).toBeUndefined()
  expect(log.after(3)?.map(({ text }) => text)).toEqual(['text 4', 'text 5'])
})

test('says of a number that it has not given that something is missing', () =>
  expect(logOf(3, { entries: 10, characters: 1_000 }).after(4)).toBeUndefined())

test('once cleared, has nothing for those who were up to date either', () => {
  const log = logOf(3, { entries: 10, characters: 1_000 })
  log.clear()
  expect(log.after(3)).toBeUndefined()
  expect(log.after(log.latest)).toEqual([])
})

test('once cleared, has room for as much as before', () => {
  const log = logOf(3, { entries: 10, characters: 18 })
  log.clear()
  const { latest } = log
  log.append([{ account: 'a', text: 'as much as before.' }])
  expect(log.after(latest)).toHaveLength(1)
})

test('wakes those who wait for an event', async () => {
  const log = logOf(1, { entries: 10, characters: 1_000 })
  const changed = log.changed(1, 60_000, new AbortController().signal)
  log.append([{ account: 'a', text: 'text 2' }])
  expect(await changed).toBe(true)
})

test('wakes those who wait when they give up', async () => {
  const giving = new AbortController()
  const changed = logOf(1, { entries: 10, characters: 1_000 }).changed(1, 60_000, giving.signal)
  giving.abort()
  expect(await changed).toBe(false)
})
