import { expect, test } from 'vitest'
import { unseen, video } from '../world.js'
import { clip, finished, mediaMadeBy, picture, request, text, withContent } from './requests.js'

// Pixels by resolution and ratio (gap B13).
const pixels: [string, string, number, number][] = [
  ['480p', '16:9', 864, 496],
  ['480p', '4:3', 752, 560],
  ['480p', '1:1', 640, 640],
  ['480p', '3:4', 560, 752],
  ['480p', '9:16', 496, 864],
  ['480p', '21:9', 992, 432],
  ['720p', '16:9', 1280, 720],
  ['720p', '4:3', 1112, 834],
  ['720p', '1:1', 960, 960],
  ['720p', '3:4', 834, 1112],
  ['720p', '9:16', 720, 1280],
  ['720p', '21:9', 1470, 630],
  ['1080p', '16:9', 1920, 1080],
  ['1080p', '4:3', 1664, 1248],
  ['1080p', '1:1', 1440, 1440],
  ['1080p', '3:4', 1248, 1664],
  ['1080p', '9:16', 1080, 1920],
  ['1080p', '21:9', 2206, 946],
]

test.each(pixels)('%s %s is %i x %i at 24 frames a second', (resolution, ratio, width, height) =>
  expect(mediaMadeBy({ ...withContent(text(), picture()), resolution, ratio })).toMatchObject([
    { kind: 'video', width, height, framesPerSecond: 24, seconds: 5 },
  ]),
)

test.each(pixels)('%s %s is metered by its pixels', (resolution, ratio, width, height) => {
  const tokens = Math.floor((width * height * (24 * 7 + 1)) / 1024)
  expect(finished({ ...withContent(text(), picture()), resolution, ratio, duration: 7 }).usage).toEqual({
    completion_tokens: tokens,
    total_tokens: tokens,
  })
})

// The examples of gap B14, and the reference seconds.
test.each([
  ['1280x720, 5 s', { resolution: '720p', ratio: '16:9', duration: 5 }, 108_900],
  ['864x496, 5 s', { resolution: '480p', ratio: '16:9', duration: 5 }, 50_638],
])('%s are %i tokens', (_, fields, tokens) =>
  expect(finished(request(fields)).usage).toEqual({ completion_tokens: tokens, total_tokens: tokens }),
)

test.each([
  ['a reference video of 5 s', [clip()], 5, 108_900 + 108_000],
  ['a reference video of 3.003 s', [clip()], 3.003, 108_900 + 64_864],
  ['two of 2 s', [clip('reference_video'), clip('reference_video')], 2, 108_900 + 86_400],
])('reference seconds are metered too: %s', (_, clips, seconds, tokens) =>
  expect(
    finished(
      { ...withContent(text(), ...clips), ratio: '16:9' },
      { found: { 'https://media.test/clip': video({ seconds }) } },
    ).usage?.total_tokens,
  ).toBe(tokens),
)

test('reference videos that were not read are not metered', () =>
  expect(
    finished({ ...withContent(clip()), ratio: '16:9' }, { found: { 'https://media.test/clip': unseen() } })
      .usage?.total_tokens,
  ).toBe(108_900))
