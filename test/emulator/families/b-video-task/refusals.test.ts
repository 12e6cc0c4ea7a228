import { expect, test } from 'vitest'
import { FAST, make, picture, request, STANDARD, sound, text, withContent } from './requests.js'

// [what, body, code, field]: 400 in B's shape, with the field as `param` and in the message (gap B8).
test.each<[string, unknown, string, string]>([
  ['no model', request({ model: undefined }), 'MissingParameter', 'model'],
  ['a model that is no text', request({ model: 2 }), 'InvalidParameter', 'model'],
  ['no content', request({ content: undefined }), 'MissingParameter', 'content'],
  ['a content that is a text', request({ content: 'A tram' }), 'InvalidParameter', 'content'],
  ['an empty content', request({ content: [] }), 'InvalidParameter', 'content'],
  ['an item that is null', withContent(null), 'InvalidParameter', 'content[0]'],
  ['an item without type', withContent({ text: 'A tram' }), 'MissingParameter', 'content[0].type'],
  [
    'an item of an unknown type',
    withContent({ type: 'image', image: 'x' }),
    'InvalidParameter',
    'content[0].type',
  ],
  ['a text item without text', withContent({ type: 'text' }), 'MissingParameter', 'content[0].text'],
  ['a text that is a number', withContent({ type: 'text', text: 5 }), 'InvalidParameter', 'content[0].text'],
  ['an empty text alone', withContent(text('')), 'MissingParameter', 'content[0].text'],
  ['a blank text alone', withContent(text(' \n')), 'MissingParameter', 'content[0].text'],
  [
    'an image without address',
    withContent(text(), { type: 'image_url' }),
    'MissingParameter',
    'content[1].image_url',
  ],
  [
    'an address that is a text',
    withContent(text(), { type: 'image_url', image_url: 'https://a.test' }),
    'InvalidParameter',
    'content[1].image_url',
  ],
  [
    'an address without url',
    withContent(text(), { type: 'video_url', video_url: {} }),
    'MissingParameter',
    'content[1].video_url.url',
  ],
  [
    'an empty url',
    withContent(text(), { type: 'audio_url', audio_url: { url: '' } }),
    'InvalidParameter',
    'content[1].audio_url.url',
  ],
  ['an unknown role', withContent(text(), picture('middle_frame')), 'InvalidParameter', 'content[1].role'],
  ['an unlisted ratio', request({ ratio: '2:1' }), 'InvalidParameter', 'ratio'],
  ['a ratio with another separator', request({ ratio: '16x9' }), 'InvalidParameter', 'ratio'],
  ['duration 3', request({ duration: 3 }), 'InvalidParameter', 'duration'],
  ['duration 16', request({ duration: 16 }), 'InvalidParameter', 'duration'],
  ['duration 0', request({ duration: 0 }), 'InvalidParameter', 'duration'],
  ['duration -2', request({ duration: -2 }), 'InvalidParameter', 'duration'],
  ['duration 4.5', request({ duration: 4.5 }), 'InvalidParameter', 'duration'],
  ['duration as text', request({ duration: '5' }), 'InvalidParameter', 'duration'],
  ['an unlisted resolution', request({ resolution: '2K' }), 'InvalidParameter', 'resolution'],
  ['a resolution in capitals', request({ resolution: '720P' }), 'InvalidParameter', 'resolution'],
  ['seed -2', request({ seed: -2 }), 'InvalidParameter', 'seed'],
  ['seed 4294967296', request({ seed: 4_294_967_296 }), 'InvalidParameter', 'seed'],
  ['seed as text', request({ seed: '1' }), 'InvalidParameter', 'seed'],
  ['generate_audio as text', request({ generate_audio: 'false' }), 'InvalidParameter', 'generate_audio'],
  ['watermark as a number', request({ watermark: 0 }), 'InvalidParameter', 'watermark'],
  [
    'return_last_frame as a number',
    request({ return_last_frame: 1 }),
    'InvalidParameter',
    'return_last_frame',
  ],
  ['camera_fixed as text', request({ camera_fixed: 'no' }), 'InvalidParameter', 'camera_fixed'],
  ['draft as text', request({ draft: 'yes' }), 'InvalidParameter', 'draft'],
  [
    'execution_expires_after 3599',
    request({ execution_expires_after: 3_599 }),
    'InvalidParameter',
    'execution_expires_after',
  ],
  [
    'execution_expires_after 259201',
    request({ execution_expires_after: 259_201 }),
    'InvalidParameter',
    'execution_expires_after',
  ],
  ['an unknown service_tier', request({ service_tier: 'priority' }), 'InvalidParameter', 'service_tier'],
  ['priority -1', request({ priority: -1 }), 'InvalidParameter', 'priority'],
  ['priority 10', request({ priority: 10 }), 'InvalidParameter', 'priority'],
  [
    'a safety_identifier of 65 characters',
    request({ safety_identifier: 'x'.repeat(65) }),
    'InvalidParameter',
    'safety_identifier',
  ],
  [
    'a safety_identifier of 65 emoji',
    request({ safety_identifier: '🎬'.repeat(65) }),
    'InvalidParameter',
    'safety_identifier',
  ],
  ['a callback_url that is no URL', request({ callback_url: 'hooks' }), 'InvalidParameter', 'callback_url'],
  [
    'a callback_url behind a blank',
    request({ callback_url: ' http://hooks.test' }),
    'InvalidParameter',
    'callback_url',
  ],
  [
    'a callback_url without a host',
    request({ callback_url: 'http:///hooks' }),
    'InvalidParameter',
    'callback_url',
  ],
  [
    'a callback_url of another protocol',
    request({ callback_url: 'ftp://hooks.test' }),
    'InvalidParameter',
    'callback_url',
  ],
  [
    '1080p with the fast model',
    { ...withContent(text(), picture()), model: FAST, resolution: '1080p' },
    'InvalidParameter',
    'resolution',
  ],
  ['1080p with text alone', request({ resolution: '1080p' }), 'InvalidParameter', 'resolution'],
])('refuses %s', (_, body, code, field) => {
  const { reply } = make(body)
  expect(reply.status).toBe(400)
  expect(reply.body).toEqual({
    error: {
      code,
      message: expect.stringMatching(/\. Request id: request-1$/),
      param: field,
      type: 'BadRequest',
    },
  })
  expect((reply.body as { error: { message: string } }).error.message).toContain(`${field} `)
})

