import { expect, test } from 'vitest'
import { bodies, localPart, openInProcess, paths } from '../emulator.js'

const { as, agent } = openInProcess()

const text = { type: 'text', text: 'a lighthouse' }
const square = 'http://127.0.0.1/_backlot/fixtures/square.png'

/** What each interface to videos is asked, and where its tasks are read and cancelled. */
const interfaces = {
  B: { create: paths.tasks, body: bodies.task(), at: (id: string) => `${paths.tasks}/${id}` },
  C: {
    create: '/v1/videos',
    body: { model: 'videoa-2-0-260128', media: [text] },
    at: (id: string) => `/v1/videos/${id}`,
  },
  E: {
    create: '/v1/videos',
    body: { model: 'beta2.7-r2v', subject_reference: [{ type: 'character', image: [square] }] },
    at: (id: string) => `/v1/videos/${id}`,
  },
  F: {
    create: '/provC/v2/video_generation',
    body: { model: 'gamma-H3', content: [text], duration: 5 },
    at: (id: string) => `/provC/v2/query/video_generation/${id}`,
  },
} as const
type Interface = keyof typeof interfaces

const made = async (letter: Interface, key: string, change: object = {}) => {
  const { create, body, at } = interfaces[letter]
  const account = as(key)
  const { body: created } = await account.post(create, { ...body, ...change })
  const id: string = created.task_id ?? created.id
  return { account, id, read: async () => (await account.get(at(id))).body }
}

test.each([
  ['B', ['queued', 'running', 'succeeded']],
  ['C', ['queued', 'running', 'succeeded']],
  ['E', ['pending', 'queued', 'running', 'succeeded']],
  ['F', ['queued', 'running', 'succeeded']],
] as const)(
  'a task of %s goes through its statuses, and shows no video before the end',
  async (letter, words) => {
    const { account, read } = await made(letter, `life-${letter}`)
    const seen: string[] = []
    for (const word of words) {
      const task = await read()
      seen.push(task.status)
      expect(task.content !== undefined).toBe(word === 'succeeded')
      await account.clock.advance({ to: 'next' })
    }
    expect(seen).toEqual(words)
  },
)

test.each([
  ['B', 'InternalServiceError', { code: 'InternalServiceError' }],
  ['C', 'OutputVideoSensitiveContentDetected', { code: 'OutputVideoSensitiveContentDetected' }],
  ['E', 'internal_error', { code: 'internal_error' }],
  ['F', 'unprocessable_entity_error', { code: '1026' }],
] as const)('a task of %s fails, and says why', async (letter, error, shown) => {
  const { account, id, read } = await made(letter, `failure-${letter}`)
  await account.clock.advance({ to: 'next' })
  await account.patch(`/_backlot/tasks/${id}`, { status: 'failed', error })
  expect(await read()).toMatchObject({ status: 'failed', error: { ...shown, message: expect.any(String) } })
})

test.each(['B', 'C'] as const)('a task of %s that is held too long expires', async (letter) => {
  const { account, id, read } = await made(letter, `expiry-${letter}`)
  await account.patch(`/_backlot/tasks/${id}`, { status: 'running' })
  await account.clock.advance('47h59m59s')
  expect((await read()).status).toBe('running')
  await account.clock.advance('1s')
  expect(await read()).toMatchObject({ status: 'expired', error: { code: 'TaskExpired' } })
})

test.each(['E', 'F'] as const)('a task of %s that is held never expires', async (letter) => {
  const { account, id, read } = await made(letter, `hold-${letter}`)
  await account.patch(`/_backlot/tasks/${id}`, { status: 'running' })
  await account.clock.advance('6d')
  expect((await read()).status).toBe('running')
})

test('a task of C is cancelled through B, and is gone from both a day later', async () => {
  const { account, id, read } = await made('C', 'cancel-c')
  expect((await account.delete(interfaces.B.at(id))).body).toEqual({})
  expect((await read()).status).toBe('cancelled')
  await account.clock.advance('23h59m59s')
  expect((await read()).status).toBe('cancelled')
  await account.clock.advance('1s')
  expect((await read()).code).toBe('task_not_exist')
  expect((await account.get(interfaces.B.at(id))).status).toBe(404)
})

test('a task of F is cancelled while it is queued, and not any more once it runs', async () => {
  const { account, id, read } = await made('F', 'cancel-f')
  const cancelled = await account.delete(`/provC/v2/video_generation/${id}`)
  expect(cancelled.body).toEqual({ task_id: id, action: 'cancelled', status: 'cancelled' })
  expect((await read()).status).toBe('cancelled')
  const running = await made('F', 'cancel-f')
  await account.clock.advance({ to: 'next' })
  expect((await account.delete(`/provC/v2/video_generation/${running.id}`)).status).toBe(400)
})

test.each(['B', 'C', 'E', 'F'] as const)(
  'a task of %s can be asked for on seven days, by its account alone',
  async (letter) => {
    const { account, id, read } = await made(letter, `week-${letter}`)
    expect((await as('somebody-else').get(interfaces[letter].at(id))).status).toBe(letter === 'F' ? 400 : 404)
    await account.clock.advance('7d')
    expect((await read()).status).toBe('succeeded')
    await account.clock.advance('1ms')
    expect((await account.get(interfaces[letter].at(id))).status).toBe(letter === 'F' ? 400 : 404)
  },
)

test('fifteen days later the URL of a video refuses', async () => {
  const { account, read } = await made('B', 'fortnight')
  await account.clock.advance({ to: 'idle' })
  const url = localPart((await read()).content.video_url)
  await account.clock.advance('15d')
  const { status, text: xml } = await agent.get(url)
  expect(status).toBe(403)
  expect(xml).toContain('<Message>Request has expired.</Message>')
})
