import { expect, test } from 'vitest'
import type { ResolvedMedia } from '../../../src/core/media/mention.js'
import { readMovie } from '../../../src/core/media/read/movie.js'
import { movieFile } from '../../core/media/read/movie-file.js'
import { worldWith } from '../world.js'
import { answer, clip, request, text, url } from './request.js'

/** Asks for a video with a reference of 72 frames, of so many ticks of a second each. */
const asking = (ticksPerSecond: number, ticks: number) => {
  const bytes = movieFile({ ticksPerSecond, frames: [[72, ticks]] })
  const facts = readMovie(bytes, 'mp4')
  if (facts.kind !== 'video') throw new Error(JSON.stringify(facts))
  const found: ResolvedMedia = { state: 'read', facts, blob: 'a'.repeat(64), origin: 'clip.mp4' }
  const content = [text(), clip(url(), 'reference_video')]
  return answer(request({ content }), worldWith({ found: { [url()]: found } })).rules
}

// §F asks for 23.976 to 60. What a file says is a number of frames in a time that was rounded to whole ticks: within
// 0.05 % of a usual rate it is that rate, so that "23.97", as players show 24000/1001, is 23.976.
test.each([
  ['24000/1001', 24_000, 1_001],
  ['23.97', 2_397, 100],
  ['23.965, which is 23.976 within 0.05 %', 23_965, 1_000],
  ['60', 60, 1],
  ['60.029, which is 60 within 0.05 %', 60_029, 1_000],
])('a video of %s frames a second is within the limit', (_, ticksPerSecond, ticks) =>
  expect(asking(ticksPerSecond, ticks)).toEqual([]),
)

test.each([
  ['23.963', 23_963, 1_000],
  ['23.9', 239, 10],
  ['60.031', 60_031, 1_000],
  ['61', 61, 1],
])('a video of %s frames a second is beyond the limit', (_, ticksPerSecond, ticks) =>
  expect(asking(ticksPerSecond, ticks)).toContain('f-video-v2.video-frame-rate'),
)
