import { describe, expect, test } from 'vitest'
import { videoTask } from '../../../../src/emulator/families/b-video-task/index.js'
import { readRequest } from '../../../../src/emulator/families/b-video-task/schema.js'
import { contextWith, image, unseen, video } from '../context.js'
import { clip, finished, mediaMadeBy, paramsOf, picture, request, text, withContent } from './requests.js'

describe('order', () => {
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
        (_, index) => paramsOf(request({ duration: -1 }), { sequence: index + 1 }).duration,
      ),
    )
    expect([...lengths].sort((a, b) => a - b)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
  })

  test('duration -1 is drawn and metered at the length it came to', () => {
    const body = request({ duration: -1, seed: 11, ratio: '16:9' })
    expect(mediaMadeBy(body)).toMatchObject([{ seconds: 15 }])
    expect(finished(body).usage?.total_tokens).toBe(Math.floor((1280 * 720 * 361) / 1024))
  })

  test('seed -1 draws a seed from 0 to 99999, another for every task and the same on every run', () => {
    const seeds = Array.from(
      { length: 100 },
      (_, index) => paramsOf(request({ seed: -1 }), { sequence: index + 1 }).seed,
    )
    expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed <= 99_999)).toBe(true)
    expect(new Set(seeds).size).toBeGreaterThan(95)
    expect(paramsOf(request(), { sequence: 100 }).seed).toBe(seeds[99])
  })

  test.each([
    ['the least', 0, 0],
    ['the most', 0.999_999_999, 99_999],
  ])('a seed that is drawn is at %s %d', (_, fraction, seed) => {
    const context = contextWith()
    const draw = Object.assign(context.random, {
      integer: (_: string, least: number, most: number) => least + Math.floor(fraction * (most - least + 1)),
    })
    const input = readRequest(videoTask.schema.parse(request()))
    expect(videoTask.params(input, { ...context, random: draw }).seed).toBe(seed)
  })

  test('another emulator seed draws another', () =>
    expect(paramsOf(request(), { settings: { seed: 2 } }).seed).not.toBe(paramsOf(request()).seed))

  test.each([0, 42, 4_294_967_295])('the seed %i is the one used', (seed) =>
    expect(finished(request({ seed })).seed).toBe(seed),
  )

  test('several texts are joined by line breaks', () =>
    expect(paramsOf(withContent(text('One'), picture(), text('Two'))).prompt).toBe('One\nTwo'))

  test('frames and references are drawn with what they are', () => {
    expect(mediaMadeBy(withContent(picture('first_frame'), picture('last_frame')))).toMatchObject([
      {
        firstFrame: { kind: 'image', label: 'first_frame image.png' },
        lastFrame: { label: 'last_frame image.png' },
        references: [],
      },
    ])
    const [spec] = mediaMadeBy(withContent(picture('reference_image'), clip()))
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
    expect(mediaMadeBy(request(fields))).toMatchObject([drawn]),
  )

  test('a last frame is made only where it is asked for', () => {
    expect(mediaMadeBy(request())).toHaveLength(1)
    expect(mediaMadeBy(request({ return_last_frame: true }))).toMatchObject([
      { kind: 'video' },
      { kind: 'last-frame' },
    ])
  })
})

describe('adaptive', () => {
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
    expect(
      paramsOf({ ...withContent(picture('first_frame')), ratio: 'adaptive' }, { resolvedMedia: found }).ratio,
    ).toBe(ratio)
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
    expect(paramsOf(withContent(...content), { resolvedMedia: found }).ratio).toBe(ratio)
    expect(finished(withContent(...content), { resolvedMedia: found }).ratio).toBe(ratio)
  })

  test('a ratio that was asked for is the one used', () =>
    expect(
      paramsOf(
        { ...withContent(picture()), ratio: '21:9' },
        { resolvedMedia: { 'https://media.test/picture': tall } },
      ).ratio,
    ).toBe('21:9'))
})