test.each([
  ['a text', withContent(text())],
  ['several texts', withContent(text('One'), text('Two'))],
  ['an image without a text', withContent(picture())],
  ['an empty text beside an image', withContent(text(''), picture())],
  ['duration 4', request({ duration: 4 })],
  ['duration 15', request({ duration: 15 })],
  ['duration -1', request({ duration: -1 })],
  ['seed -1', request({ seed: -1 })],
  ['seed 0', request({ seed: 0 })],
  ['seed 4294967295', request({ seed: 4_294_967_295 })],
  ['resolution 480p', request({ resolution: '480p' })],
  ['resolution 720p', request({ resolution: '720p' })],
  ['1080p from a first frame', { ...withContent(text(), picture()), resolution: '1080p' }],
  [
    '1080p between two frames',
    { ...withContent(picture('first_frame'), picture('last_frame')), resolution: '1080p' },
  ],
  ['1080p from references', { ...withContent(text(), picture('reference_image')), resolution: '1080p' }],
  ['the fast model', request({ model: FAST })],
  ['720p with the fast model', request({ model: FAST, resolution: '720p' })],
  ['execution_expires_after 3600', request({ execution_expires_after: 3_600 })],
  ['execution_expires_after 259200', request({ execution_expires_after: 259_200 })],
  ['service_tier flex', request({ service_tier: 'flex' })],
  ['priority 0', request({ priority: 0 })],
  ['priority 9', request({ priority: 9 })],
  ['a safety_identifier of 64 characters', request({ safety_identifier: 'x'.repeat(64) })],
  ['a safety_identifier of 64 emoji', request({ safety_identifier: '🎬'.repeat(64) })],
  ['a callback_url with a port', request({ callback_url: 'http://localhost:3000/hook?x=1' })],
  ['draft and camera_fixed', request({ draft: true, camera_fixed: true })],
  ...['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', 'adaptive'].map((ratio): [string, unknown] => [
    `ratio ${ratio}`,
    request({ ratio }),
  ]),
])('accepts %s', (_, body) => expect(make(body).reply.status).toBe(200))

test.each(['videoa-1-0', '', 'VIDEOA-2-0-260128', 'gamma-H3'])('an unknown model (%j) is 404', (model) =>
  expect(make(request({ model })).reply).toMatchObject({
    status: 404,
    body: { error: { code: 'InvalidEndpointOrModel.NotFound', param: 'model', type: 'NotFound' } },
  }),
)

test('the refusal of an unknown model lists the models', () =>
  expect(make(request({ model: 'videoa-1-0' })).reply.body).toMatchObject({
    error: {
      message: expect.stringMatching(
        /^The model does not exist or cannot be used: model must be one of videoa-2-0-260128, videoa-2-0-fast-260128, found "videoa-1-0"\. Request id: /,
      ),
    },
  }))

test('an unknown model is refused before anything else that is wrong', () =>
  expect(make({ model: 'x', content: 7, seed: 'y' }).reply.status).toBe(404))

test.each([null, [], 'A tram', 7])('refuses the body %j', (body) =>
  expect(make(body).reply).toMatchObject({
    status: 400,
    body: {
      error: {
        code: 'InvalidParameter',
        param: '',
        message: expect.stringContaining('The request body must be an object'),
      },
    },
  }),
)

test('several things that are wrong are all noted, though only the first is answered', () => {
  const body = { model: FAST, content: [text(), sound('reference_audio')], resolution: '1080p' }
  expect(make(body, { key: 'no-balance' }).meta.refusedBy.map(({ rule }) => rule)).toEqual([
    'b-video-task.audio-is-not-alone',
    'b-video-task.high-resolution',
    'b-video-task.balance-is-positive',
  ])
})

test('pictures that lack their roles are not text alone', () => {
  const body = { ...withContent(text(), picture(), picture()), resolution: '1080p' }
  expect(make(body).meta.refusedBy.map(({ rule }) => rule)).toEqual(['b-video-task.every-image-has-a-role'])
})

test('unknown fields are ignored, and with the setting strict refused', () => {
  const body = { ...request({ frames: 57 }), content: [{ ...text(), lang: 'en' }] }
  expect(make(body)).toMatchObject({
    reply: { status: 200 },
    meta: { ignored: ['content[0].lang', 'frames'] },
  })
  expect(make(body, { settings: { strict: true } }).reply).toMatchObject({
    status: 400,
    body: { error: { code: 'InvalidParameter', param: 'content[0].lang' } },
  })
})

test('every model of the family can be named', () => {
  for (const model of [STANDARD, FAST]) expect(make(request({ model })).reply.status).toBe(200)
})

test('the refusal of an unknown type of an item lists the types', () =>
  expect(make(withContent({ type: 'image', image: 'x' })).reply.body).toMatchObject({
    error: {
      message: expect.stringContaining('must be one of text, image_url, video_url, audio_url, found "image"'),
    },
  }))
