import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSize } from '../../../../src/emulator/families/a-image/image-size.js'
import { contextWith, expiryOf, image, START, taskOf } from '../context.js'
import { type Answer, anImage, answerTo, aText, edit, generate, request } from './requests.js'

const HOUR = 3_600_000
const sizeOf = ({ usage }: Answer) => `${usage.output_width}*${usage.output_height}`

test('an answer has a request id, one choice and the metering, and no code or message', () => {
  const answer = answerTo(request({ size: '1280*720' }))
  expect(answer).toEqual({
    request_id: 'request-1',
    output: {
      choices: [
        {
          finish_reason: 'stop',
          message: { role: 'assistant', content: [{ image: expect.stringMatching(/^https:/) }] },
        },
      ],
    },
    usage: {
      output_width: 1280,
      output_height: 720,
      input_image_count: 0,
      input_image_type: 'qima_input_1k',
      output_image_count: 1,
      output_image_type: 'qima_output_1k',
    },
  })
})

test.each([1, 2, 6])('n %i gives one choice with as many images', (n) => {
  const { output, usage } = answerTo(request({ n }))
  expect(output.choices).toHaveLength(1)
  const urls = output.choices[0]?.message.content.map(({ image: url }) => url) ?? []
  expect(urls).toHaveLength(n)
  expect(new Set(urls).size).toBe(n)
  expect(usage.output_image_count).toBe(n)
})

test('result URLs are valid for 24 hours', () => {
  const [choice] = answerTo(request()).output.choices
  expect(expiryOf(choice?.message.content[0]?.image ?? '')).toBe(START + 24 * HOUR)
})

test.each([
  ['text alone', request(), 0],
  ['an image', edit(), 1],
  [
    'three images',
    request({}, [1, 2, 3].map((index) => ({ image: `${anImage}?${index}` })).concat(aText as never)),
    3,
  ],
])('the input images are counted: %s', (_, body, count) =>
  expect(answerTo(body).usage.input_image_count).toBe(count),
)

test.each([
  ['2,250,000 pixels', '1500*1500', '1k'],
  ['the next size above', '921*2443', '2k'],
  ['the least', '512*512', '1k'],
  ['the most', '2048*2048', '2k'],
])('an output of %s (%s) is metered as %s, input and output', (_, size, tier) =>
  expect(answerTo(request({ size })).usage).toMatchObject({
    input_image_type: `qima_input_${tier}`,
    output_image_type: `qima_output_${tier}`,
  }),
)

// The model picks the size from the prompt (gap A3).
test.each([
  ['A cat', '2048*2048'],
  ['A wide street', '2688*1536'],
  ['A widescreen film still', '2688*1536'],
  ['A tall tower', '1536*2688'],
  ['A landscape with a river', '2368*1728'],
  ['LANDSCAPE', '2368*1728'],
  ['A portrait of a baker', '1728*2368'],
  ['竖版海报', '1728*2368'],
  ['横版海报', '2368*1728'],
  ['A stall at the market', '2048*2048'],
  ['Widening gyres', '2048*2048'],
])('without a size, the prompt %j gives %s', (text, size) =>
  expect(sizeOf(answerTo(request({}, [{ text }])))).toBe(size),
)

test('the setting defaultImageSize overrides what the model picks for text', () =>
  expect(
    sizeOf(answerTo(request({}, [{ text: 'A wide street' }]), { settings: { defaultImageSize: '640*480' } })),
  ).toBe('640*480'))

test('the setting defaultImageSize leaves a size that was asked for', () =>
  expect(sizeOf(answerTo(request({ size: '512*512' }), { settings: { defaultImageSize: '640*480' } }))).toBe(
    '512*512',
  ))

test.each([
  ['a square', { width: 500, height: 500 }, '2048*2048'],
  ['4:3', { width: 512, height: 384 }, '2352*1760'],
  ['3:4', { width: 384, height: 512 }, '1760*2352'],
  ['8:1', { width: 4096, height: 512 }, '5760*720'],
  ['1:8', { width: 512, height: 4096 }, '720*5760'],
  ['wider than 8:1', { width: 9_000, height: 10 }, '5760*720'],
])('without a size, editing takes the ratio of the image: %s', (_, sides, size) =>
  expect(sizeOf(answerTo(edit(), { resolvedMedia: { [anImage]: image(sides) } }))).toBe(size),
)

test('without a size, editing several images takes the ratio of the last', () => {
  const body = request({}, [{ image: `${anImage}?1` }, { image: `${anImage}?2` }, ...aText])
  const found = {
    [`${anImage}?1`]: image({ width: 100, height: 800 }),
    [`${anImage}?2`]: image({ width: 500, height: 500 }),
  }
  expect(sizeOf(answerTo(body, { resolvedMedia: found }))).toBe('2048*2048')
})

test('the setting defaultImageSize is for text alone', () =>
  expect(
    sizeOf(
      answerTo(edit(), { resolvedMedia: { [anImage]: image() }, settings: { defaultImageSize: '640*480' } }),
    ),
  ).toBe('2048*2048'))

test('a size that the model chooses is a valid size, in multiples of 16', () => {
  const side = fc.integer({ min: 1, max: 20_000 })
  fc.assert(
    fc.property(side, side, (width, height) => {
      const size = sizeOf(answerTo(edit(), { resolvedMedia: { [anImage]: image({ width, height }) } }))
      expect(generate(request({ size })).reply.status, size).toBe(200)
      expect(parseSize(size)).toSatisfy(
        (pixels: { width: number; height: number }) => pixels.width % 16 === 0 && pixels.height % 16 === 0,
      )
    }),
  )
})

const paramsOf = (body: unknown, parts: Parameters<typeof contextWith>[0] = {}) => {
  const context = contextWith(parts)
  return taskOf(generate(body, context), context).params as { seed: number }
}

test.each([0, 42, 2_147_483_647])('the seed %i is the one used', (seed) =>
  expect(paramsOf(request({ seed })).seed).toBe(seed),
)

test('without a seed one is drawn within its bounds, another for every request and the same on every run', () => {
  const seeds = Array.from({ length: 50 }, (_, index) => paramsOf(request(), { sequence: index + 1 }).seed)
  expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed <= 2_147_483_647)).toBe(true)
  expect(new Set(seeds).size).toBe(50)
  expect(paramsOf(request(), { sequence: 50 }).seed).toBe(seeds[49])
})

const picturesOf = (body: unknown) => {
  const context = contextWith()
  const [moment] = taskOf(generate(body, context), context).timeline
  if (moment?.value.state !== 'succeeded') throw new Error('the life is not over')
  return moment.value.media
}

test('the images of one request differ in their seed and say which of how many they are', () =>
  expect(picturesOf(request({ n: 2, seed: 2_147_483_647, size: '512*512' }))).toMatchObject([
    {
      kind: 'picture',
      width: 512,
      height: 512,
      seed: 2_147_483_647,
      card: { index: '1/2', prompt: 'A cat on a roof' },
    },
    { kind: 'picture', width: 512, height: 512, seed: 0, card: { index: '2/2' } },
  ]))

test.each([
  [undefined, false],
  [false, false],
  [true, true],
])('watermark %s draws a mark: %s', (watermark, hasWatermark) =>
  expect(picturesOf(request({ watermark }))).toMatchObject([{ hasWatermark }]),
)

test('the image operation is over when it begins', () => {
  const context = contextWith()
  const task = taskOf(generate(request(), context), context)
  expect(task.timeline).toMatchObject([{ at: START, value: { state: 'succeeded' } }])
  expect(context.account.tasks.usage.inFlight).toBe(0)
})
