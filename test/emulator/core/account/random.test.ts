import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SeededRandom, scramble } from '../../../../src/emulator/core/account/random.js'

const source = fc.tuple(fc.nat(), fc.string(), fc.nat())

test('the same seed, account and sequence number give the same random numbers', () => {
  fc.assert(
    fc.property(source, fc.string(), ([seed, account, sequence], purpose) => {
      const [one, other] = [
        new SeededRandom(seed, account, sequence),
        new SeededRandom(seed, account, sequence),
      ]
      expect(one.fraction(purpose)).toBe(other.fraction(purpose))
      expect(one.hex(purpose, 16)).toBe(other.hex(purpose, 16))
    }),
  )
})

test.each([
  ['another seed', new SeededRandom(2, 'key', 1).hex('id', 32)],
  ['another account', new SeededRandom(1, 'key2', 1).hex('id', 32)],
  ['another sequence number', new SeededRandom(1, 'key', 2).hex('id', 32)],
  ['another purpose', new SeededRandom(1, 'key', 1).hex('seed', 32)],
])('%s draws something else', (_, drawn) =>
  expect(drawn).not.toBe(new SeededRandom(1, 'key', 1).hex('id', 32)),
)

test('fractions are from 0 up to, not including, 1', () => {
  fc.assert(
    fc.property(source, ([seed, account, sequence]) => {
      const fraction = new SeededRandom(seed, account, sequence).fraction('any')
      expect(fraction >= 0 && fraction < 1).toBe(true)
    }),
  )
})

test('whole numbers stay within both bounds', () => {
  fc.assert(
    fc.property(source, fc.integer(), fc.nat(), ([seed, account, sequence], least, width) => {
      const drawn = new SeededRandom(seed, account, sequence).integer('any', least, least + width)
      expect(Number.isInteger(drawn) && drawn >= least && drawn <= least + width).toBe(true)
    }),
  )
})

test('both bounds are drawn', () => {
  const drawn = new Set(
    Array.from({ length: 200 }, (_, sequence) => new SeededRandom(1, 'key', sequence).integer('any', 4, 6)),
  )
  expect([...drawn].sort()).toEqual([4, 5, 6])
})

test('hex has as many lower-case digits as were asked for', () =>
  expect(new SeededRandom(1, 'key', 1).hex('any', 12)).toMatch(/^[0-9a-f]{12}$/))

test('the first 200,000 ordinals are spread without meeting', () => {
  const size = 36 ** 5
  const spots = new Set<number>()
  for (let sequence = 1; sequence <= 200_000; sequence += 1) spots.add(scramble(sequence, 12_345, size))
  expect(spots.size).toBe(200_000)
})

test.each([1, 2, 10, 36, 97, 1_000])('every place of %i is used once before any is used again', (size) => {
  const spots = Array.from({ length: size }, (_, sequence) => scramble(sequence, 5, size))
  expect([...spots].sort((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, index) => index))
})
