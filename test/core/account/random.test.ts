import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scramble, seededRandom } from '../../../src/core/account/random.js'

const source = fc.tuple(fc.nat(), fc.string(), fc.nat())

test('the same seed, account and ordinal give the same random numbers', () => {
  fc.assert(
    fc.property(source, fc.string(), ([seed, account, ordinal], purpose) => {
      const [one, other] = [seededRandom(seed, account, ordinal), seededRandom(seed, account, ordinal)]
      expect(one.fraction(purpose)).toBe(other.fraction(purpose))
      expect(one.hex(purpose, 16)).toBe(other.hex(purpose, 16))
    }),
  )
})

test.each([
  ['another seed', seededRandom(2, 'key', 1).hex('id', 32)],
  ['another account', seededRandom(1, 'key2', 1).hex('id', 32)],
  ['another ordinal', seededRandom(1, 'key', 2).hex('id', 32)],
  ['another purpose', seededRandom(1, 'key', 1).hex('seed', 32)],
])('%s draws something else', (_, drawn) => expect(drawn).not.toBe(seededRandom(1, 'key', 1).hex('id', 32)))

test('fractions are from 0 up to, not including, 1', () => {
  fc.assert(
    fc.property(source, ([seed, account, ordinal]) => {
      const fraction = seededRandom(seed, account, ordinal).fraction('any')
      expect(fraction >= 0 && fraction < 1).toBe(true)
    }),
  )
})

test('whole numbers stay within both bounds', () => {
  fc.assert(
    fc.property(source, fc.integer(), fc.nat(), ([seed, account, ordinal], least, width) => {
      const drawn = seededRandom(seed, account, ordinal).integer('any', least, least + width)
      expect(Number.isInteger(drawn) && drawn >= least && drawn <= least + width).toBe(true)
    }),
  )
})

test('both bounds are drawn', () => {
  const drawn = new Set(
    Array.from({ length: 200 }, (_, ordinal) => seededRandom(1, 'key', ordinal).integer('any', 4, 6)),
  )
  expect([...drawn].sort()).toEqual([4, 5, 6])
})

test('hex has as many lower-case digits as were asked for', () =>
  expect(seededRandom(1, 'key', 1).hex('any', 12)).toMatch(/^[0-9a-f]{12}$/))

test('the first 200,000 ordinals are spread without meeting', () => {
  const size = 36 ** 5
  const spots = new Set<number>()
  for (let ordinal = 1; ordinal <= 200_000; ordinal += 1) spots.add(scramble(ordinal, 12_345, size))
  expect(spots.size).toBe(200_000)
})

test.each([1, 2, 10, 36, 97, 1_000])('every place of %i is used once before any is used again', (size) => {
  const spots = Array.from({ length: size }, (_, ordinal) => scramble(ordinal, 5, size))
  expect([...spots].sort((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, index) => index))
})
