import { expect, test } from 'vitest'
import { planOf } from '../../../../../src/server/media/studio/video/plan.js'

const none = { opening: false, ending: false }
const both = { opening: true, ending: true }

test.each([
  [
    'the card alone: one second, and the first picture of the others',
    3,
    none,
    ['loop 0'],
    [0, 1, 2, 3, 4, 8],
  ],
  ['one second', 1, none, ['loop 0'], [0, 1, 2, 3]],
  [
    'a first frame',
    3,
    { opening: true, ending: false },
    ['opening 0', 'loop 1'],
    [0, 1, 2, 3, 4, 5, 6, 7, 8],
  ],
  ['a last frame', 2, { opening: false, ending: true }, ['loop 0', 'ending 1'], [0, 1, 2, 3, 4, 5, 6, 7]],
  ['both and nothing between', 2, both, ['opening 0', 'ending 1'], [0, 1, 2, 3, 4, 5, 6, 7]],
] as const)('encodes for %s', (_, seconds, has, full, encoded) => {
  const plan = planOf(seconds, 4, has)
  expect(plan.full.map(({ kind, second }) => `${kind} ${second}`)).toEqual(full)
  expect(plan.encoded).toEqual(encoded)
})

test('every second begins with its own picture and goes on with the loop’s', () => {
  const { order, encoded } = planOf(4, 4, { opening: true, ending: false })
  expect(order.map((place) => encoded[place])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 5, 6, 7, 12, 5, 6, 7])
})

test.each([24, 30])(
  'at %i frames a second there are as many frames as there should be',
  (framesPerSecond) => {
    expect(planOf(15, framesPerSecond, both).order).toHaveLength(15 * framesPerSecond)
  },
)
