import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { clientOf, startOnPort } from '../../emulator.js'

/*
 * One service that differs in every way that a profile can say, as a user would write it down: what each part promises holds beside
 * all the others.
 */

const file = fileURLToPath(new URL('./whole.yaml', import.meta.url))
const tasks = '/ark/api/v3/contents/generations/tasks'
const NEW = 'videoa-2-5-270101'
const text = [{ type: 'text', text: 'a lighthouse' }]

const start = () => startOnPort({ profile: [file], timing: 'realistic', balance: 1_000 })

test('new models are made, priced, listed and refused under other paths', async () => {
  const emulator = await start()
  const { post, get } = emulator
  const made = await post(tasks, {
    model: NEW,
    content: text,
    duration: 20,
    resolution: '1080p',
    ratio: '1:1',
  })
  expect(made.status).toBe(200)
  await emulator.clock.advance('1h')
  const read = await get(`${tasks}/${made.body.id}`)
  expect(read.body).toMatchObject({ status: 'succeeded', model: NEW, resolution: '1080p', duration: 20 })
  expect((await emulator.read()).balance).toBe(990)
  for (const change of [{ duration: 21 }, { ratio: '9:16' }, { resolution: '480p' }])
    expect((await post(tasks, { model: NEW, content: text, ...change })).status).toBe(400)
  const list = await get(`${tasks}?filter.model=${NEW}`)
  expect(list.body).toMatchObject({ total: 1, items: [{ task_id: made.body.id }] })
  expect(list.headers.get('x-request-id')).toBeNull()
  const [listed] = await emulator.requests.list({ operation: 'b-video-task.list' })
  expect((await emulator.requests.explain(listed?.id ?? '')).join()).toMatch(
    /The profile changed the answer: answers\.b-video-task\.list \(.*whole\.yaml:\d+:3\)\./,
  )
  const large = await post('/v2/video_generation', {
    model: 'gamma-H4',
    content: text,
    duration: 30,
    resolution: '4K',
    ratio: '1:1',
  })
  const { timeline } = await emulator.tasks.get(large.body.task_id)
  const [created, started, ended] = timeline.map(({ at }) => Date.parse(at)) as [number, number, number]
  expect([started - created, ended - started]).toEqual([1_000, 90_000])
  expect(
    (await post('/v2/video_generation', { model: 'gamma-H5', content: text, duration: 30 })).status,
  ).toBe(200)
})

test('answers, errors, cases and rules of the service stand side by side', async () => {
  const emulator = await start()
  const { post, get } = emulator
  const made = await post('/api/v1/videos', { model: NEW, media: text, seconds: '18' })
  expect([made.status, made.headers.get('location')]).toEqual([202, '/v1/videos'])
  const { body } = await get(`/v1/videos/${made.body.id}`)
  expect(body).toMatchObject({ status: 'in_queue', vendor: 'acme', usage: { note: `for ${made.body.id}` } })
  expect(body).toHaveProperty('seed_used')
  expect(body).not.toHaveProperty('progress')
  await emulator.tasks.fail(made.body.id, 'quota_gone' as never)
  expect((await get(`/v1/videos/${made.body.id}`)).body.error).toEqual({
    code: 'quota_gone',
    message: 'The quota is used up.',
  })
  await emulator.change({ balance: 0 })
  const broke = await post('/v1/videos', { model: NEW, media: text })
  expect(broke).toMatchObject({ status: 402, body: { code: 'quota_gone', message: 'The quota is used up.' } })
  expect(broke.headers.get('x-refused')).toBe('yes')
  const keyless = await clientOf(emulator.url, undefined).post(tasks, {})
  expect(keyless).toMatchObject({ status: 403, body: { error: { code: 'AccountFrozen' } } })
  const job = await get('/v1/asset/jobs/get-asset-id?task_id=nope')
  expect(job).toMatchObject({ status: 404, body: { failure: { message: 'task not found' } } })
  expect([job.headers.get('x-failed'), job.headers.get('x-refused')]).toEqual(['true', 'yes'])
  expect(await get('/provB/api/v3/contents/generations/tasks')).toMatchObject({
    status: 410,
    body: { gone: true },
  })
  const frozen = await emulator
    .fail('b-video-task.list', { error: 'SetLimitExceeded', times: 1 })
    .then(() => get(tasks))
  expect(frozen.status).toBe(409)
})

test('limits are announced and met, and tasks take the times of the profile', async () => {
  const emulator = await start()
  const left: (string | null)[] = []
  for (let count = 0; count < 7; count += 1) {
    const { headers } = await emulator.post(tasks, { model: 'videoa-2-0-260128', content: text, duration: 4 })
    left.push(headers.get('x-ratelimit-remaining'))
    expect([headers.get('x-ratelimit-limit'), headers.get('ratelimit-reset')]).toEqual(['6', '60'])
  }
  expect(left).toEqual(['5', '4', '3', '2', '1', '0', '0'])
  const spans: number[] = []
  for (let account = 0; account < 50; account += 1) {
    const other = emulator.as(`account-${account}`)
    for (let count = 0; count < 4; count += 1) {
      const { body } = await other.post(tasks, {
        model: 'videoa-2-0-260128',
        content: text,
        resolution: '480p',
      })
      const { timeline } = await other.tasks.get(body.id)
      const [, started = '', ended = ''] = timeline.map(({ at }) => at)
      spans.push(Date.parse(ended) - Date.parse(started))
    }
  }
  spans.sort((a, b) => a - b)
  expect(spans[100]).toBeGreaterThan(33_000)
  expect(spans[100]).toBeLessThan(48_000)
  expect(spans[190]).toBeGreaterThan(80_000)
  expect(spans[190]).toBeLessThan(180_000)
})

test('callbacks are signed, a failed handshake refuses, and routes answer', async () => {
  const emulator = await start()
  const inbox = emulator.inbox('hook')
  const order = { model: 'gamma-H3', content: text, duration: 5 }
  await emulator.post('/v2/video_generation', { ...order, callback_url: inbox.url })
  await emulator.clock.advance('1h')
  expect((await inbox.list()).map(({ signature }) => signature)).toEqual(['valid', 'valid', 'valid'])
  const deaf = await emulator.post('/v2/video_generation', {
    ...order,
    callback_url: 'http://127.0.0.1:1/hook',
  })
  expect(deaf).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('challenge') } },
  })
  await emulator.fail('routes.chat', { status: 503, times: 1 })
  const chat = () => emulator.post('/v1/chat/completions', { model: 'talk', messages: [{ content: 'hi' }] })
  expect((await chat()).status).toBe(503)
  expect((await chat()).body).toMatchObject({
    model: 'talk',
    user: null,
    choices: [{ message: { content: 'You said: hi' } }],
  })
  expect((await emulator.get('/v1/accounts/7?page=2')).body).toMatchObject({ id: '7', page: '2' })
  expect((await emulator.delete('/v1/accounts/7')).status).toBe(204)
  expect((await clientOf(emulator.url, undefined).get('/ping')).text).toBe('pong')
  expect((await emulator.looseEnds()).unexpectedCalls).toEqual([])
})
