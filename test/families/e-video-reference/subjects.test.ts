import { expect, test } from 'vitest'
import { referenceVideo } from '../../../src/families/e-video-reference/index.js'
import { subjectImages } from '../../../src/families/e-video-reference/schema.js'
import { create, image, refused, taskOf, video, worldWith } from '../world.js'
import { answer, character, request, url } from './request.js'

test('one string is read as an array of one', () => {
  const { order } = answer(request({ subject_reference: [{ type: 'character', image: url() }] }))
  expect(order).toEqual(answer(request()).order)
})

test('images are named by their place in the body', () => {
  const body = request({
    subject_reference: [character(url(1), url(2)), { type: 'character', image: url(3) }],
  })
  expect(subjectImages(referenceVideo.schema.parse(body))).toEqual([
    { field: 'subject_reference[0].image[0]', url: url(1), wants: 'image', subject: 1 },
    { field: 'subject_reference[0].image[1]', url: url(2), wants: 'image', subject: 1 },
    { field: 'subject_reference[1].image', url: url(3), wants: 'image', subject: 2 },
  ])
})

test.each(['https://media.test/1', 'http://media.test/1', 'asset://asset-1', 'data:image/png;base64,AAAA'])(
  'takes an image written as %s',
  (address) => expect(answer(request({ subject_reference: [character(address)] })).status).toBe(200),
)

test.each(['ftp://media.test/1', 'picture.png', 'asset-1', 'asset://'])(
  'refuses an image written as %s',
  (address) => {
    expect(answer(request({ subject_reference: [character(url(), address)] }))).toMatchObject({
      status: 400,
      code: 'invalid_request',
      rules: ['e-video-reference.media-form'],
      message: expect.stringMatching(/^subject_reference\[0\]\.image\[1\] must be /),
    })
  },
)

test('the setting requireAssets is about B and C alone', () => {
  expect(answer(request(), worldWith({ settings: { requireAssets: true } })).status).toBe(200)
})

test.each(['asset', 'unreachable', 'unreadable', 'too-large'] as const)(
  'images that cannot be had (%s) are refused',
  (reason) => {
    expect(answer(request(), worldWith({ found: { [url()]: refused(reason) } }))).toMatchObject({
      status: 400,
      code: 'invalid_request',
      rules: ['e-video-reference.media-can-be-had'],
    })
  },
)

test('a subject is shown by images alone', () => {
  expect(answer(request(), worldWith({ found: { [url()]: video() } }))).toMatchObject({
    status: 400,
    code: 'invalid_request',
    rules: ['e-video-reference.media-kind'],
  })
})

test('the images of the subjects appear in the video, each under its subject', () => {
  const world = worldWith({ found: { [url(1)]: image(), [url(3)]: image({ format: 'jpeg' }) } })
  const body = request({ subject_reference: [character(url(1), url(2)), character(url(3))] })
  const task = taskOf(create(referenceVideo, body, world), world)
  expect(task.life.at(-1)?.value).toMatchObject({
    media: [
      {
        kind: 'video',
        references: [
          { kind: 'image', label: 'character 1 image.png', blob: expect.any(String) },
          { kind: 'image', label: 'character 1 elsewhere', blob: null },
          { kind: 'image', label: 'character 2 image.jpeg', blob: expect.any(String) },
        ],
      },
    ],
  })
})
