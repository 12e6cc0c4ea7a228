import { expect, test } from 'vitest'
import { roundedRate } from '../../../../src/core/media/read/frame-rate.js'

test.each([
  [24_000 / 1001, 23.976],
  [24, 24],
  [30_000 / 1001, 29.97],
  [12.3456, 12.346],
  [180 / 2.999, 60],
  [60.029, 60],
  [60.031, 60.031],
  [23.965, 23.976],
  [23.963, 23.963],
  [23.987, 23.976],
  [23.989, 24],
])('an average of %f frames a second is %f', (average, rate) => {
  expect(roundedRate(average)).toBe(rate)
})
