import { expect, test } from 'vitest'
import type { MediaSpec } from '../../../src/core/media/spec.js'
import { mediaOf } from '../../../src/core/task/phase.js'
import { lastOf } from '../../../src/core/time/timeline.js'
import { videoV2 } from '../../../src/families/f-video-v2/index.js'
import { image, read, video } from '../world.js'
import { clip, made, picture, sound, text, url } from './request.js'

const specOf = (change: Record<string, unknown>): MediaSpec | undefined =>
  mediaOf(lastOf(made(change).task.life).value)[0]

test.each([
  ['text alone', [text()], {}, '16:9'],
  [
    'a tall first frame',
    [text(), picture(url(1))],
    { [url(1)]: image({ width: 700, height: 1200 }) },
    '9:16',
  ],
  [
    'a square reference video',
    [text(), clip(url(1))],
    { [url(1)]: video({ width: 800, height: 800 }) },
    '1:1',
  ],
  ['an unseen frame', [text(), picture(url(1))], {}, '16:9'],
])('adaptive with %s comes to a ratio', (_, content, found, ratio) => {
  const { world, task } = made({ content }, { found })
  expect(read(videoV2, task.id, world).reply.body).toMatchObject({ ratio, task: { ratio } })
})

test.each([
  ['gamma-H3-Max', '480P', '21:9', 1120, 480],
  ['gamma-H3-Max', '480P', '16:9', 854, 480],
  ['gamma-H3-Max', '480P', '4:3', 640, 480],
  ['gamma-H3-Max', '480P', '1:1', 480, 480],
  ['gamma-H3-Max', '480P', '3:4', 480, 640],
  ['gamma-H3-Max', '480P', '9:16', 480, 854],
  ['gamma-H3', '768P', '21:9', 1792, 768],
  ['gamma-H3', '768P', '16:9', 1344, 768],
  ['gamma-H3', '768P', '4:3', 1024, 768],
  ['gamma-H3', '768P', '1:1', 768, 768],
  ['gamma-H3', '768P', '3:4', 768, 1024],
  ['gamma-H3', '768P', '9:16', 768, 1344],
  ['gamma-H3', '2K', '21:9', 2560, 1080],
  ['gamma-H3', '2K', '16:9', 2560, 1440],
  ['gamma-H3', '2K', '4:3', 2048, 1536],
  ['gamma-H3', '2K', '1:1', 2048, 2048],
  ['gamma-H3', '2K', '3:4', 1536, 2048],
  ['gamma-H3', '2K', '9:16', 1440, 2560],
])('%s at %s %s is %i x %i', (model, resolution, ratio, width, height) =>
  expect(specOf({ model, resolution, ratio })).toMatchObject({
    kind: 'video',
    width,
    height,
    seconds: 5,
    framesPerSecond: 24,
    hasAudio: true,
  }),
)

test('frames and references are drawn into the video', () => {
  const frames = specOf({ content: [text(), picture(url(1), 'first_frame'), picture(url(2), 'last_frame')] })
  expect(frames).toMatchObject({
    firstFrame: { kind: 'image' },
    lastFrame: { kind: 'image' },
    references: [],
  })
  const references = specOf({ content: [text(), clip(url(1)), sound(url(2))] })
  expect(references).toMatchObject({ references: [{ kind: 'video' }, { kind: 'audio' }] })
})
