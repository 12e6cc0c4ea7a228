import { expect, test } from 'vitest'
import { unifiedVideo } from '../../../../src/emulator/families/c-video/index.js'
import { contextWith, image, operationOf, refused, video } from '../context.js'
import { answer, FAST, item, request, STANDARD, several, text, url } from './request.js'

const media = (...items: unknown[]) => request({ media: [text(), ...items] })

const mentioned = (body: unknown) => {
  const call = { method: 'POST', path: '/v1/videos', params: {}, query: new URLSearchParams() }
  const { settings } = contextWith()
  return operationOf(unifiedVideo, 'create').prepare(
    { ...call, body: { kind: 'json', value: body } },
    settings,
  ).mediaRefs
}

test.each([
  ['a url', { url: url() }, url(), 'media[1].url'],
  ['an asset as url', { url: 'asset://asset-1' }, 'asset://asset-1', 'media[1].url'],
  ['a bare asset id', { asset_id: 'asset-1' }, 'asset://asset-1', 'media[1].asset_id'],
  ['an asset id written out', { asset_id: 'asset://asset-1' }, 'asset://asset-1', 'media[1].asset_id'],
  ['both, of which url wins', { asset_id: 'asset-1', url: url() }, url(), 'media[1].url'],
  ['a URL beside an empty asset id', { asset_id: '', url: url() }, url(), 'media[1].url'],
  [
    'an asset id beside an empty URL',
    { asset_id: 'asset-1', url: '' },
    'asset://asset-1',
    'media[1].asset_id',
  ],
])('a medium is named by %s', (_, address, found, field) => {
  const body = media({ type: 'first_frame', ...address })
  expect(mentioned(body)).toMatchObject([{ field, url: found, wants: 'image' }])
  expect(answer(body).status).toBe(200)
})

test.each([
  ['without an address', {}, 'is required: an address such as asset://<asset_id>, or asset_id in its place.'],
  [
    'with two empty ones',
    { url: '', asset_id: '' },
    'must be an address such as asset://<asset_id>, or asset_id in its place, found "".',
  ],
])('a medium %s is refused', (_, address, message) => {
  expect(answer(media({ type: 'first_frame', ...address }))).toMatchObject({
    status: 400,
    code: 'invalid_request',
    message: `media[1].url ${message}`,
  })
})

test.each([
  ['text and a first frame', [item('first_frame')]],
  ['text, a first and a last frame', [item('first_frame'), item('last_frame', url(2))]],
  ['9 reference images', several(9, 'reference_image')],
  ['3 reference videos', several(3, 'reference_video')],
  ['3 reference audios beside an image', [item('reference_image', url(9)), ...several(3, 'reference_audio')]],
])('takes %s', (_, items) => expect(answer(media(...items)).status).toBe(200))

test.each([
  ['two first frames', [item('first_frame'), item('first_frame', url(2))], 'role-counts', 'media[2]'],
  [
    'two last frames',
    [item('first_frame'), item('last_frame'), item('last_frame')],
    'role-counts',
    'media[3]',
  ],
  ['10 reference images', several(10, 'reference_image'), 'role-counts', 'media[10]'],
  ['4 reference videos', several(4, 'reference_video'), 'role-counts', 'media[4]'],
  [
    '4 reference audios',
    [item('reference_image'), ...several(4, 'reference_audio')],
    'role-counts',
    'media[5]',
  ],
  ['a last frame alone', [item('last_frame')], 'last-frame-needs-first', 'media[1].type'],
  [
    'a frame beside a reference',
    [item('first_frame'), item('reference_image')],
    'frames-or-references',
    'media[2].type',
  ],
  ['audio alone', [item('reference_audio')], 'audio-is-not-alone', 'media[1]'],
])('refuses %s', (_, items, rule, field) => {
  const { status, code, message, rules } = answer(media(...items))
  expect({ status, code, rule: rules[0] }).toEqual({
    status: 400,
    code: 'invalid_request',
    rule: `c-video.${rule}`,
  })
  expect(message?.startsWith(`${field} must be `)).toBe(true)
})

