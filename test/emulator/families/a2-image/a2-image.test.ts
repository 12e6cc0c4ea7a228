import { expect, test } from 'vitest'
import type { Decision } from '../../../../src/emulator/core/contract.js'
import { image2 } from '../../../../src/emulator/families/a2-image/index.js'
import { type ContextParts, contextWith, create, expiryOf, image, START, taskOf } from '../context.js'

const MODEL = 'alpha-image-2.0-pro'
const anImage = 'https://pictures.test/cat.png'
const message = (content: unknown = [{ text: 'Three paper boats' }]) => ({ role: 'user', content })
const request = (parameters?: unknown, messages: unknown[] = [message()]) => ({
  model: MODEL,
  input: { messages },
  ...(parameters === undefined ? {} : { parameters }),
})
const withContent = (...content: unknown[]) => request({}, [message(content)])

const generate = (body: unknown, parts: ContextParts = {}): Decision =>
  create(image2, body, contextWith(parts))
const editing = {
  settings: { a2Editing: true },
  resolvedMedia: { [anImage]: image({ width: 512, height: 384 }) },
}

test('an answer has the metering of this model, in its own names', () =>
  expect(generate(request({ size: '1280*720', n: 2 })).reply).toEqual({
    status: 200,
    body: {
      request_id: 'request-1',
      output: {
        choices: [
          {
            finish_reason: 'stop',
            message: {
              role: 'assistant',
              content: [
                { image: expect.stringMatching(/^https:/) },
                { image: expect.stringMatching(/^https:/) },
              ],
            },
          },
        ],
      },
      usage: { image_count: 2, width: 1280, height: 720 },
    },
  }))

test('result URLs are valid for 24 hours', () => {
  const text = JSON.stringify(generate(request()).reply.body)
  const [url = ''] = text.match(/https:[^"]+/) ?? []
  expect(expiryOf(url)).toBe(START + 86_400_000)
})

test.each([
  ['n 1', { n: 1 }],
  ['n 6', { n: 6 }],
  ['seed 0', { seed: 0 }],
  ['seed 2147483647', { seed: 2_147_483_647 }],
  ['the least area', { size: '512*512' }],
  ['the most area', { size: '2048*2048' }],
  ['8:1', { size: '2048*256' }],
  ['1:8', { size: '256*2048' }],
  [
    'every parameter',
    { n: 2, size: '1024*1024', negative_prompt: 'people', prompt_extend: false, watermark: true, seed: 1 },
  ],
  ['no parameters', undefined],
])('accepts %s', (_, parameters) => expect(generate(request(parameters)).reply.status).toBe(200))

test.each<[string, unknown, string]>([
  ['n 0', request({ n: 0 }), 'parameters.n'],
  ['n 7', request({ n: 7 }), 'parameters.n'],
  ['n as text', request({ n: '1' }), 'parameters.n'],
  ['seed -1', request({ seed: -1 }), 'parameters.seed'],
  ['seed 2147483648', request({ seed: 2_147_483_648 }), 'parameters.seed'],
  ['too small an area', request({ size: '511*513' }), 'parameters.size'],
  ['too large an area', request({ size: '1985*2113' }), 'parameters.size'],
  ['wider than 8:1', request({ size: '2049*256' }), 'parameters.size'],
  ['taller than 1:8', request({ size: '256*2049' }), 'parameters.size'],
  ['a size with x', request({ size: '1024x1024' }), 'parameters.size'],
  ['prompt_extend as text', request({ prompt_extend: 'true' }), 'parameters.prompt_extend'],
  ['watermark as text', request({ watermark: 'false' }), 'parameters.watermark'],
  ['another role', request({}, [{ ...message(), role: 'system' }]), 'input.messages[0].role'],
  ['no messages', request({}, []), 'input.messages'],
  ['2 messages', request({}, [message(), message()]), 'input.messages'],
  ['no text', withContent({ image: anImage }), 'input.messages[0].content[0].image'],
  ['2 texts', withContent({ text: 'One' }, { text: 'Two' }), 'input.messages[0].content'],
  [
    'an image beside the text',
    withContent({ text: 'One' }, { image: anImage }),
    'input.messages[0].content[1].image',
  ],
  ['an empty text', withContent({ text: '' }), 'input.messages[0].content[0].text'],
])('refuses %s', (_, body, field) =>
  expect(generate(body).reply).toEqual({
    status: 400,
    body: {
      request_id: 'request-1',
      code: 'InvalidParameter',
      message: expect.stringContaining(`${field} `),
    },
  }),
)

test('the model of family A is not one of this family', () =>
  expect(generate({ ...request(), model: 'alpha-image-3.0-pro' }).reply).toMatchObject({
    status: 400,
    body: { code: 'InvalidParameter', message: 'Model not exist.' },
  }))

test('prompt_extend_mode is a parameter of family A alone, and ignored here', () =>
  expect(generate(request({ prompt_extend_mode: 'agent' }))).toMatchObject({
    reply: { status: 200 },
    meta: { ignored: ['parameters.prompt_extend_mode'] },
  }))

test('with the setting a2Editing images are taken, and the result has the ratio of the last', () => {
  const { reply } = generate(withContent({ image: anImage }, { text: 'Let it snow' }), editing)
  expect(reply).toMatchObject({ status: 200, body: { usage: { width: 2352, height: 1760 } } })
})

test.each([
  ['3 images', 3, 200],
  ['4 images', 4, 400],
])('with the setting a2Editing there are at most 3 images: %s', (_, count, status) => {
  const images = Array.from({ length: count }, () => ({ image: anImage }))
  expect(generate(withContent(...images, { text: 'Let it snow' }), editing).reply.status).toBe(status)
})

test.each([
  [100, 200],
  [101, 400],
])('with the setting a2Editing %i messages are answered with %i', (length, status) => {
  const messages = Array.from({ length }, () => message())
  expect(generate(request({}, messages), editing).reply.status).toBe(status)
})

test('with the setting a2Editing the last of several messages is answered', () => {
  const context = contextWith(editing)
  const body = request({}, [message([{ text: 'One' }]), message([{ text: 'Two' }])])
  expect(taskOf(create(image2, body, context), context).params).toMatchObject({ prompt: 'Two' })
})

test('a prompt with a refused word is refused', () =>
  expect(generate(withContent({ text: '[[moderation]]' })).reply).toMatchObject({
    status: 400,
    body: { code: 'DataInspectionFailed' },
  }))

test('both image families use one quota', () => {
  const context = contextWith({ settings: { imageQuota: 3 } })
  expect(create(image2, request({ n: 2 }), context).reply.status).toBe(200)
  expect(create(image2, request({ n: 2 }), context).reply).toMatchObject({
    status: 429,
    body: { code: 'Throttling.AllocationQuota' },
  })
  expect(create(image2, request({ n: 1 }), context).reply.status).toBe(200)
})
