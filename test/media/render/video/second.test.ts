import { expect, test } from 'vitest'
import {
  drawingAt,
  drawnFor,
  drawnFrames,
  endingWipe,
  openingWipe,
  shareAt,
} from '../../../../src/media/render/video/second.js'

test.each([
  [6, [0, 2, 4]],
  [5, [0, 2, 4]],
  [24, [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22]],
])('at %i frames a second every other one is drawn', (framesPerSecond, frames) => {
  expect(drawnFrames(framesPerSecond)).toEqual(frames)
})

test('a drawing is shown for two frames, and never goes on into the next second', () => {
  expect([0, 1, 2, 3, 4].map(drawingAt)).toEqual([0, 0, 1, 1, 2])
  expect([4, 5, 6, 7].map((frame) => drawnFor(frame, 5))).toEqual([4, 5, 5, 7])
})

const shares = (wipe: Parameters<typeof shareAt>[0], frames: readonly number[]) =>
  frames.map((frame) => shareAt(wipe, frame))

test.each([
  ['the card comes over the first frame after half a second', openingWipe(24), 12],
  ['the last frame comes over the card after a quarter of one', endingWipe(24), 6],
])('%s, in four drawings', (_, wipe, from) => {
  expect(shares(wipe, [0, from - 1])).toEqual([0, 0])
  expect(shares(wipe, [from, from + 1, from + 2, from + 4, from + 6])).toEqual([0.2, 0.2, 0.4, 0.6, 0.8])
  expect(shares(wipe, [from + 8, 23])).toEqual([1, 1])
})

test.each([24, 25, 30])('at %i frames a second both are over before the second is', (framesPerSecond) => {
  const last = framesPerSecond - 1
  expect(shareAt(openingWipe(framesPerSecond), last)).toBe(1)
  expect(shareAt(endingWipe(framesPerSecond), last)).toBe(1)
})
