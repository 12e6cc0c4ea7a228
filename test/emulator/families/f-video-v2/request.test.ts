import { expect, test } from 'vitest'
import { videoV2 } from '../../../../src/emulator/families/f-video-v2/index.js'
import { contextWith, create, taskOf } from '../context.js'
import { answer, clip, picture, request, text, url } from './request.js'

const most = 7_000

test.each([
  ['nothing but model and text', { duration: undefined }],
  ['each field that the specification names', { resolution: '2K', duration: 15, ratio: '9:16' }],
  ['a callback address', { callback_url: 'http://127.0.0.1:9/hook' }],
  ['the shortest video', { duration: 4 }],
  ['the longest video', { duration: 15 }],
  ['adaptive with text alone', { ratio: 'adaptive' }],
  ['two texts', { content: [text('one'), text('two')] }],
  ['an empty text beside one that is not', { content: [text(''), text('two')] }],
  ['a text of 7000 characters', { content: [text('x'.repeat(most))] }],
  ['a text of 7000 characters of two places each', { content: [text('𠮷'.repeat(most))] }],
  ['a picture as Base64', { content: [text(), picture('data:image/png;base64,iVBORw0KGgo=')] }],
  ['a picture as a public URL', { content: [text(), picture('https://media.test/a.png')] }],
  ['a picture as an asset', { content: [text(), picture('asset://asset-20260101000000-abcde')] }],
])('accepts %s', (_, change) => expect(answer(request(change))).toMatchObject({ status: 200 }))

