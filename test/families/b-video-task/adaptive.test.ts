import { expect, test } from 'vitest'
import { image, unseen, video } from '../world.js'
import { clip, finished, paramsOf, picture, text, withContent } from './requests.js'

// The listed ratio nearest to what the video is made from (gap B11).
test.each([
  ['640x360', 640, 360, '16:9'],
  ['4:3', 1024, 768, '4:3'],
  ['a square', 500, 500, '1:1'],
  ['3:4', 768, 1024, '3:4'],
  ['9:16', 360, 640, '9:16'],
  ['very tall', 100, 1_000, '9:16'],
  ['21:9', 2100, 900, '21:9'],
  ['very wide', 3_000, 100, '21:9'],
  ['nearer to 4:3 than to 1:1', 1_200, 1_000, '4:3'],
  ['nearer to 1:1 than to 4:3', 1_100, 1_000, '1:1'],
])('adaptive takes the ratio of the first frame: %s', (_, width, height, ratio) => {
  const found = { 'https://media.test/picture': image({ width, height }) }
  expect(paramsOf({ ...withContent(picture('first_frame')), ratio: 'adaptive' }, { found }).ratio).toBe(ratio)
})

const tall = image({ width: 360, height: 640 })
const square = image({ width: 500, height: 500 })
const [ONE, TWO] = ['https://media.test/one', 'https://media.test/two']

test.each([
  ['text alone is 16:9', [text()], {}, '16:9'],
  [
    'the first frame counts, not the last',
    [picture('last_frame', ONE), picture('first_frame', TWO)],
    { [ONE]: square, [TWO]: tall },
    '9:16',
  ],
  [
    'the first reference counts',
    [picture('reference_image', ONE), picture('reference_image', TWO)],
    { [ONE]: square, [TWO]: tall },
    '1:1',
  ],
  [
    'a reference video counts',
    [clip('reference_video', ONE), picture('reference_image', TWO)],
    { [ONE]: video({ width: 900, height: 1200 }), [TWO]: tall },
    '3:4',
  ],
  [
    'a reference whose size is unknown does not',
    [picture('reference_image', ONE), picture('reference_image', TWO)],
    { [ONE]: unseen(), [TWO]: tall },
    '9:16',
  ],
  ['where no size is known it is 16:9', [picture('reference_image', ONE)], { [ONE]: unseen() }, '16:9'],
])('adaptive: %s', (_, content, found, ratio) => {
  expect(paramsOf(withContent(...content), { found }).ratio).toBe(ratio)
  expect(finished(withContent(...content), { found }).ratio).toBe(ratio)
})

test('a ratio that was asked for is the one used', () =>
  expect(
    paramsOf({ ...withContent(picture()), ratio: '21:9' }, { found: { 'https://media.test/picture': tall } })
      .ratio,
  ).toBe('21:9'))
