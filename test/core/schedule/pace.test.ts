import { expect, test } from 'vitest'
import { seededRandom } from '../../../src/core/account/random.js'
import { paceOf, timings } from '../../../src/core/schedule/pace.js'

const workload = { queuedMs: 100_000, runningMs: 400_000 }
const drawOf = (fraction: number) => ({ ...seededRandom(1, 'key', 1), fraction: () => fraction })

test('instant timing takes no time', () =>
  expect(paceOf('instant', workload, drawOf(0.5))).toEqual({ queuedMs: 0, runningMs: 0 }))

test.each([
  ['the least', 0, { queuedMs: 75_000, runningMs: 300_000 }],
  ['the middle', 0.5, { queuedMs: 100_000, runningMs: 400_000 }],
  ['nearly the most', 0.999_999_999, { queuedMs: 125_000, runningMs: 500_000 }],
])('realistic timing stays within a quarter of the workload: %s', (_, fraction, pace) =>
  expect(paceOf('realistic', workload, drawOf(fraction))).toEqual(pace),
)

test.each([
  ['the least', 0, { queuedMs: 750, runningMs: 1_500 }],
  ['the middle', 0.5, { queuedMs: 1_000, runningMs: 2_000 }],
  ['nearly the most', 0.999_999_999, { queuedMs: 1_250, runningMs: 2_500 }],
])('fast timing is a few seconds whatever the workload: %s', (_, fraction, pace) =>
  expect(paceOf('fast', workload, drawOf(fraction))).toEqual(pace),
)

test.each(timings)('%s timing is the same on every run', (timing) =>
  expect(paceOf(timing, workload, seededRandom(7, 'key', 3))).toEqual(
    paceOf(timing, workload, seededRandom(7, 'key', 3)),
  ),
)

test('two tasks of a kind do not end at the same time', () =>
  expect(paceOf('fast', workload, seededRandom(1, 'key', 1))).not.toEqual(
    paceOf('fast', workload, seededRandom(1, 'key', 2)),
  ))
