import { expect, test } from 'vitest'
import { planOf } from '../../../../../src/server/media/studio/video/plan.js'

const none = { opening: false, ending: false }
const first = { opening: true, ending: false }
const last = { opening: false, ending: true }
const both = { opening: true, ending: true }

/** `12x2`: what is drawn for frame 12 is shown for two frames; `12k`: and it is a key picture. */
const drawnBy = (...args: Parameters<typeof planOf>): string[] =>
  planOf(...args).drawings.map(({ frame, number, frames }) => `${frame}${number === 0 ? 'k' : ''} x${frames}`)

test.each([
  [
    'the card alone: one second, and the first picture of the others',
    3,
    none,
    ['0k x2', '2 x2', '4 x2', '6 x2', '8 x2', '10 x2', '12k x2', '24k x2'],
  ],
  ['one second', 1, none, ['0k x2', '2 x2', '4 x2', '6 x2', '8 x2', '10 x2']],
  [
    'a first frame, which stands still and then goes over into the card',
    2,
    first,
    ['0k x6', '6k x2', '8 x2', '10 x2', '12k x2', '14 x2', '16 x2', '18 x2', '20 x2', '22 x2'],
  ],
  [
    'a last frame, which comes through the card and then stands still',
    2,
    last,
    ['0k x2', '2 x2', '4 x2', '6 x2', '8 x2', '10 x2', '12k x2', '14 x2', '16 x2', '18 x2', '20 x4'],
  ],
  [
    'both and nothing between',
    2,
    both,
    ['0k x6', '6k x2', '8 x2', '10 x2', '12k x2', '14 x2', '16 x2', '18 x2', '20 x4'],
  ],
] as const)('encodes for %s', (_, seconds, has, drawings) => {
  expect(drawnBy(seconds, 12, has)).toEqual(drawings)
})

test('an odd number of frames a second ends with a drawing for one', () => {
  expect(drawnBy(1, 5, none)).toEqual(['0k x2', '2 x2', '4 x1'])
})

test('every second begins with its own picture and goes on with the loop’s', () => {
  const { order, drawings } = planOf(3, 4, none)
  const frames = order.map(({ place, shown }) => (drawings[place]?.frame ?? 0) + shown)
  expect(frames).toEqual([0, 1, 2, 3, 4, 5, 2, 3, 8, 9, 2, 3])
})

test('the user’s frames cover the first and the last drawings of their seconds', () => {
  const { opening, ending, drawings } = planOf(3, 12, both)
  expect(opening).toEqual({ place: 0, drawings: 4 })
  expect(ending).toEqual({ place: 11, drawings: 4 })
  expect(drawings[11]?.frame).toBe(26)
  expect(drawings[14]).toMatchObject({ frame: 32, frames: 4 })
})

test.each([24, 25, 30])(
  'at %i frames a second there are as many frames as there should be',
  (framesPerSecond) => {
    expect(planOf(15, framesPerSecond, both).order).toHaveLength(15 * framesPerSecond)
  },
)
