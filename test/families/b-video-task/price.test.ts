import { expect, test } from 'vitest'
import { worldWith } from '../world.js'
import { FAST, make, media, picture, request, text, withContent } from './requests.js'

// Prices per second (docs/families/b-video-task.md).
test.each([
  ['480p', {}, 0.25],
  ['720p', {}, 0.5],
  ['1080p', {}, 1.25],
  ['480p', { model: FAST }, 0.125],
  ['720p', { model: FAST }, 0.25],
])('5 seconds of %s %j cost %d', (resolution, fields, price) => {
  const world = worldWith({ found: media })
  const { notes } = make({ ...withContent(text(), picture()), resolution, ...fields }, world)
  expect(world.account.tasks.get(notes.task ?? '')?.price).toBeCloseTo(price, 10)
})

test.each([
  ['a model', { [FAST]: 2 }, 10],
  ['a model and resolution', { [`${FAST} 480p`]: 3, [FAST]: 2 }, 15],
  ['another model', { gamma: 9 }, 0.125],
])('the setting prices may name %s', (_, prices, price) => {
  const world = worldWith({ settings: { prices } })
  const { notes } = make(request({ model: FAST, resolution: '480p' }), world)
  expect(world.account.tasks.get(notes.task ?? '')?.price).toBeCloseTo(price, 10)
})