test('takes audio alone where the setting allowAudioOnly is on', () => {
  const context = contextWith({ settings: { allowAudioOnly: true } })
  expect(answer(media(item('reference_audio')), context).status).toBe(200)
})

test.each([
  ['a first frame', [item('first_frame')]],
  ['a first and a last frame', [item('first_frame'), item('last_frame')]],
  ['references', [item('reference_image')]],
])('the standard model makes 1080p from %s, the fast one does not', (_, items) => {
  const body = { ...media(...items), size: '1080p' }
  expect(answer({ ...body, model: STANDARD }).order).toMatchObject({ resolution: '1080p' })
  expect(answer({ ...body, model: FAST })).toMatchObject({
    status: 400,
    message: `size must be 480p or 720p for ${FAST}, found "1080p".`,
  })
})

test('no model makes 1080p from text alone', () => {
  expect(answer(request({ size: '1080p' }))).toMatchObject({
    status: 400,
    message: 'size must be 480p or 720p for text-to-video, found "1080p".',
  })
})

test.each(['https://media.test/1', 'http://media.test/1', 'asset://asset-1', 'data:image/png;base64,AAAA'])(
  'takes media written as %s',
  (address) => expect(answer(media(item('first_frame', address))).status).toBe(200),
)

test.each(['ftp://media.test/1', 'picture.png', 'asset://', 'data:image/png,AAAA'])(
  'refuses media written as %s',
  (address) => {
    expect(answer(media(item('first_frame', address)))).toMatchObject({
      status: 400,
      code: 'invalid_request',
      rules: ['c-video.media-form'],
    })
  },
)

test('the refusal of an asset id names the form of assets alone', () =>
  expect(answer(media({ type: 'first_frame', asset_id: 'asset://' })).message).toBe(
    'media[1].asset_id must be asset://<asset_id>, found "asset://".',
  ))

test('with the setting requireAssets only assets are taken', () => {
  const context = contextWith({ settings: { requireAssets: true } })
  expect(answer(media(item('first_frame', 'asset://asset-1')), context).status).toBe(200)
  expect(answer(media({ type: 'first_frame', asset_id: 'asset-1' }), context).status).toBe(200)
  expect(answer(media(item('first_frame')), context)).toMatchObject({
    status: 400,
    rules: ['c-video.media-form'],
  })
  expect(answer(media(item('first_frame', 'data:image/png;base64,AAAA')), context).status).toBe(400)
})

test.each([
  ['asset', ''],
  ['unreachable', ''],
  ['unreadable', '; allowed: JPEG, PNG, WEBP, BMP, TIFF, GIF, HEIC, HEIF or AVIF'],
  ['too-large', ''],
] as const)('media that cannot be had (%s) are refused', (reason, hint) => {
  const context = contextWith({ resolvedMedia: { [url()]: refused(reason) } })
  expect(answer(media(item('first_frame')), context)).toMatchObject({
    status: 400,
    code: 'invalid_request',
    message: `media[1].url cannot be used: it is not there${hint}.`,
  })
})

test('media are of the kind that their type is for', () => {
  const found = { [url()]: video() }
  expect(answer(media(item('first_frame')), contextWith({ resolvedMedia: found }))).toMatchObject({
    status: 400,
    rules: ['c-video.media-kind'],
  })
  expect(answer(media(item('reference_video')), contextWith({ resolvedMedia: found })).status).toBe(200)
})

test('frames and references appear in the video', () => {
  const context = contextWith({ resolvedMedia: { [url(1)]: image(), [url(2)]: image() } })
  expect(answer(media(item('first_frame', url(1)), item('last_frame', url(2))), context).order).toMatchObject(
    {
      firstFrame: { kind: 'image', label: 'first_frame image.png' },
      lastFrame: { kind: 'image', label: 'last_frame image.png' },
      references: [],
    },
  )
})
