import { describe, expect, test, vi } from 'vitest'
import { EmulatorError } from '../../src/emulator/core/errors.js'
import { bodies, openInProcess, paths } from '../emulator.js'
import { newFolder } from '../folder.js'

const created = async ({ as }: ReturnType<typeof openInProcess>, key: string, path: string, body: object) =>
  (await as(key).post(path, body)).body.id as string

const small = bodies.task({ resolution: '480p', duration: 4 })
const reference = {
  model: 'beta2.7-r2v',
  subject_reference: [{ type: 'character', image: ['https://elsewhere.example.test/x.png'] }],
  seconds: '2',
  size: '720P',
}

describe('polling for the bytes of a video on an on-poll clock', () => {
  const renderer = openInProcess({ clock: 'on-poll' })

  test.each([
    ['B', paths.tasks, small, ['is running', 200, 200]],
    ['E', '/v1/videos', reference, ['is queued', 'is running', 200]],
  ])('of %s gets to its end', async (_, path, body, expected) => {
    const id = await created(renderer, path, path, body)
    const polls: unknown[] = []
    for (let poll = 0; poll < 3; poll += 1) {
      const answer = await renderer.as(path).get(`/v1/videos/${id}/content`)
      polls.push(answer.status === 200 ? 200 : /is \w+/.exec(answer.body.message)?.[0])
    }
    expect(polls).toEqual(expected)
  })

  test('of another account moves nothing', async () => {
    const id = await created(renderer, 'owner', paths.tasks, small)
    expect((await renderer.as('stranger').get(`/v1/videos/${id}/content`)).status).toBe(404)
    expect((await renderer.as('owner').tasks.get(id)).status).toBe('queued')
  })
})

test('on a paused clock it moves nothing', async () => {
  const renderer = openInProcess()
  const id = await created(renderer, 'k', paths.tasks, small)
  for (let poll = 0; poll < 3; poll += 1)
    expect((await renderer.as('k').get(`/v1/videos/${id}/content`)).body.message).toContain('is queued')
})

describe('a video that cannot be drawn', () => {
  // In a folder of its own: what has been drawn before needs no ffmpeg.
  const openBroken = async () =>
    openInProcess({ timing: 'instant', ffmpeg: '/nowhere/ffmpeg', mediaFolder: newFolder() })

  test('is said in the shape of C, with its cause and the id of the request', async () => {
    const broken = await openBroken()
    const id = await created(broken, 'k', paths.tasks, small)
    const { status, body, headers } = await broken.as('k').get(`/v1/videos/${id}/content`)
    expect([status, body.code, body.error.code]).toEqual([500, 'internal_error', 'internal_error'])
    expect(body.message).toContain('/nowhere/ffmpeg')
    expect(body.error).toEqual({
      message: body.message,
      type: expect.any(String),
      code: 'internal_error',
      param: null,
    })
    expect(headers['content-type']).toContain('application/json')
    expect(headers.etag).toBeUndefined()
    const entry = await broken.as('k').requests.get(headers['x-request-id'] as string)
    expect([entry.status, entry.answer]).toEqual([500, body])
  })

  test('is said so where a scenario changes the file, and stands so in the journal', async () => {
    const broken = await openBroken()
    await broken.as('k').scenario.play({
      name: 'by-a-proxy',
      description: 'A proxy adds a header.',
      steps: [
        { when: { operation: 'c-video.content' }, then: { answer: { headers: { 'X-Proxy': 'yes' } } } },
      ],
    })
    const id = await created(broken, 'k', paths.tasks, small)
    const { status, body, headers } = await broken.as('k').get(`/v1/videos/${id}/content`)
    expect([status, body.code]).toEqual([500, 'internal_error'])
    expect(body.message).toContain('/nowhere/ffmpeg')
    const entry = await broken.as('k').requests.get(headers['x-request-id'] as string)
    expect([entry.status, entry.answer]).toEqual([500, body])
  })

  test.each([
    ['renders-full', '1'],
    ['render-timeout', undefined],
  ] as const)('for %s it may be asked for again after %s seconds', async (code, seconds) => {
    const renderer = openInProcess({ timing: 'instant' })
    const id = await created(renderer, 'k', paths.tasks, small)
    const cause = new EmulatorError('There are too many.', { code, hint: 'Raise a setting.' })
    vi.spyOn(renderer.emulator.renderer, 'open').mockRejectedValue(cause)
    const { status, body, headers } = await renderer.as('k').get(`/v1/videos/${id}/content`)
    expect([status, body.code, headers['retry-after']]).toEqual([500, 'internal_error', seconds])
    expect(body.message).toBe('There are too many. Raise a setting.')
  })

  test.each([
    ['renders-full', 503, '1'],
    ['render-timeout', 500, undefined],
  ] as const)(
    'its download for %s is %i, which may be asked for again after %s seconds',
    async (code, ...expected) => {
      const renderer = openInProcess({ timing: 'instant' })
      const id = await created(renderer, 'k', paths.tasks, small)
      const { content } = (await renderer.as('k').get(`${paths.tasks}/${id}`)).body
      const cause = new EmulatorError('There are too many.', { code, hint: 'Raise a setting.' })
      vi.spyOn(renderer.emulator.renderer, 'open').mockRejectedValue(cause)
      const { pathname, search } = new URL(content.video_url)
      const { status, headers } = await renderer.agent.get(pathname + search)
      expect([status, headers['retry-after']]).toEqual(expected)
    },
  )

  test('its download is of no family, and says it in the words of the emulator', async () => {
    const broken = await openBroken()
    const id = await created(broken, 'k', paths.tasks, small)
    const { content } = (await broken.as('k').get(`${paths.tasks}/${id}`)).body
    const { pathname, search } = new URL(content.video_url)
    const { status, body } = await broken.agent.get(pathname + search)
    expect([status, body.error.code]).toEqual([500, 'ffmpeg-unusable'])
  })
})

test('a HEAD is answered as a GET, without the body', async () => {
  const renderer = openInProcess({ timing: 'instant' })
  const id = await created(renderer, 'k', paths.tasks, small)
  for (const path of [`/v1/videos/${id}/content`, `${paths.tasks}/${id}`, paths.tasks]) {
    const { status, headers, text } = await renderer.agent.head(path).set('Authorization', 'Bearer k')
    expect([status, Number(headers['content-length']) > 0, text ?? '']).toEqual([200, true, ''])
  }
})

test('content that the caller has already is 304', async () => {
  const renderer = openInProcess({ timing: 'instant' })
  const id = await created(renderer, 'k', paths.tasks, small)
  const ask = (headers: Record<string, string> = {}) =>
    renderer.as('k').get(`/v1/videos/${id}/content`).set(headers)
  const etag = String((await ask()).headers.etag)
  expect((await ask({ 'If-None-Match': etag, 'Cache-Control': 'no-cache' })).status).toBe(304)
  expect((await ask({ 'If-None-Match': '"another"', 'Cache-Control': 'no-cache' })).status).toBe(200)
})
