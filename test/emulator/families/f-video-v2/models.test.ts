import { expect, test } from 'vitest'
import { answer, clip, picture, request, several, sound, text, url } from './request.js'

const modes: Record<string, unknown[]> = {
  'text-to-video': [text()],
  'image-to-video by its first frame': [text(), picture(url(1), 'first_frame')],
  'image-to-video by first and last frame': [
    text(),
    picture(url(1), 'first_frame'),
    picture(url(2), 'last_frame'),
  ],
  'a reference image': [text(), picture(url(1), 'reference_image')],
  'a reference video': [text(), clip(url(1), 'reference_video')],
  'a reference video without a role': [text(), clip(url(1))],
  'all kinds of reference': [
    text(),
    picture(url(1), 'reference_image'),
    clip(url(2), 'reference_video'),
    sound(url(3), 'reference_audio'),
  ],
}

test.each([
  ['gamma-H3', 'text-to-video', 200],
  ['gamma-H3', 'image-to-video by its first frame', 200],
  ['gamma-H3', 'image-to-video by first and last frame', 200],
  ['gamma-H3', 'a reference image', 200],
  ['gamma-H3', 'a reference video', 200],
  ['gamma-H3', 'a reference video without a role', 200],
  ['gamma-H3', 'all kinds of reference', 200],
  ['gamma-H3-Max', 'text-to-video', 200],
  ['gamma-H3-Max', 'image-to-video by its first frame', 200],
  ['gamma-H3-Max', 'image-to-video by first and last frame', 200],
  ['gamma-H3-Max', 'a reference image', 400],
  ['gamma-H3-Max', 'a reference video', 400],
  ['gamma-H3-Max', 'a reference video without a role', 400],
  ['gamma-H3-Max', 'all kinds of reference', 400],
])('%s with %s is answered %i', (model, mode, status) =>
  expect(answer(request({ model, content: modes[mode] })).status).toBe(status),
)

test.each([
  ['gamma-H3', '480P', 400],
  ['gamma-H3', '768P', 200],
  ['gamma-H3', '2K', 200],
  ['gamma-H3-Max', '480P', 200],
  ['gamma-H3-Max', '768P', 200],
  ['gamma-H3-Max', '2K', 400],
])('%s at %s is answered %i', (model, resolution, status) =>
  expect(answer(request({ model, resolution })).status).toBe(status),
)

test.each([
  ['gamma-H3', 3, 400],
  ['gamma-H3', 4, 200],
  ['gamma-H3', 15, 200],
  ['gamma-H3', 16, 400],
  ['gamma-H3-Max', 4, 400],
  ['gamma-H3-Max', 5, 200],
  ['gamma-H3-Max', undefined, 200],
  ['gamma-H3-Max', 15, 200],
  ['gamma-H3-Max', 16, 400],
])('%s with a duration of %s is answered %i', (model, duration, status) =>
  expect(answer(request({ model, duration })).status).toBe(status),
)

test('says what the model takes instead', () => {
  const max = { model: 'gamma-H3-Max' }
  expect(answer(request({ ...max, resolution: '2K' })).message).toBe(
    'invalid params, resolution must be 480P or 768P for gamma-H3-Max, found "2K" (2013)',
  )
  expect(answer(request({ ...max, duration: 4 })).message).toBe(
    'invalid params, duration must be an integer from 5 to 15 for gamma-H3-Max, found 4 (2013)',
  )
  expect(answer(request({ ...max, content: modes['a reference image'] })).message).toBe(
    'invalid params, content[1].role must be first_frame or last_frame for gamma-H3-Max, found "reference_image" (2013)',
  )
})

test.each([
  [
    'an audio alone',
    [sound(url())],
    'content[1].type must be text or image_url for gamma-H3-Max, found "audio_url"',
  ],
  [
    'a video beside an image without a role',
    [picture(url()), clip(url())],
    'content[2].type must be text or image_url for gamma-H3-Max, found "video_url"',
  ],
  [
    'an audio with the role of a frame',
    [sound(url(), 'first_frame')],
    'content[1].type must be text or image_url for gamma-H3-Max, found "audio_url"',
  ],
  [
    '10 reference images',
    several(10, picture, 'reference_image'),
    'content[1].role must be first_frame or last_frame for gamma-H3-Max, found "reference_image"',
  ],
])('a request with %s for a model without references is refused for that first', (_, media, message) => {
  const refused = answer(request({ model: 'gamma-H3-Max', content: [text(), ...media] }))
  expect(refused.message).toBe(`invalid params, ${message} (2013)`)
  expect(refused.rules[0]).toBe('f-video-v2.model-takes-references')
})
