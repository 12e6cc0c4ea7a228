import { expect, test } from 'vitest'
import type { MediaFacts, VideoFacts } from '../../../../src/emulator/core/media/input.js'
import { facts as usual } from '../../../../src/emulator/families/d-assets/facts.js'
import { failuresOf, limitsOf } from '../../../../src/emulator/families/d-assets/limits.js'
import { clip, fileOf, picture, tone, unreadableFile, upload } from './uploads.js'

const limits = limitsOf(usual.bounds)
const sized = (width: number, height: number): MediaFacts => ({ ...picture, width, height })
const filmed = (change: Partial<VideoFacts>): MediaFacts => ({ ...clip, ...change })

test.each<[string, MediaFacts]>([
  ['the smallest image', sized(300, 300)],
  ['the longest sides of an image', sized(6_000, 6_000)],
  ['the widest image', sized(1_000, 400)],
  ['the tallest image', sized(400, 1_000)],
  ['the smallest video', filmed({ width: 300, height: 300 })],
  ['the longest sides of a video', filmed({ width: 6_000, height: 2_400 })],
  ['the widest video', filmed({ width: 1_000, height: 400 })],
  ['the shortest video', filmed({ seconds: 2 })],
  ['the longest video', filmed({ seconds: 15 })],
  ['24 frames a second', filmed({ framesPerSecond: 24 })],
  ['23.976 frames a second, which count as 24 (Z22)', filmed({ framesPerSecond: 23.976 })],
  ['60 frames a second', filmed({ framesPerSecond: 60 })],
  ['any codec', filmed({ videoCodec: 'vp09' })],
  ['the shortest sound', { ...tone, seconds: 2 }],
  ['the longest sound', { ...tone, seconds: 15 }],
])('%s is within the limits (D7)', (_, facts) => expect(failuresOf(facts, limits)).toEqual([]))

test.each<[string, MediaFacts, string, string]>([
  [
    'an image that is too narrow',
    sized(299, 400),
    'InvalidSize',
    'width must be 300 to 6000 pixels, found 299',
  ],
  [
    'an image that is too low',
    sized(400, 299),
    'InvalidSize',
    'height must be 300 to 6000 pixels, found 299',
  ],
  [
    'an image that is too long',
    sized(6_001, 2_500),
    'InvalidSize',
    'width must be 300 to 6000 pixels, found 6001',
  ],
  [
    'an image that is too wide',
    sized(1_001, 400),
    'InvalidRatio',
    'width/height must be 0.4 to 2.5, found 2.502 (1001x400)',
  ],
  [
    'an image that is too tall',
    sized(399, 1_000),
    'InvalidRatio',
    'width/height must be 0.4 to 2.5, found 0.399 (399x1000)',
  ],
  [
    'a video that is too narrow (Z22)',
    filmed({ width: 298, height: 400 }),
    'InvalidSize',
    'width must be 300 to 6000 pixels, found 298',
  ],
  [
    'a video that is too wide (Z22)',
    filmed({ width: 1_002, height: 400 }),
    'InvalidRatio',
    'width/height must be 0.4 to 2.5, found 2.505 (1002x400)',
  ],
  [
    'a video that is too short',
    filmed({ seconds: 1.999 }),
    'InvalidDuration',
    'duration must be 2 to 15 seconds, found 1.999',
  ],
  [
    'a video that is too long',
    filmed({ seconds: 15.001 }),
    'InvalidDuration',
    'duration must be 2 to 15 seconds, found 15.001',
  ],
  [
    'too few frames a second',
    filmed({ framesPerSecond: 23.975 }),
    'InvalidFrameRate',
    'frame rate must be 24 to 60 frames a second, found 23.975',
  ],
  [
    'too many frames a second',
    filmed({ framesPerSecond: 60.001 }),
    'InvalidFrameRate',
    'frame rate must be 24 to 60 frames a second, found 60.001',
  ],
  [
    'a sound that is too short',
    { ...tone, seconds: 1.999 },
    'InvalidDuration',
    'duration must be 2 to 15 seconds, found 1.999',
  ],
  [
    'a sound that is too long',
    { ...tone, seconds: 15.001 },
    'InvalidDuration',
    'duration must be 2 to 15 seconds, found 15.001',
  ],
])('%s fails (D7)', (_, facts, code, message) =>
  expect(failuresOf(facts, limits)).toEqual([{ code, message }]),
)

test('a file that is broken fails with what is wrong with it', () => {
  const { probe } = unreadableFile('damaged', 'the PNG is cut short', 'png')
  expect(failuresOf(probe, limits)).toEqual([
    { code: 'UnreadableFile', message: 'file cannot be read: the PNG is cut short' },
  ])
})

test('an upload that will fail is accepted, and the journal says so at once', () => {
  const { reply, meta: notes } = upload(fileOf(filmed({ width: 298, height: 900, seconds: 1 })))
  expect(reply.status).toBe(200)
  expect(notes.warnings).toEqual([
    'The job will fail: width must be 300 to 6000 pixels, found 298',
    'The job will fail: width/height must be 0.4 to 2.5, found 0.331 (298x900)',
    'The job will fail: duration must be 2 to 15 seconds, found 1',
  ])
})
