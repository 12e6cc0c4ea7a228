import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearestRatio, type Ratio, ratios } from '../../../src/families/shared/media-params.js'

test.each<[Ratio, number, number]>([
  ['21:9', 21, 9],
  ['16:9', 16, 9],
  ['4:3', 4, 3],
  ['1:1', 1, 1],
  ['3:4', 3, 4],
  ['9:16', 9, 16],
])('%s is nearest to itself', (ratio, width, height) =>
  expect(nearestRatio({ width: width * 100, height: height * 100 })).toBe(ratio),
)

test('every listed ratio is the nearest of some picture', () => {
  const nearest = Array.from({ length: 400 }, (_, index) =>
    nearestRatio({ width: 100 + index * 10, height: 1_000 }),
  )
  expect(new Set(nearest)).toEqual(new Set(ratios))
})

test('a picture on its side has the nearest ratio on its side, where there is one', () => {
  const onItsSide: Partial<Record<Ratio, Ratio>> = { '16:9': '9:16', '4:3': '3:4', '1:1': '1:1' }
  const side = fc.integer({ min: 300, max: 600 })
  fc.assert(
    fc.property(side, side, (one, other) => {
      const [width, height] = [Math.max(one, other), Math.min(one, other)]
      const upright = onItsSide[nearestRatio({ width, height })]
      if (upright !== undefined) expect(nearestRatio({ width: height, height: width })).toBe(upright)
    }),
  )
})
