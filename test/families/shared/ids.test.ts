import { expect, test } from 'vitest'
import { timestampDigits, uniqueSuffix, unixSeconds } from '../../../src/families/shared/ids.js'
import { worldWith } from '../world.js'

test.each([
  [0, 0],
  [999, 0],
  [1_000, 1],
  [1_767_225_600_999, 1_767_225_600],
])('%i milliseconds are %i whole seconds', (at, seconds) => expect(unixSeconds(at)).toBe(seconds))

test('digits are of UTC, with leading zeros', () => {
  expect(timestampDigits(Date.UTC(2026, 0, 2, 3, 4, 5, 678))).toBe('20260102030405')
  expect(timestampDigits(Date.UTC(2026, 11, 31, 23, 59, 59, 999))).toBe('20261231235959')
})

test('the letters of 200,000 tasks of an account never meet', () => {
  const world = worldWith()
  const letters = new Set<string>()
  for (let ordinal = 1; ordinal <= 200_000; ordinal += 1)
    letters.add(uniqueSuffix({ ...world, sequence: ordinal }))
  expect(letters.size).toBe(200_000)
  for (const one of [...letters].slice(0, 1_000)) expect(one).toMatch(/^[a-z0-9]{5}$/)
})

test('another account and another seed have other letters', () => {
  const usual = uniqueSuffix(worldWith())
  expect(uniqueSuffix(worldWith({ key: 'another' }))).not.toBe(usual)
  expect(uniqueSuffix(worldWith({ settings: { seed: 99 } }))).not.toBe(usual)
})

test('the largest seed is no obstacle', () =>
  expect(uniqueSuffix(worldWith({ settings: { seed: Number.MAX_SAFE_INTEGER } }))).toMatch(/^[a-z0-9]{5}$/))
