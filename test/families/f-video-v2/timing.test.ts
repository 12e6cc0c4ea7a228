import { expect, test } from 'vitest'
import { videoV2 } from '../../../src/families/f-video-v2/index.js'
import { read } from '../world.js'
import { made } from './request.js'

test.each([
  ['gamma-H3', '768P', 5, 90],
  ['gamma-H3', '768P', 15, 210],
  ['gamma-H3', '2K', 5, 170],
  ['gamma-H3-Max', '480P', 5, 90],
  ['gamma-H3-Max', '768P', 5, 135],
])('%s at %s of %i seconds runs about %i seconds', (model, resolution, duration, about) => {
  const { task } = made({ model, resolution, duration }, { settings: { timing: 'realistic' } })
  const [queued, running, succeeded] = task.life.map((moment) => moment.at) as [number, number, number]
  expect((running - queued) / 1000).toBeGreaterThanOrEqual(15)
  expect((running - queued) / 1000).toBeLessThanOrEqual(25)
  expect((succeeded - running) / 1000).toBeGreaterThanOrEqual(about * 0.75)
  expect((succeeded - running) / 1000).toBeLessThanOrEqual(about * 1.25)
})

test('with instant timing a task has succeeded at the first look', () => {
  const { world, task } = made({}, { settings: { timing: 'instant' } })
  expect(read(videoV2, task.id, world).reply.body).toMatchObject({ status: 'succeeded' })
})
