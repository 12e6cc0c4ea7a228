import { expect, test } from 'vitest'
import { createEventLog } from '../../src/control/live-events.js'

const logOf = (count: number, most: { entries: number; characters: number }) => {
  const log = createEventLog(most)
  for (let number = 1; number <= count; number += 1) log.add('a', `text ${number}`)
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
  expect(log.after(3)?.map(({ number }) => number)).toEqual([4, 5])
})

test('says of a number that it has not given that something is missing', () =>
  expect(logOf(3, { entries: 10, characters: 1_000 }).after(4)).toBeUndefined())

test('once cleared, has nothing for those who were up to date either', () => {
  const log = logOf(3, { entries: 10, characters: 1_000 })
  log.clear()
  expect(log.after(3)).toBeUndefined()
  expect(log.after(log.latest)).toEqual([])
})