test.each(['adaptive', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16'])('accepts the ratio %s', (ratio) =>
  expect(answer(request({ ratio })).status).toBe(200),
)

test.each([
  ['no content', { content: undefined }, 'content'],
  ['an empty content', { content: [] }, 'content'],
  ['no text', { content: [picture(url())] }, 'content'],
  ['an empty text', { content: [text('')] }, 'content[0].text'],
  ['a text of blanks', { content: [picture(url()), text(' \n ')] }, 'content[1].text'],
  ['a text of 7001 characters', { content: [text('x'.repeat(most + 1))] }, 'content[0].text'],
  [
    'a text of 7001 characters of two places each',
    { content: [text('𠮷'.repeat(most + 1))] },
    'content[0].text',
  ],
  ['texts of 7001 characters in all', { content: [text('x'.repeat(most - 1)), text('y')] }, 'content'],
  ['a text of 7000 characters and another', { content: [text('x'.repeat(most)), text('y')] }, 'content'],
  [
    'a second text of 7001 characters',
    { content: [text('y'), text('x'.repeat(most + 1))] },
    'content[1].text',
  ],
  ['a role of a text that there is not', { content: [{ ...text(), role: 'style' }] }, 'content[0].role'],
  ['a text item without text', { content: [{ type: 'text' }] }, 'content[0].text'],
  ['an item of another type', { content: [text(), { type: 'file_url' }] }, 'content[1].type'],
  ['an item without type', { content: [{ text: 'a boat' }] }, 'content[0].type'],
  ['a picture without address', { content: [text(), { type: 'image_url' }] }, 'content[1].image_url'],
  ['an empty address', { content: [text(), picture('')] }, 'content[1].image_url.url'],
  ['a path as address', { content: [text(), picture('/tmp/a.png')] }, 'content[1].image_url.url'],
  ['another scheme', { content: [text(), clip('ftp://media.test/a')] }, 'content[1].video_url.url'],
  ['an asset without id', { content: [text(), picture('asset://')] }, 'content[1].image_url.url'],
  ['data that is not Base64', { content: [text(), clip('data:video/mp4,abc')] }, 'content[1].video_url.url'],
  ['a role that there is not', { content: [text(), picture(url(), 'middle_frame')] }, 'content[1].role'],
  ['3 seconds', { duration: 3 }, 'duration'],
  ['16 seconds', { duration: 16 }, 'duration'],
  ['half seconds', { duration: 5.5 }, 'duration'],
  ['a duration as text', { duration: '5' }, 'duration'],
  ['a duration for the service to choose', { duration: -1 }, 'duration'],
  ['a resolution in small letters', { resolution: '768p' }, 'resolution'],
  ['a resolution of other families', { resolution: '720P' }, 'resolution'],
  ['a ratio that is not listed', { ratio: '2:1' }, 'ratio'],
  ['a callback address that is none', { callback_url: 'hooks' }, 'callback_url'],
  ['a callback address before a blank', { callback_url: 'http://hooks.test ' }, 'callback_url'],
  ['a callback address without a host', { callback_url: 'http:///hooks' }, 'callback_url'],
  ['a callback address of another scheme', { callback_url: 'ftp://hooks.test/' }, 'callback_url'],
  ['no model', { model: undefined }, 'model'],
])('refuses %s as a parameter, by name', (_, change, field) => {
  const { status, message } = answer(request(change))
  expect(status).toBe(400)
  expect(message).toContain(`invalid params, ${field} `)
  expect(message).toMatch(/\(2013\)$/)
})

test.each([
  [
    'no text',
    [picture(url())],
    'content must be a list with a text item that is not empty, found no text item',
  ],
  ['an empty text', [text('')], 'content[0].text must be a text that is not empty, found ""'],
])('says what must be there in the place of %s', (_, content, sentence) =>
  expect(answer(request({ content })).message).toBe(`invalid params, ${sentence} (2013)`),
)

test('says of texts that are too long together that they are joined', () =>
  expect(answer(request({ content: [text('x'.repeat(3_500)), text('y'.repeat(3_500))] })).message).toBe(
    'invalid params, content must have at most 7000 characters of text in all, its 2 text items joined by line breaks, found 7001 (2013)',
  ))

test('says which resolutions each model has', () =>
  expect(answer(request({ resolution: '720P' })).message).toBe(
    'invalid params, resolution must be 768P or 2K, for gamma-H3-Max 480P or 768P, found "720P" (2013)',
  ))

test('says that a model does not exist', () => {
  expect(answer(request({ model: 'gamma-H2' }))).toMatchObject({
    status: 400,
    message:
      'invalid params, the model does not exist: model must be one of gamma-H3, gamma-H3-Max, found "gamma-H2" (2013)',
  })
})

test('fills in what a request leaves out', () => {
  const context = contextWith()
  const made = create(videoV2, { model: 'gamma-H3', content: [text()] }, context)
  expect(taskOf(made, context).params).toMatchObject({ resolution: '768P', duration: 5, ratio: '16:9' })
})

test('joins several texts by line breaks', () => {
  const context = contextWith()
  const made = create(videoV2, request({ content: [text('one'), text('two')] }), context)
  expect(taskOf(made, context).params).toMatchObject({ prompt: 'one\ntwo' })
})

test('ignores fields that the interface does not know, and says so', () => {
  const made = create(videoV2, request({ colour: 'blue' }), contextWith())
  expect(made.reply.status).toBe(200)
  expect(made.meta.ignored).toEqual(['colour'])
})

test('refuses fields that the interface does not know where the setting strict is on', () => {
  const context = contextWith({ settings: { strict: true } })
  expect(answer(request({ colour: 'blue' }), context)).toMatchObject({ status: 400 })
})

test('names an unknown field as it was written', () => {
  expect(answer(request({ Duration: 5 }), contextWith({ settings: { strict: true } })).message).toBe(
    'invalid params, Duration is not a field of this interface, and the setting strict is on (2013)',
  )
})

test('says in one sentence that a body is no object', () =>
  expect(answer(null).message).toBe('invalid params, the request body must be an object, found null (2013)'))

test('requires a duration where the setting strict is on', () => {
  const strict = () => contextWith({ settings: { strict: true } })
  expect(answer(request({ duration: undefined }), strict())).toMatchObject({
    status: 400,
    message: 'invalid params, duration is required: an integer from 4 to 15 (2013)',
  })
  expect(answer(request({ model: 'gamma-H3-Max', duration: undefined }), strict()).message).toBe(
    'invalid params, duration is required: an integer from 5 to 15 (2013)',
  )
  expect(answer(request({ duration: 5 }), strict()).status).toBe(200)
})
