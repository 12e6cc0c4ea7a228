import { expect, test } from 'vitest'
import { balanceOf } from '../../../src/core/account/account.js'
import { videoV2 } from '../../../src/families/f-video-v2/index.js'
import { audio, image, read, unseen, video } from '../world.js'
import { clip, made, picture, sound, text, url } from './request.js'

test('usage counts every image and the seconds of reference videos', () => {
  const content = [
    text(),
    picture(url(1), 'reference_image'),
    picture(url(2), 'reference_image'),
    clip(url(3), 'reference_video'),
    clip(url(4), 'reference_video'),
    clip(url(5), 'reference_video'),
    sound(url(6), 'reference_audio'),
  ]
  const found = {
    [url(1)]: image(),
    [url(2)]: unseen(),
    [url(3)]: video({ seconds: 3.003 }),
    [url(4)]: video({ seconds: 4 }),
    [url(5)]: unseen(),
    [url(6)]: audio({ seconds: 9 }),
  }
  const { task, ended } = made({ content }, { found })
  expect(read(videoV2, task.id, ended).reply.body).toHaveProperty('usage', {
    total_seconds: 12,
    input_seconds: 7,
    output_seconds: 5,
    input_image_count: 2,
  })
})

test('a task is charged when it succeeds, for every metered second', () => {
  const content = [text(), clip(url(1))]
  const { world, task, ended } = made({ content }, { found: { [url(1)]: video({ seconds: 3 }) } })
  expect(balanceOf(world.account)).toBe(1_000_000)
  read(videoV2, task.id, ended)
  expect(1_000_000 - balanceOf(world.account)).toBeCloseTo(0.8)
})

test.each([
  ['gamma-H3', '768P', {}, 0.5],
  ['gamma-H3', '2K', {}, 1.25],
  ['gamma-H3-Max', '480P', {}, 0.5],
  ['gamma-H3-Max', '768P', {}, 1],
  ['gamma-H3', '2K', { 'gamma-H3': 3 }, 15],
  ['gamma-H3', '2K', { 'gamma-H3': 3, 'gamma-H3 2K': 7 }, 35],
  ['gamma-H3', '768P', { 'gamma-H3 2K': 7 }, 0.5],
])('5 seconds of %s at %s with prices %j cost %f', (model, resolution, prices, price) =>
  expect(made({ model, resolution }, { settings: { prices } }).task.price).toBeCloseTo(price),
)
