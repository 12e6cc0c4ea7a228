import { expect, test } from 'vitest'
import { durationText } from '../../../../src/core/recording/wrongs/duration-text.js'
import { parseDuration } from '../../../../src/core/time/duration.js'

test.each([
  [0, '0ms'],
  [1, '1ms'],
  [1_500, '1500ms'],
  [90_000, '90s'],
  [120_000, '2m'],
  [3 * 3_600_000, '3h'],
  [14 * 86_400_000, '14d'],
  [-5, '0ms'],
])('%i ms is %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
  expect(parseDuration(text)).toBe(Math.max(0, ms))
})
