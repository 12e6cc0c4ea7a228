import { expect, test } from 'vitest'
import { counted, howOften } from '../../../src/emulator/core/count-words.js'

test.each([
  [0, '0 calls', '0 times'],
  [1, '1 call', 'once'],
  [2, '2 calls', '2 times'],
])('%d is written in the singular where it is one', (count, calls, often) => {
  expect(counted(count, 'call')).toBe(calls)
  expect(howOften(count)).toBe(often)
})

test('an irregular plural is given', () => expect(counted(2, 'body', 'bodies')).toBe('2 bodies'))
