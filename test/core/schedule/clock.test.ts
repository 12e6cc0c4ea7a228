import { expect, test } from 'vitest'
import {
  type ClockState,
  clockAt,
  clockWith,
  readClock,
  realMsUntil,
} from '../../../src/core/schedule/clock.js'

const live: ClockState = { mode: 'live', speed: 1, now: 1_000, wall: 50_000 }
const paused: ClockState = { ...live, mode: 'paused' }
const onPoll: ClockState = { ...live, mode: 'on-poll' }

test('a live clock runs with the system clock', () => expect(readClock(live, 50_250)).toBe(1_250))

test.each([
  ['paused', paused],
  ['on-poll', onPoll],
])('a %s clock stands still', (_, clock) => expect(readClock(clock, 999_999)).toBe(1_000))

test.each([
  [2, 1_200],
  [60, 7_000],
  [0.5, 1_050],
])('at speed %d, 100 ms of the system clock bring it to %i', (speed, now) =>
  expect(readClock({ ...live, speed }, 50_100)).toBe(now),
)

test('a live clock says whole milliseconds', () =>
  expect(readClock({ ...live, speed: 0.3 }, 50_011)).toBe(1_003))

test('a clock that is put forward runs on from there', () => {
  const clock = clockAt(live, 9_000, 50_250)
  expect(readClock(clock, 50_250)).toBe(9_000)
  expect(readClock(clock, 50_260)).toBe(9_010)
})

test('a clock that is set back runs on from there', () => {
  const clock = clockAt(live, 10, 60_000)
  expect(readClock(clock, 60_005)).toBe(15)
})

test('a paused clock that is put to an instant stays there', () =>
  expect(readClock(clockAt(paused, 9_000, 50_250), 99_999)).toBe(9_000))

test.each([
  ['pausing', { mode: 'paused' as const }],
  ['going on-poll', { mode: 'on-poll' as const }],
  ['another speed', { speed: 10 }],
])('%s does not make it jump', (_, change) =>
  expect(readClock(clockWith(live, change, 50_250), 50_250)).toBe(1_250),
)

test('a clock that runs again continues from the time of its pause', () => {
  const stopped = clockWith(live, { mode: 'paused' }, 50_250)
  const running = clockWith(stopped, { mode: 'live' }, 80_000)
  expect(readClock(running, 80_100)).toBe(1_350)
})

test('another speed counts from the change on', () =>
  expect(readClock(clockWith(live, { speed: 10 }, 50_250), 50_260)).toBe(1_350))

test.each([
  ['a second ahead', 1, 2_000, 1_000],
  ['a second ahead at double speed', 2, 2_000, 500],
  ['now', 1, 1_000, 0],
  ['in the past', 1, 5, 0],
])('real time until an instant %s', (_, speed, at, ms) =>
  expect(realMsUntil({ ...live, speed }, at, 50_000)).toBe(ms),
)

test.each([
  ['paused', paused],
  ['on-poll', onPoll],
])('a %s clock never gets there by itself', (_, clock) =>
  expect(realMsUntil(clock, 2_000, 50_000)).toBe(Number.POSITIVE_INFINITY),
)
