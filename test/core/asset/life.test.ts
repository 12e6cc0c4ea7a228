import { expect, test } from 'vitest'
import { seededRandom } from '../../../src/core/account/draw.js'
import { nextOfAsset } from '../../../src/core/asset/asset.js'
import { assetTimeline, processingMs } from '../../../src/core/asset/life.js'
import { assetWith } from './literals.js'

const MIB = 2 ** 20
const draws = Array.from({ length: 50 }, (_, ordinal) => seededRandom(1, 'test-key', ordinal))

test('instant times take none', () => {
  expect(processingMs('instant', 50 * MIB, seededRandom(1, 'test-key', 1))).toBe(0)
})

test('fast times are one to two seconds, whatever the size', () => {
  for (const draw of draws)
    for (const bytes of [1, 50 * MIB]) {
      expect(processingMs('fast', bytes, draw)).toBeGreaterThanOrEqual(1_000)
      expect(processingMs('fast', bytes, draw)).toBeLessThanOrEqual(2_000)
    }
})

test('realistic times are five to twenty seconds, and longer for larger files', () => {
  for (const draw of draws) {
    const [small, large, beyond] = [1, 50 * MIB, 500 * MIB].map((bytes) =>
      processingMs('realistic', bytes, draw),
    ) as [number, number, number]
    expect(small).toBeGreaterThanOrEqual(5_000)
    expect(large).toBeGreaterThan(small)
    expect(beyond).toBe(large)
    expect(beyond).toBeLessThanOrEqual(20_000)
  }
})

test('two files of one size are not ready at the same time', () => {
  const times = draws.map((draw) => processingMs('fast', 1, draw))
  expect(new Set(times).size).toBeGreaterThan(draws.length / 2)
})

test('a file that nothing is held against becomes active', () => {
  expect(assetTimeline(100, 50, undefined)).toEqual([
    { at: 100, value: { state: 'Processing' } },
    { at: 150, value: { state: 'Active' } },
  ])
})

test('any other fails, and says why', () => {
  const error = { code: 'InvalidSize', message: 'width must be 300 to 6000 pixels, found 299' }
  expect(assetTimeline(100, 50, error)[1]).toEqual({ at: 150, value: { state: 'Failed', error } })
})

test.each([
  [0, 150],
  [149, 150],
  [150, undefined],
  [1_000, undefined],
])('at %i its processing ends at %s', (now, end) => {
  expect(nextOfAsset(assetWith({ life: assetTimeline(100, 50, undefined) }), now)).toBe(end)
})
