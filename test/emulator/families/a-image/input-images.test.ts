import { expect, test } from 'vitest'
import type { ImageFormat } from '../../../../src/emulator/core/media/input.js'
import { audio, image, refused, unseen, video } from '../context.js'
import { anImage, aText, edit, generate, request } from './requests.js'

const FIELD = 'input.messages[0].content[0].image'
const editOf = (found: ReturnType<typeof image>, url = anImage) =>
  generate(request({}, [{ image: url }, ...aText]), { resolvedMedia: { [url]: found } })

test.each<ImageFormat>(['jpeg', 'png', 'bmp', 'tiff', 'webp', 'gif'])('takes %s', (format) =>
  expect(editOf(image({ format })).reply.status).toBe(200),
)

test.each<ImageFormat>(['heic', 'heif', 'avif'])('refuses %s', (format) =>
  expect(editOf(image({ format })).reply).toMatchObject({
    status: 400,
    body: {
      code: 'InvalidParameter',
      message: expect.stringContaining(`${FIELD} must be JPG, JPEG, PNG, BMP, TIFF, WEBP or GIF`),
    },
  }),
)

test.each([
  ['10 MB', 10 * 2 ** 20, 200],
  ['a byte more', 10 * 2 ** 20 + 1, 400],
])('an image of %s', (_, bytes, status) => {
  const { reply } = editOf(image({ bytes }))
  expect(reply.status).toBe(status)
  if (status === 400)
    expect(reply.body).toMatchObject({
      code: 'InvalidParameter',
      message: expect.stringContaining(`${FIELD} must be at most 10 MB`),
    })
})

test.each([
  ['a video', video(), 'a video (mp4)'],
  ['a sound', audio(), 'audio (mp3)'],
])('refuses %s where an image should be', (_, found, name) => {
  const { reply, meta: notes } = editOf(found)
  expect(reply).toMatchObject({ status: 400, body: { code: 'InvalidParameter' } })
  expect(reply.body).toMatchObject({ message: expect.stringContaining(`${FIELD} must be an image`) })
  expect(notes.refusedBy).toMatchObject([{ rule: 'a-image.media-kind', found: name }])
})

test.each([
  ['there is nothing', 'InvalidURL', refused('unreachable', 'the server answered 404')],
  ['the bytes are no image', 'InvalidParameter', refused('unreadable', 'the file is text')],
  ['the bytes are too many to be read', 'InvalidParameter', refused('too-large', 'it has more than 64 MB')],
])('where %s, the code is %s', (_, code, found) => {
  const { reply } = editOf(found)
  expect(reply).toMatchObject({ status: 400, body: { code } })
  expect(reply.body).toMatchObject({
    message: expect.stringContaining(`${FIELD} cannot be used: ${(found as { detail: string }).detail}`),
  })
})

test.each([
  'http://pictures.test/a.png',
  'https://pictures.test/a.png?x=1',
  'HTTPS://pictures.test/a.png',
  'http://127.0.0.1:4650/_backlot/fixtures/first-frame.png',
  'data:image/png;base64,iVBORw0KGgo=',
  'data:image/svg+xml;charset=utf-8;base64,PHN2Zz4=',
])('takes the form %s', (url) => expect(editOf(image(), url).reply.status).toBe(200))

test.each([
  ['an asset', 'asset://asset-20260101000000-abcde'],
  ['another protocol', 'ftp://pictures.test/a.png'],
  ['a file', 'file:///etc/passwd'],
  ['no protocol', 'pictures.test/a.png'],
  ['a path', '/a.png'],
  ['no host', 'http://'],
  ['half a host', 'http://['],
  ['a host of two words', 'https://two words.test/a.png'],
  ['a data URL that is not Base64', 'data:image/png,plain'],
  ['a data URL without data', 'data:image/png;base64'],
  ['Base64 alone', 'iVBORw0KGgo='],
  ['a data URL of nothing but parameters', `data:${';a'.repeat(4_000_000)}`],
])('refuses %s', (_, url) => {
  const { reply, meta: notes } = editOf(refused('form'), url)
  expect(reply).toMatchObject({
    status: 400,
    body: {
      code: 'InvalidParameter',
      message: expect.stringContaining(`${FIELD} must be a public HTTP or HTTPS URL, or Base64`),
    },
  })
  expect(notes.refusedBy[0]?.rule).toBe('a-image.media-form')
})

test.each([
  ['384x384', { width: 384, height: 384 }, 0],
  ['2048x2048', { width: 2048, height: 2048 }, 0],
  ['383x384', { width: 383, height: 384 }, 1],
  ['2048x2049', { width: 2048, height: 2049 }, 1],
])('an image of %s is taken, and remarked when it is outside the recommendation', (_, sides, warnings) => {
  const { reply, meta: notes } = editOf(image(sides))
  expect(reply.status).toBe(200)
  expect(notes.warnings).toHaveLength(warnings)
})

test('an image on a host that is not read is taken, and the journal says so', () => {
  const { reply, meta: notes } = editOf(unseen())
  expect(reply.status).toBe(200)
  expect(notes.warnings).toEqual([
    `${FIELD} was not read, so no rule on its facts was applied (setting fetchMedia)`,
  ])
})

test('the second of several images is named where it is the one that is refused', () => {
  const body = request({}, [{ image: anImage }, { image: `${anImage}?2` }, ...aText])
  const { reply } = generate(body, {
    resolvedMedia: { [anImage]: image(), [`${anImage}?2`]: image({ format: 'avif' }) },
  })
  expect(reply.body).toMatchObject({ message: expect.stringContaining('input.messages[0].content[1].image') })
})

test('the images of a body are to be had before it is decided, in their order', () => {
  const { changes } = generate(edit(), { resolvedMedia: { [anImage]: image() } })
  expect(changes).toContainEqual({
    putTask: expect.objectContaining({
      params: expect.objectContaining({
        inputs: [{ kind: 'image', blob: 'b'.repeat(64), label: 'image 1 image.png' }],
      }),
    }),
  })
})
