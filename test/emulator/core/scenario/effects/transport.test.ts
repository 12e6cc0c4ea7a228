import { expect, test } from 'vitest'
import { SeededRandom } from '../../../../../src/emulator/core/account/random.js'
import { delayMs } from '../../../../../src/emulator/core/scenario/effects/transport.js'

const draws = Array.from({ length: 500 }, (_, sequence) => new SeededRandom(1, 'test-key', sequence))

test('a fixed delay is what it says', () =>
  expect(delayMs(250, new SeededRandom(1, 'test-key', 1))).toBe(250))

test('a range is drawn evenly, within its bounds', () => {
  const drawn = draws.map((draw) => delayMs({ from: 100, to: 200 }, draw))
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(100)
  expect(Math.max(...drawn)).toBeLessThan(200)
  expect(drawn.filter((ms) => ms < 150).length).toBeGreaterThan(200)
  expect(drawn.filter((ms) => ms < 150).length).toBeLessThan(300)
})

test('a log-normal has half of its draws below the median, none below 0, and a long tail', () => {
  const drawn = draws.map((draw) => delayMs({ median: 100, spread: 1 }, draw))
  expect(Math.min(...drawn)).toBeGreaterThan(0)
  expect(drawn.filter((ms) => ms < 100).length).toBeGreaterThan(200)
  expect(drawn.filter((ms) => ms < 100).length).toBeLessThan(300)
  expect(Math.max(...drawn)).toBeGreaterThan(500)
})

test('of a log-normal a sixth of the draws lies beyond the spread, on each side', () => {
  const drawn = draws.map((draw) => delayMs({ median: 100, spread: 1 }, draw))
  for (const beyond of [drawn.filter((ms) => ms < 100 / Math.E), drawn.filter((ms) => ms > 100 * Math.E)]) {
    expect(beyond.length).toBeGreaterThan(50)
    expect(beyond.length).toBeLessThan(110)
  }
})

test('the same draw gives the same delay', () => {
  const delay = { median: 100, spread: 1 }
  expect(delayMs(delay, new SeededRandom(1, 'a', 1))).toBe(delayMs(delay, new SeededRandom(1, 'a', 1)))
  expect(delayMs(delay, new SeededRandom(1, 'a', 1))).not.toBe(delayMs(delay, new SeededRandom(2, 'a', 1)))
})
