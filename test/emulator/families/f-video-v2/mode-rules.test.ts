import { expect, test } from 'vitest'
import { contextWith } from '../context.js'
import { answer, clip, picture, request, several, sound, text, url } from './request.js'

const first = picture(url(101), 'first_frame')
const last = picture(url(102), 'last_frame')
const image = picture(url(103), 'reference_image')
const video = clip(url(104), 'reference_video')
const audio = sound(url(105), 'reference_audio')

test.each([
  ['a first frame', [first]],
  ['a first and a last frame, in whatever order', [last, first]],
  ['one image without a role: the first frame', [picture(url())]],
  ['9 reference images', several(9, picture, 'reference_image')],
  ['3 reference videos', several(3, clip, 'reference_video')],
  ['3 reference audios beside an image', [image, ...several(3, sound, 'reference_audio')]],
  ['an audio beside a video', [video, audio]],
  ['videos and audios without roles', [clip(url(1)), sound(url(2))]],
  [
    'as many references as there can be',
    [
      ...several(9, picture, 'reference_image'),
      ...several(3, clip, 'reference_video'),
      ...several(3, sound, 'reference_audio'),
    ],
  ],
])('takes %s', (_, media) => expect(answer(request({ content: [text(), ...media] })).status).toBe(200))

test.each([
  ['two first frames', [first, first], 'role-counts'],
  ['two last frames', [first, last, last], 'role-counts'],
  ['10 reference images', several(10, picture, 'reference_image'), 'role-counts'],
  ['4 reference videos', several(4, clip, 'reference_video'), 'role-counts'],
  ['4 videos without roles', several(4, clip), 'role-counts'],
  ['4 reference audios', [image, ...several(4, sound, 'reference_audio')], 'role-counts'],
  ['a first frame with a reference image', [first, image], 'frames-or-references'],
  ['a first frame with a reference video', [first, video], 'frames-or-references'],
  ['a first frame with a reference audio', [first, audio], 'frames-or-references'],
  ['a last frame with a reference image', [last, image], 'frames-or-references'],
  ['the only image without a role with a video', [picture(url()), video], 'frames-or-references'],
  ['two images without roles', several(2, picture), 'every-image-has-a-role'],
  ['an image without a role among references', [image, picture(url())], 'every-image-has-a-role'],
  ['an audio alone', [audio], 'audio-is-not-alone'],
  ['an audio without a role alone', [sound(url())], 'audio-is-not-alone'],
  ['a video as first frame', [clip(url(), 'first_frame')], 'role-fits-kind'],
  ['an audio as last frame', [first, sound(url(), 'last_frame')], 'role-fits-kind'],
  ['an image as reference video', [picture(url(), 'reference_video')], 'role-fits-kind'],
])('refuses %s', (_, media, rule) => {
  const { status, message, rules } = answer(request({ content: [text(), ...media] }))
  expect(status).toBe(400)
  expect(message).toMatch(/^invalid params, content\[\d+\].* \(2013\)$/)
  expect(rules[0]).toBe(`f-video-v2.${rule}`)
})

test('takes a last frame alone for gamma-H3, and refuses it for gamma-H3-Max (F13)', () => {
  const of = (model: string) => answer(request({ model, duration: 5, content: [text(), last] }))
  expect(of('gamma-H3').status).toBe(200)
  expect(of('gamma-H3-Max')).toMatchObject({ status: 400, rules: ['f-video-v2.last-frame-needs-first'] })
})

test('takes audio alone where the setting allowAudioOnly is on', () => {
  const context = contextWith({ settings: { allowAudioOnly: true } })
  expect(answer(request({ content: [text(), audio] }), context).status).toBe(200)
})

const withRole = (role: string) => ({ ...text(), role })

test.each([
  ['a first frame beside no medium', [withRole('first_frame')], 'gamma-H3'],
  ['a reference beside references', [withRole('reference_image'), image, video], 'gamma-H3'],
  ['a reference of another kind than what is beside it', [withRole('reference_audio'), video], 'gamma-H3'],
  ['a first frame beside a first frame', [withRole('first_frame'), first], 'gamma-H3'],
  ['a last frame beside the only image', [withRole('last_frame'), picture(url())], 'gamma-H3'],
  ['a reference, of a model without references', [withRole('reference_image')], 'gamma-H3-Max'],
])('takes a text with the role of %s', (_, content, model) => {
  const context = contextWith({ settings: { strict: true } })
  expect(answer(request({ model, content }), context)).toMatchObject({ status: 200, rules: [] })
})

test.each([
  [
    'a reference beside a first frame',
    [withRole('reference_image'), first],
    'content[0].role must be no reference role beside content[1] (first_frame), found "reference_image"',
  ],
  [
    'a last frame beside a reference',
    [video, withRole('last_frame')],
    'content[0].role must be no reference role beside content[1] (last_frame), found "reference_video"',
  ],
  [
    'a first frame beside another text with that of a reference',
    [withRole('first_frame'), withRole('reference_audio')],
    'content[1].role must be no reference role beside content[0] (first_frame), found "reference_audio"',
  ],
  [
    'a reference beside the only image, which names none',
    [withRole('reference_image'), picture(url())],
    'content[1].role must be named beside content[0] (reference_image), found nothing',
  ],
])('refuses a text with the role of %s', (_, content, message) => {
  const refused = answer(request({ content }))
  expect(refused).toMatchObject({ status: 400, message: `invalid params, ${message} (2013)` })
  expect(refused.rules).toEqual(['f-video-v2.frames-or-references'])
})

test.each([
  [picture(url(), 'reference_video'), 'image media (first_frame or last_frame or reference_image)'],
  [clip(url(), 'first_frame'), 'video media (reference_video)'],
  [sound(url(), 'last_frame'), 'audio media (reference_audio)'],
])('names the roles that a medium may have: %j', (item, roles) =>
  expect(answer(request({ content: [text(), item] })).message).toContain(
    `content[1].role must be a role for ${roles}`,
  ),
)
