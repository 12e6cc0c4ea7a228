import { expect, test } from 'vitest'
import { loudnessOf } from './pixels.js'
import { newStudio, video } from './specs.js'

test('the sound of a video is quiet, but audible', async () => {
  const { path } = await (await newStudio()).open(video())
  const loudness = await loudnessOf(path)
  expect(loudness).toBeGreaterThan(-40)
  expect(loudness).toBeLessThan(-20)
})
