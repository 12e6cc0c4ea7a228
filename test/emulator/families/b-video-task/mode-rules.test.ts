import { expect, test } from 'vitest'
import { clip, make, picture, sound, text, withContent } from './requests.js'

const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

// Which media may stand together (§C generation modes, gap B9).
test.each([
  ['text', [text()]],
  ['first frame', [text(), picture('first_frame')]],
  ['an only image without role', [text(), picture()]],
  ['first and last frame', [text(), picture('first_frame'), picture('last_frame')]],
  ['last before first', [picture('last_frame'), picture('first_frame')]],
  ['1 reference image', [text(), picture('reference_image')]],
  ['9 reference images', [text(), ...times(9, picture('reference_image'))]],
  ['3 reference videos', [text(), ...times(3, clip('reference_video'))]],
  ['a video without role', [text(), clip()]],
  [
    '3 reference audios beside an image',
    [text(), picture('reference_image'), ...times(3, sound('reference_audio'))],
  ],
  ['an audio without role beside a video', [clip(), sound()]],
  [
    'the most of everything',
    [text(), ...times(9, picture('reference_image')), ...times(3, clip()), ...times(3, sound())],
  ],
])('accepts %s', (_, content) => expect(make(withContent(...content)).reply.status).toBe(200))

test.each<[string, unknown[], string, string]>([
  ['2 first frames', times(2, picture('first_frame')), 'content[1]', 'role-counts'],
  [
    '2 last frames',
    [picture('first_frame'), ...times(2, picture('last_frame'))],
    'content[2]',
    'role-counts',
  ],
  ['10 reference images', times(10, picture('reference_image')), 'content[9]', 'role-counts'],
  ['4 reference videos', times(4, clip('reference_video')), 'content[3]', 'role-counts'],
  ['4 reference audios', [clip(), ...times(4, sound('reference_audio'))], 'content[4]', 'role-counts'],
  ['a last frame alone', [text(), picture('last_frame')], 'content[1].role', 'last-frame-needs-first'],
  [
    'a last frame with references',
    [picture('reference_image'), picture('last_frame')],
    'content[0].role',
    'frames-or-references',
  ],
  [
    'a first frame with a reference image',
    [picture('first_frame'), picture('reference_image')],
    'content[1].role',
    'frames-or-references',
  ],
  [
    'a first frame with a reference video',
    [picture('first_frame'), clip('reference_video')],
    'content[1].role',
    'frames-or-references',
  ],
  [
    'a first frame with an audio',
    [picture('first_frame'), sound('reference_audio')],
    'content[1].role',
    'frames-or-references',
  ],
  [
    'an only image without role beside a video',
    [picture(), clip()],
    'content[0].role',
    'frames-or-references',
  ],
  ['2 images without role', times(2, picture()), 'content[0].role', 'every-image-has-a-role'],
  [
    'an image without role beside a last frame',
    [picture(), picture('last_frame')],
    'content[0].role',
    'every-image-has-a-role',
  ],
  [
    'an image without role beside a reference image',
    [picture('reference_image'), picture()],
    'content[1].role',
    'every-image-has-a-role',
  ],
  ['audio alone', [sound('reference_audio')], 'content[0]', 'audio-is-not-alone'],
  ['text with audio', [text(), sound()], 'content[1]', 'audio-is-not-alone'],
  ['an image as a reference video', [picture('reference_video')], 'content[0].role', 'role-fits-kind'],
  ['an image as a reference audio', [picture('reference_audio')], 'content[0].role', 'role-fits-kind'],
  ['a video as a first frame', [clip('first_frame')], 'content[0].role', 'role-fits-kind'],
  ['a video as a reference image', [clip('reference_image')], 'content[0].role', 'role-fits-kind'],
  ['an audio as a reference video', [clip(), sound('reference_video')], 'content[1].role', 'role-fits-kind'],
])('refuses %s', (_, content, field, rule) => {
  const { reply, meta: notes } = make(withContent(...content))
  expect(reply).toMatchObject({
    status: 400,
    body: {
      error: {
        code: 'InvalidParameter',
        param: field,
        message: expect.stringContaining(`${field} must be `),
      },
    },
  })
  expect(notes.refusedBy[0]?.rule).toBe(`b-video-task.${rule}`)
})

test.each([
  [
    'an image without role beside a reference, which is what lacks a word',
    [picture(), clip()],
    'content[0].role must be named beside content[1] (reference_video), found nothing',
  ],
  [
    'one too many, and how many there are',
    [picture('first_frame'), picture('first_frame'), picture('first_frame')],
    'content[1] must be left out: at most 1 of role first_frame is allowed, found 3',
  ],
  [
    'one too many of a role that may be there several times',
    Array.from({ length: 10 }, () => picture('reference_image')),
    'content[9] must be left out: at most 9 of role reference_image are allowed, found 10',
  ],
])('says of %s', (_, content, words) => {
  const { meta: notes } = make(withContent(...content))
  expect(notes.refusedBy[0]?.message).toBe(words)
})

test('with the setting allowAudioOnly audio may stand alone', () => {
  const settings = { allowAudioOnly: true }
  expect(make(withContent(text(), sound()), { settings }).reply.status).toBe(200)
  expect(make(withContent(sound('reference_audio')), { settings }).reply.status).toBe(200)
})
