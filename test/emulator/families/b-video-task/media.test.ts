import { expect, test } from 'vitest'
import { audio, image, refused, unseen, video } from '../context.js'
import { clip, make, picture, sound, text, withContent } from './requests.js'

const FIELD = 'content[1].image_url.url'
const made = (url: string, found: ReturnType<typeof image>, settings = {}) =>
  make(withContent(text(), picture('first_frame', url)), { resolvedMedia: { [url]: found }, settings })

const ASSET = 'asset://asset-20260101000000-abcde'
const URL = 'https://media.test/a.png'
const BASE64 = 'data:image/png;base64,iVBORw0KGgo='

test.each([
  ['an asset', ASSET],
  ['a URL', URL],
  ['Base64', BASE64],
])('takes %s', (_, url) => expect(made(url, image()).reply.status).toBe(200))

test.each([
  ['an asset', ASSET, 200],
  ['a URL', URL, 400],
  ['Base64', BASE64, 400],
])('with the setting requireAssets, %s', (_, url, status) => {
  const { reply } = made(url, image(), { requireAssets: true })
  expect(reply.status).toBe(status)
  if (status === 400)
    expect(reply.body).toMatchObject({
      error: {
        code: 'InvalidParameter',
        param: FIELD,
        message: expect.stringContaining(`${FIELD} must be asset://<asset_id>`),
      },
    })
})

test.each([
  'ftp://media.test/a.png',
  'media.test/a.png',
  'asset://',
  'asset-20260101000000-abcde',
  'data:image/png,plain',
  'http://[',
])('refuses the form %s, and says no more', (url) => {
  const { reply, meta: notes } = made(url, refused('form'))
  expect(reply).toMatchObject({
    status: 400,
    body: {
      error: {
        code: 'InvalidParameter',
        param: FIELD,
        message: expect.stringContaining(`${FIELD} must be `),
      },
    },
  })
  expect(notes.refusedBy.map(({ rule }) => rule)).toEqual(['b-video-task.media-form'])
})

test.each([
  ['an unknown asset', ASSET, refused('asset', 'there is no such asset')],
  ['an asset that is not ready', ASSET, refused('asset', 'the asset is still processing')],
  ['a URL where nothing is', URL, refused('unreachable', 'the server answered 404')],
  ['Base64 that is no media', BASE64, refused('unreadable', 'the file is text')],
  ['what is too large to be read', URL, refused('too-large', 'it has more than 64 MB')],
])('refuses %s, and says why', (_, url, found) => {
  const { reply, meta: notes } = made(url, found)
  expect(reply).toMatchObject({ status: 400, body: { error: { code: 'InvalidParameter', param: FIELD } } })
  expect(reply.body).toMatchObject({
    error: { message: expect.stringContaining((found as { detail: string }).detail) },
  })
  expect(notes.refusedBy[0]?.rule).toBe('b-video-task.media-can-be-had')
})

test.each([
  [
    'a video as an image',
    picture('reference_image', 'https://media.test/x'),
    video(),
    'content[0].image_url.url',
    'an image',
  ],
  [
    'an audio as an image',
    picture('reference_image', 'https://media.test/x'),
    audio(),
    'content[0].image_url.url',
    'an image',
  ],
  [
    'an image as a video',
    clip('reference_video', 'https://media.test/x'),
    image(),
    'content[0].video_url.url',
    'a video',
  ],
  [
    'an audio as a video',
    clip('reference_video', 'https://media.test/x'),
    audio(),
    'content[0].video_url.url',
    'a video',
  ],
  [
    'a video as an audio',
    sound('reference_audio', 'https://media.test/x'),
    video(),
    'content[0].audio_url.url',
    'audio',
  ],
])('refuses %s, whatever its label says', (_, item, found, field, allowed) => {
  const { reply } = make(withContent(item, clip('reference_video', 'https://media.test/y')), {
    resolvedMedia: { 'https://media.test/x': found, 'https://media.test/y': video() },
  })
  expect(reply).toMatchObject({
    status: 400,
    body: {
      error: {
        code: 'InvalidParameter',
        param: field,
        message: expect.stringContaining(`${field} must be ${allowed}`),
      },
    },
  })
})

test('media on a host that is not read are taken, and the journal says so', () => {
  const { reply, meta: notes } = made(URL, unseen())
  expect(reply.status).toBe(200)
  expect(notes.warnings).toEqual([
    `${FIELD} was not read, so no rule on its facts was applied (setting fetchMedia)`,
  ])
})

test('media of any size and length are taken, since B names no limits on them', () => {
  const body = withContent(picture('reference_image'), clip('reference_video'), sound('reference_audio'))
  const found = {
    'https://media.test/picture': image({ width: 9_000, height: 10, format: 'avif' }),
    'https://media.test/clip': video({ seconds: 900, framesPerSecond: 5, videoCodec: 'vp09' }),
    'https://media.test/sound': audio({ seconds: 900 }),
  }
  expect(make(body, { resolvedMedia: found }).reply.status).toBe(200)
})
