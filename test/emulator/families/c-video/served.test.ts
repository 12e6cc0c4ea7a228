import { once } from 'node:events'
import { expect, test } from 'vitest'
import { openInProcess } from '../../../emulator.js'
import { request } from './request.js'

const { as, agent, emulator } = openInProcess()

const finished = async (key: string): Promise<string> => {
  const { body } = await as(key).post('/v1/videos', request({ size: '480p', seconds: '4' }))
  await as(key).clock.advance({ to: 'idle' })
  return body.id
}

test('the content of a finished task is the video that its URL leads to', async () => {
  const id = await finished('whole')
  const content = await as('whole').get(`/v1/videos/${id}/content`).buffer(true)
  expect(content.status).toBe(200)
  expect(content.headers).toMatchObject({
    'content-type': 'video/mp4',
    'content-length': String(content.body.length),
    'x-request-id': expect.any(String),
  })
  const { body } = await as('whole').get(`/v1/videos/${id}`)
  const { pathname, search } = new URL(body.url)
  const result = await agent.get(pathname + search).buffer(true)
  expect(result.headers.etag).toBe(content.headers.etag)
  expect(result.body.equals(content.body)).toBe(true)
})

test('the journal keeps the status that content went out with', async () => {
  const id = await finished('range')
  // The entry is written once the last byte has gone out, which can be after it has come in here.
  const recorded = once(emulator.events, 'request')
  const part = await as('range').get(`/v1/videos/${id}/content`).set('Range', 'bytes=4-7')
  expect(part.status).toBe(206)
  expect(part.body.toString('latin1')).toBe('ftyp')
  expect(await recorded).toMatchObject([{ operation: 'c-video.content', status: 206, task: id }])
})

const head = (key: string, id: string) =>
  agent.head(`/v1/videos/${id}/content`).set('Authorization', `Bearer ${key}`).buffer(true)

test('HEAD of the content of a finished task is its headers without its bytes', async () => {
  const id = await finished('head')
  const whole = await as('head').get(`/v1/videos/${id}/content`).buffer(true)
  const { status, headers, text } = await head('head', id)
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'video/mp4',
    'content-length': String(whole.body.length),
    etag: whole.headers.etag,
    'x-request-id': expect.any(String),
  })
  expect(text).toBeUndefined()
})

test('HEAD of the content before the end is the refusal without its body', async () => {
  const { body } = await as('head-early').post('/v1/videos', request())
  const refusal = await as('head-early').get(`/v1/videos/${body.id}/content`)
  const { status, headers, text } = await head('head-early', body.id)
  expect(status).toBe(400)
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(headers['content-length']).toBe(refusal.headers['content-length'])
  expect(text).toBeUndefined()
})

test('HEAD of the content of an unknown task is 404, without a key 401', async () => {
  expect((await head('head-none', 'cgt-none')).status).toBe(404)
  expect((await agent.head('/v1/videos/cgt-none/content')).status).toBe(401)
})

test('before the end there is no content but a refusal', async () => {
  const { body } = await as('early').post('/v1/videos', request())
  const { status, body: refusal } = await as('early').get(`/v1/videos/${body.id}/content`)
  expect(status).toBe(400)
  expect(refusal).toMatchObject({ code: 'invalid_request', data: null })
})

test('a form is refused with 415 and told to be JSON', async () => {
  const { status, body } = await agent
    .post('/v1/videos')
    .set('Authorization', 'Bearer form')
    .field('model', 'videoa-2-0-260128')
  expect(status).toBe(415)
  expect(body).toMatchObject({
    code: 'unsupported_media_type',
    message: expect.stringMatching(/^The request body must be JSON \(application\/json\), found multipart/),
  })
})
