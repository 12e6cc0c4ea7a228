import { expect, test } from 'vitest'
import { EmulatorError } from '../../../src/core/errors.js'
import { formatDuration, parseDuration } from '../../../src/core/schedule/duration.js'

test.each([
  ['250ms', 250],
  ['10s', 10_000],
  ['5m', 300_000],
  ['24h', 86_400_000],
  ['14d', 1_209_600_000],
  ['1.5s', 1_500],
  ['1h30m', 5_400_000],
  [' 2s ', 2_000],
  ['0s', 0],
  [1_234, 1_234],
  [0, 0],
  [0.6, 1],
  ['36500d', 3_153_600_000_000],
])('%j is %i milliseconds', (duration, ms) => expect(parseDuration(duration)).toBe(ms))

test.each([
  '',
  '10',
  's',
  '10 s',
  '10x',
  '-1s',
  '1,5s',
  '1.s',
  'soon',
  -1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  '36501d',
])('%j is no duration', (duration) => expect(() => parseDuration(duration)).toThrow(EmulatorError))

test('the error of a duration shows what was found and what was expected', () =>
  expect(() => parseDuration('soon')).toThrow(/Expected a duration such as 250ms.*found "soon"/))

test.each([
  [0, '0ms'],
  [999, '999ms'],
  [1_000, '1s'],
  [1_500, '1.5s'],
  [59_999, '59.9s'],
  [60_000, '1m'],
  [150_000, '2m 30s'],
  [3_599_999, '59m 59s'],
  [3_600_000, '1h'],
  [5_400_000, '1h 30m'],
  [86_400_000, '1d'],
  [14 * 86_400_000, '14d'],
  [90_000_000, '1d 1h'],
])('%i milliseconds are written %s', (ms, text) => expect(formatDuration(ms)).toBe(text))
