import { expect, test } from 'vitest'
import { nearest, suggest } from '../../../src/emulator/core/suggest.js'

test.each([
  ['op', ['for'], undefined],
  ['fr', ['for'], 'for'],
  ['x', ['at'], undefined],
  ['modle', ['model', 'mode'], 'model'],
  ['duration', ['size'], undefined],
])('for %j of %j the nearest name is %j', (written, names, expected) => {
  expect(nearest(written, names)).toBe(expected)
})

test.each([
  ['prob', ['from', 'probability'], 'probability'],
  ['b-video.create', ['c-video.create', 'b-video-task.create'], 'b-video-task.create'],
  ['b-video.crate', ['c-video.create', 'b-video-task.create'], 'c-video.create'],
  ['d-assets', ['d-assets.upload'], 'd-assets.upload'],
  ['upload', ['d-assets.upload'], undefined],
])('for %j of %j the suggestion is %j', (written, possible, expected) => {
  expect(suggest(written, possible)).toBe(expected)
})
