import { expect, test } from 'vitest'
import { image } from '../context.js'
import { anImage, aText, edit, generate, request } from './requests.js'

const content = 'input.messages[0].content'
const images = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ image: `${anImage}?${index}` }))

// Whatever is wrong with a request is 400 InvalidParameter, and the message names the field (§A, §Errors, gap A1).
test.each<[string, unknown, string]>([
  ['no model', { ...request(), model: undefined }, 'model'],
  ['a model that is no text', { ...request(), model: 3 }, 'model'],
  ['no input', { model: 'alpha-image-3.0-pro' }, 'input'],
  ['an input that is a text', { ...request(), input: 'A cat' }, 'input'],
  ['no messages', { ...request(), input: {} }, 'input.messages'],
  ['0 messages', { ...request(), input: { messages: [] } }, 'input.messages'],
  [
    '2 messages',
    {
      ...request(),
      input: {
        messages: [
          { role: 'user', content: aText },
          { role: 'user', content: aText },
        ],
      },
    },
    'input.messages',
  ],
  [
    'messages that are no list',
    { ...request(), input: { messages: { role: 'user', content: aText } } },
    'input.messages',
  ],
  ['no role', { ...request(), input: { messages: [{ content: aText }] } }, 'input.messages[0].role'],
  [
    'the role system',
    { ...request(), input: { messages: [{ role: 'system', content: aText }] } },
    'input.messages[0].role',
  ],
  [
    'the role assistant',
    { ...request(), input: { messages: [{ role: 'assistant', content: aText }] } },
    'input.messages[0].role',
  ],
  ['no content', { ...request(), input: { messages: [{ role: 'user' }] } }, content],
  ['a content that is a text', request({}, 'A cat'), content],
  ['an empty content', request({}, []), content],
  ['an item that is a text', request({}, ['A cat']), `${content}[0]`],
  ['an item without image and text', request({}, [...aText, {}]), `${content}[1]`],
  ['an item of another kind alone', request({}, [...aText, { video: 'x' }]), `${content}[1]`],
  ['an empty text', request({}, [{ text: '' }]), `${content}[0].text`],
  ['a text of blanks', request({}, [{ text: ' \n ' }]), `${content}[0].text`],
  ['a text that is a number', request({}, [{ text: 7 }]), `${content}[0].text`],
  ['an empty image', request({}, [...aText, { image: '' }]), `${content}[1].image`],
  ['an image that is an object', request({}, [...aText, { image: { url: anImage } }]), `${content}[1].image`],
  ['no text beside an image', request({}, images(1)), content],
  ['2 texts without an image', request({}, [...aText, ...aText]), content],
  ['2 texts beside an image', request({}, [...images(1), ...aText, ...aText]), content],
  ['4 images', request({}, [...images(4), ...aText]), content],
  ['parameters that are a list', request([]), 'parameters'],
  ['n 0', request({ n: 0 }), 'parameters.n'],
  ['n 7', request({ n: 7 }), 'parameters.n'],
  ['n 1.5', request({ n: 1.5 }), 'parameters.n'],
  ['n as text', request({ n: '2' }), 'parameters.n'],
  ['seed -1', request({ seed: -1 }), 'parameters.seed'],
  ['seed 2147483648', request({ seed: 2_147_483_648 }), 'parameters.seed'],
  ['seed 0.5', request({ seed: 0.5 }), 'parameters.seed'],
  ['seed as text', request({ seed: '42' }), 'parameters.seed'],
  ['prompt_extend as text', request({ prompt_extend: 'true' }), 'parameters.prompt_extend'],
  ['watermark as a number', request({ watermark: 1 }), 'parameters.watermark'],
  [
    'a prompt_extend_mode of its own',
    request({ prompt_extend_mode: 'auto' }),
    'parameters.prompt_extend_mode',
  ],
  [
    'prompt_extend_mode agent with an image',
    edit({ prompt_extend_mode: 'agent' }),
    'parameters.prompt_extend_mode',
  ],
  ['a negative_prompt that is a list', request({ negative_prompt: ['rain'] }), 'parameters.negative_prompt'],
  ['size as a number', request({ size: 1024 }), 'parameters.size'],
])('refuses %s', (_, body, field) => {
  const { reply } = generate(body, { resolvedMedia: {} })
  expect(reply.status).toBe(400)
  expect(reply.body).toEqual({
    request_id: 'request-1',
    code: 'InvalidParameter',
    message: expect.stringContaining(`${field} `),
  })
})

test.each([null, [], 'A cat', 7, true])('refuses the body %j', (body) =>
  expect(generate(body).reply).toMatchObject({
    status: 400,
    body: {
      code: 'InvalidParameter',
      message: expect.stringContaining('The request body must be an object'),
    },
  }),
)

