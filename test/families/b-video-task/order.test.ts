import { expect, test } from 'vitest'
import { videoTask } from '../../../src/families/b-video-task/index.js'
import { image, later, read, unseen, video, worldWith } from '../world.js'
import {
  clip,
  FAST,
  idOf,
  make,
  media,
  orderOf,
  picture,
  request,
  type TaskObject,
  text,
  withContent,
} from './requests.js'

const MINUTE = 60_000

/** The query object of a request once it has succeeded. */
const finished = (body: unknown, parts: Parameters<typeof worldWith>[0] = {}): TaskObject => {
  const world = worldWith({ found: media, ...parts })
  const id = idOf(body, world)
  return read(videoTask, id, later(world, MINUTE)).reply.body as TaskObject
}

const videoSpecOf = (body: unknown, parts: Parameters<typeof worldWith>[0] = {}) => {
  const world = worldWith({ found: media, ...parts })
  const id = idOf(body, world)
  const last = world.account.tasks.get(id)?.life.at(-1)?.value
  if (last?.state !== 'succeeded') throw new Error('the life does not succeed')
  return last.media
}

// Pixels by resolution and ratio (defaults B13).
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
  expect(videoSpecOf({ ...withContent(text(), picture()), resolution, ratio })).toMatchObject([
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

// The examples of defaults B14, and the reference seconds.
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

// The listed ratio nearest to what the video is made from (defaults B11).
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
  expect(orderOf({ ...withContent(picture('first_frame')), ratio: 'adaptive' }, { found }).ratio).toBe(ratio)
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
  expect(orderOf(withContent(...content), { found }).ratio).toBe(ratio)
  expect(finished(withContent(...content), { found }).ratio).toBe(ratio)
})

test('a ratio that was asked for is the one used', () =>
  expect(
    orderOf({ ...withContent(picture()), ratio: '21:9' }, { found: { 'https://media.test/picture': tall } })
      .ratio,
  ).toBe('21:9'))

test.each([
  [0, 4],
  [1, 5],
  [11, 15],
  [12, 4],
  [4_294_967_295, 7],
])('duration -1 with seed %i is %i seconds', (seed, duration) => {
  expect(finished(request({ duration: -1, seed }))).toMatchObject({ duration, seed })
})

test('duration -1 comes to every whole number from 4 to 15, and nothing else', () => {
  const lengths = new Set(
    Array.from(
      { length: 200 },
      (_, index) => orderOf(request({ duration: -1 }), { ordinal: index + 1 }).duration,
    ),
  )
  expect([...lengths].sort((a, b) => a - b)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
})

test('duration -1 is drawn and metered at the length it came to', () => {
  const body = request({ duration: -1, seed: 11, ratio: '16:9' })
  expect(videoSpecOf(body)).toMatchObject([{ seconds: 15 }])
  expect(finished(body).usage?.total_tokens).toBe(Math.floor((1280 * 720 * 361) / 1024))
})

test('seed -1 draws a seed from 0 to 99999, another for every task and the same on every run', () => {
  const seeds = Array.from(
    { length: 100 },
    (_, index) => orderOf(request({ seed: -1 }), { ordinal: index + 1 }).seed,
  )
  expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed <= 99_999)).toBe(true)
  expect(new Set(seeds).size).toBeGreaterThan(95)
  expect(orderOf(request(), { ordinal: 100 }).seed).toBe(seeds[99])
})

test('another emulator seed draws another', () =>
  expect(orderOf(request(), { settings: { seed: 2 } }).seed).not.toBe(orderOf(request()).seed))

test.each([0, 42, 4_294_967_295])('the seed %i is the one used', (seed) =>
  expect(finished(request({ seed })).seed).toBe(seed),
)

test('several texts are joined by line breaks', () =>
  expect(orderOf(withContent(text('One'), picture(), text('Two'))).prompt).toBe('One\nTwo'))

test('frames and references are drawn with what they are', () => {
  expect(videoSpecOf(withContent(picture('first_frame'), picture('last_frame')))).toMatchObject([
    {
      firstFrame: { kind: 'image', label: 'first_frame image.png' },
      lastFrame: { label: 'last_frame image.png' },
      references: [],
    },
  ])
  const [spec] = videoSpecOf(withContent(picture('reference_image'), clip()))
  expect(spec).toMatchObject({ references: [{ kind: 'image' }, { kind: 'video' }] })
  expect(spec).not.toHaveProperty('firstFrame')
})

test.each([
  [{}, { hasAudio: true, hasWatermark: false }],
  [
    { generate_audio: false, watermark: true },
    { hasAudio: false, hasWatermark: true },
  ],
])('with %j the video is drawn with %j', (fields, drawn) =>
  expect(videoSpecOf(request(fields))).toMatchObject([drawn]),
)

test('a last frame is made only where it is asked for', () => {
  expect(videoSpecOf(request())).toHaveLength(1)
  expect(videoSpecOf(request({ return_last_frame: true }))).toMatchObject([
    { kind: 'video' },
    { kind: 'last-frame' },
  ])
})

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
