import { expect, test } from 'vitest'
import { exceededRate, openAccount, recordCreate } from '../../../../src/emulator/core/account/account.js'
import { settingsSchema } from '../../../../src/emulator/settings.js'

const secondsFor = (...given: Parameters<typeof exceededRate>): number | undefined =>
  exceededRate(...given)?.retryAfterSeconds

const limitedTo = (requestsPerMinute: number | null, createdAt: readonly number[] = []) => {
  const clock = { mode: 'paused', speed: 1, now: 0, wall: 0 } as const
  const account = openAccount('key', settingsSchema.parse({ requestsPerMinute }), clock)
  for (const at of createdAt) recordCreate(account, at)
  return account
}

test('without a limit there is no wait', () =>
  expect(secondsFor(limitedTo(null, [1, 2, 3]), 3)).toBeUndefined())

test.each([
  ['two of three are used', [1_000, 2_000]],
  ['three were used, and one is a minute old', [0, 1_000, 2_000]],
])('one more is accepted when %s', (_, createdAt) =>
  expect(secondsFor(limitedTo(3, createdAt), 60_000)).toBeUndefined(),
)

test.each([
  ['at once', 10_000, 60],
  ['half a second later', 10_500, 60],
  ['a second later', 11_000, 59],
  ['a millisecond before the minute is over', 69_999, 1],
])('a full minute says how long to wait: %s', (_, now, seconds) =>
  expect(secondsFor(limitedTo(1, [10_000]), now)).toBe(seconds),
)

test('the wait is over exactly when the minute is', () =>
  expect(secondsFor(limitedTo(1, [10_000]), 70_000)).toBeUndefined())

test('the wait is for the first of several to leave', () =>
  expect(secondsFor(limitedTo(2, [10_000, 30_000]), 40_000)).toBe(30))

test('waiting as long as it says is enough, and one second less is not', () => {
  const account = limitedTo(2, [10_000, 30_000])
  const seconds = secondsFor(account, 40_000) ?? 0
  expect(secondsFor(account, 40_000 + (seconds - 1) * 1_000)).toBe(1)
  expect(secondsFor(account, 40_000 + seconds * 1_000)).toBeUndefined()
})

test('a limit of 0 never opens', () => expect(secondsFor(limitedTo(0), 1_000_000)).toBe(60))

test('a limit that is lowered waits until few enough are left', () => {
  const account = limitedTo(3, [0, 10_000, 20_000])
  account.limits = { ...account.limits, requestsPerMinute: 1 }
  expect(secondsFor(account, 20_000)).toBe(60)
})

test('creates that no limit can count any more are dropped in time', () => {
  const account = limitedTo(5, [...Array(63).fill(0), 60_001])
  expect(account.recentCreates).toEqual([60_001])
})

test('a limit that is set later counts what was done before it', () => {
  const account = limitedTo(null, [0, 10_000])
  account.limits = { ...account.limits, requestsPerMinute: 2 }
  expect(secondsFor(account, 10_000)).toBe(50)
  account.limits = { ...account.limits, requestsPerMinute: 3 }
  expect(secondsFor(account, 10_000)).toBeUndefined()
})

test('without a limit the memory of past calls is bounded', () => {
  const account = limitedTo(null, Array(2 ** 14).fill(0))
  expect(account.recentCreates).toHaveLength(10_000)
})

test('a limit of more creates than are kept without a limit counts all of them', () =>
  expect(secondsFor(limitedTo(20_000, Array(20_000).fill(0)), 0)).toBe(60))

test('after the clock was set back, creates of the future do not count', () =>
  expect(secondsFor(limitedTo(1, [500_000]), 1_000)).toBeUndefined())

test('a refusal of the rate limit names the limit and the count', () => {
  expect(exceededRate(limitedTo(1, [10_000]), 20_000)).toMatchObject({
    found: 1,
    allowed: '1 request a minute',
  })
  expect(exceededRate(limitedTo(2, [1, 2]), 20_000)).toMatchObject({
    found: 2,
    allowed: '2 requests a minute',
  })
})