test.each([
  ['n 1', request({ n: 1 })],
  ['n 6', request({ n: 6 })],
  ['seed 0', request({ seed: 0 })],
  ['seed 2147483647', request({ seed: 2_147_483_647 })],
  ['no parameters', request()],
  ['empty parameters', request({})],
  ['a text', request({}, aText)],
  ['an image and a text', request({}, [...images(1), ...aText])],
  ['3 images and a text', request({}, [...images(3), ...aText])],
  ['a text before its images', request({}, [...aText, ...images(2)])],
  ['an image and a text in one item', request({}, [{ image: anImage, text: 'A hat' }])],
  ['prompt_extend_mode direct with an image', edit({ prompt_extend_mode: 'direct' })],
  ['prompt_extend_mode agent without an image', request({ prompt_extend_mode: 'agent' })],
  ['an empty negative_prompt', request({ negative_prompt: '' })],
  ['a Chinese prompt', request({}, [{ text: '屋顶上的猫' }])],
])('accepts %s', (_, body) => expect(generate(body).reply.status).toBe(200))

test.each(['alpha-image-9', '', 'ALPHA-IMAGE-3.0-PRO', 'alpha-image-2.0-pro '])(
  'an unknown model (%j) is an invalid parameter that does not exist',
  (model) =>
    expect(generate({ ...request(), model }).reply).toEqual({
      status: 400,
      body: { request_id: 'request-1', code: 'InvalidParameter', message: 'Model not exist.' },
    }),
)

test.each([
  ['1024x1024'],
  ['1024X1024'],
  ['1024×1024'],
  ['1024:1024'],
  ['1K'],
  ['1024'],
  ['1024*'],
  ['*1024'],
  ['1024*1024*3'],
  ['1024 * 1024'],
  [' 1024*1024'],
  ['-1024*-1024'],
  ['1024.0*1024'],
  ['01024*1024'],
  ['1e3*1024'],
  [''],
])('refuses the size %j, which is not width*height', (size) => {
  const { reply } = generate(request({ size }))
  expect(reply).toMatchObject({ status: 400, body: { code: 'InvalidParameter' } })
  expect(reply.body).toMatchObject({
    message: expect.stringContaining('parameters.size must be width*height'),
  })
})

test.each([
  ['the least area', '512*512', undefined],
  ['one pixel less', '511*513', 'area'],
  ['the most area', '2048*2048', undefined],
  ['one pixel more', '1985*2113', 'area'],
  ['the least area in another shape', '256*1024', undefined],
  ['just below it', '256*1023', 'area'],
  ['8:1', '2048*256', undefined],
  ['wider than 8:1', '2049*256', 'ratio'],
  ['1:8', '256*2048', undefined],
  ['taller than 1:8', '256*2049', 'ratio'],
  ['an odd size', '777*999', undefined],
])('%s: size %s', (_, size, refusedFor) => {
  const { reply, meta: notes } = generate(request({ size }))
  expect(reply.status).toBe(refusedFor === undefined ? 200 : 400)
  if (refusedFor === undefined) return
  expect(reply.body).toMatchObject({
    code: 'InvalidParameter',
    message: expect.stringMatching(new RegExp(`^parameters\\.size must be .*${refusedFor}`)),
  })
  expect(notes.refusedBy.map(({ rule }) => rule)).toEqual([`a-image.size-${refusedFor}`])
})

test('editing has the same sizes', () => {
  expect(generate(edit({ size: '2048*256' })).reply.status).toBe(200)
  expect(generate(edit({ size: '2049*256' })).reply.status).toBe(400)
})

test('everything that is wrong is noted, though only the first is answered', () => {
  const body = { ...edit({ size: '4096*128', prompt_extend_mode: 'agent' }) }
  const { meta: notes } = generate(body, {
    resolvedMedia: { [anImage]: image({ format: 'avif', bytes: 2 ** 30 }) },
  })
  expect(notes.refusedBy.map(({ rule }) => rule)).toEqual([
    'a-image.agent-is-for-text-only',
    'a-image.size-ratio',
    'a-image.image-format',
    'a-image.image-bytes',
  ])
})

test.each([
  ['missing', undefined, 'model is required: '],
  ['null', null, 'model must be '],
  ['a number', 3, 'model must be '],
])('a model that is %s is told both models of the path', (_, model, begins) =>
  expect(generate({ ...request(), model }).reply).toMatchObject({
    status: 400,
    body: {
      code: 'InvalidParameter',
      message: expect.stringContaining(`${begins}one of alpha-image-3.0-pro, alpha-image-2.0-pro`),
    },
  }),
)

test.each([
  ['no message', [], 'input.messages must be a list of exactly 1 item, found []'],
  [
    'no text',
    [{ role: 'user', content: [{ image: anImage }] }],
    'input.messages[0].content must be a list with exactly 1 text item, found 0 text items',
  ],
  [
    'two texts',
    [{ role: 'user', content: [...aText, ...aText] }],
    'input.messages[0].content must be a list with exactly 1 text item, found 2 text items',
  ],
  [
    'four images',
    [{ role: 'user', content: [...aText, ...images(4)] }],
    'input.messages[0].content must be a list with at most 3 image items, found 4 image items',
  ],
])('%s: what is counted does not stand in quotation marks, as if it had been sent', (_, messages, sentence) =>
  expect(generate({ ...request(), input: { messages } }).reply.body).toMatchObject({
    message: expect.stringContaining(sentence),
  }),
)
