import { expect, test } from 'vitest'
import { paths, startOnPort } from '../../emulator.js'

test('fields are set, renamed, moved, removed and wrapped, and the journal keeps what was decided', async () => {
  const emulator = await startOnPort({
    profile: [
      {
        answers: {
          'b-video-task.read': {
            set: { vendor: 'acme', 'usage_note.of': '{{id}}' },
            rename: { seed: 'seed_used' },
            move: { created_at: 'times.created' },
            remove: ['draft'],
            headers: { 'X-Vendor': 'acme' },
          },
          'b-video-task.read@queued': { set: { status: 'in_queue' } },
          'b-video-task.create': { wrap: 'data', set: { code: 0 }, status: 201 },
        },
      },
    ],
  })
  const created = await emulator.create()
  expect(created.status).toBe(201)
  const id = created.body.data.id
  expect(created.body).toEqual({ data: { id: expect.stringMatching(/^cgt-/) }, code: 0 })

  const queued = await emulator.query(id)
  expect(queued.body).toMatchObject({ vendor: 'acme', status: 'in_queue', usage_note: { of: id } })
  expect(queued.body).toMatchObject({ seed_used: expect.any(Number), times: { created: expect.any(Number) } })
  for (const gone of ['seed', 'created_at', 'draft']) expect(queued.body).not.toHaveProperty(gone)
  expect(queued.headers.get('x-vendor')).toBe('acme')
  expect(Object.keys(queued.body).indexOf('seed_used')).toBeLessThan(
    Object.keys(queued.body).indexOf('ratio'),
  )

  const recorded = await emulator.requests.get(queued.requestId)
  expect(recorded.answer).toMatchObject({ status: 'queued', seed: expect.any(Number) })
  expect(recorded.profile).toMatchObject({ status: 200, answer: { status: 'in_queue', vendor: 'acme' } })
  expect(recorded.explanation).toContain(
    'The profile changed the answer: answers.b-video-task.read (profile), answers.b-video-task.read@queued (profile).',
  )
  expect((await emulator.requests.get(created.requestId)).explanation).toContain(
    'The profile changed the answer: answers.b-video-task.create (profile), and it was sent with 201.',
  )
  await emulator.clock.advance('1h')
  expect((await emulator.query(id)).body.status).toBe('succeeded')
})

test('a row is for refusals where it says so, for all of them or for one error', async () => {
  const emulator = await startOnPort({
    profile: [
      {
        answers: {
          'b-video-task.*@refusal': { wrap: 'failure', headers: { 'X-Failed': 'true' } },
          'b-video-task.read@ResourceNotFound': { wrap: null, set: { 'error.gone': true }, status: 410 },
        },
      },
    ],
  })
  const refused = await emulator.create({ duration: 3 })
  expect(refused.status).toBe(400)
  expect(refused.body).toEqual({ failure: { error: expect.objectContaining({ code: 'InvalidParameter' }) } })
  expect(refused.headers.get('x-failed')).toBe('true')
  const unknown = await emulator.query('cgt-none')
  expect(unknown.status).toBe(410)
  expect(unknown.body.error).toMatchObject({ code: 'ResourceNotFound', gone: true })
  expect((await emulator.requests.get(unknown.requestId)).status).toBe(404)
  expect((await emulator.create()).body).toEqual({ id: expect.any(String) })
})

test('the answer to an unknown path is a refusal too', async () => {
  const { get } = await startOnPort({
    profile: [
      {
        answers: {
          'unknown-path@refusal': { status: 405, wrap: 'detail' },
          '*@refusal': { headers: { 'X-Failed': 'yes' } },
        },
      },
    ],
  })
  const unknown = await get('/v9/videos')
  expect(unknown).toMatchObject({
    status: 405,
    body: { detail: { error: { type: 'invalid_request_error' } } },
  })
  expect(unknown.headers.get('x-failed')).toBe('yes')
})

test('a row of unknown paths needs no condition', async () => {
  const { get } = await startOnPort({
    profile: [{ answers: { 'unknown-path': { status: 410, set: { gone: true } } } }],
  })
  expect(await get('/v9/videos')).toMatchObject({ status: 410, body: { gone: true } })
})

test('items of a list are changed one by one', async () => {
  const { createB, list } = await startOnPort({
    profile: [
      {
        answers: {
          'b-video-task.list': { rename: { 'items[].id': 'task_id' }, set: { 'items[].kind': 'video' } },
        },
      },
    ],
  })
  const ids = [await createB(), await createB()]
  const { body } = await list()
  expect(body.items.map(({ task_id }: { task_id: string }) => task_id).sort()).toEqual(ids.sort())
  expect(
    body.items.every(({ kind, id }: { kind: string; id?: string }) => kind === 'video' && id === undefined),
  ).toBe(true)
})

test('the state of an upload selects a row', async () => {
  const emulator = await startOnPort({
    profile: [{ answers: { 'd-assets.resolve@pending': { set: { code: 201 } } } }],
  })
  const picture = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const uploaded = await emulator.upload('dot.png', picture)
  const resolve = `${paths.resolve}?task_id=${uploaded.body.data.task_id}`
  expect((await emulator.get(resolve)).body).toMatchObject({ code: 201, data: { status: 'Processing' } })
  await emulator.clock.advance('1m')
  expect((await emulator.get(resolve)).body.code).not.toBe(201)
})

test('callbacks carry the changed body, and have the headers of their rows', async () => {
  const emulator = await startOnPort({
    profile: [
      {
        answers: {
          'f-video-v2.read': { remove: ['id', 'task.id'], set: { vendor: 'acme' } },
          'f-video-v2.callback@succeeded': { set: { final: true }, headers: { 'User-Agent': 'acme/1' } },
        },
      },
    ],
  })
  const inbox = emulator.inbox('hook')
  await emulator.createF({ callback_url: inbox.url })
  await emulator.clock.advance('1h')
  const messages = await inbox.waitFor({ count: 3 })
  expect(messages.every(({ body }) => (body as { vendor: string }).vendor === 'acme')).toBe(true)
  expect(messages.map(({ body }) => (body as { final?: boolean }).final)).toEqual([
    undefined,
    undefined,
    true,
  ])
  expect(messages.at(-1)?.headers['user-agent']).toBe('acme/1')
})

test('a template that names nothing is null, and the journal says so', async () => {
  const emulator = await startOnPort({
    profile: [{ answers: { 'b-video-task.read@running': { set: { link: '{{content.video_url}}' } } } }],
  })
  const id = await emulator.createB()
  await emulator.clock.advance({ to: 'next' })
  const answer = await emulator.query(id)
  expect(answer.body).toMatchObject({ status: 'running', link: null })
  expect((await emulator.requests.get(answer.requestId)).warnings).toEqual([
    'The profile names {{content.video_url}}, which the answer does not have: it has null in its place',
  ])
})

test('an error that a scenario raises is changed as one of the service, and other effects act on what goes out', async () => {
  const emulator = await startOnPort({
    profile: [
      {
        answers: {
          'b-video-task.create@refusal': { wrap: 'failure' },
          'b-video-task.read': { set: { vendor: 'acme' } },
        },
      },
    ],
  })
  await emulator.fail('b-video-task.create', { error: 'ServerOverloaded', times: 1 })
  const refused = await emulator.create()
  expect(refused).toMatchObject({ status: 429, body: { failure: { error: { code: 'ServerOverloaded' } } } })
  const recorded = await emulator.requests.get(refused.requestId)
  expect(recorded.answer).toMatchObject({ error: { code: 'ServerOverloaded' } })
  await emulator.scenario.play({
    name: 'thin',
    description: 'Without a status.',
    steps: [
      { when: { operation: 'b-video-task.read' }, then: { answer: { without: ['status', 'vendor'] } } },
    ],
  })
  const { body } = await emulator.query(await emulator.createB())
  expect(body).not.toHaveProperty('vendor')
  expect(body).not.toHaveProperty('status')
})

test('a download has the headers of its row', async () => {
  const emulator = await startOnPort({
    timing: 'instant',
    profile: [{ answers: { 'results.download': { headers: { 'X-Cache': 'HIT' } } } }],
  })
  const { body } = await emulator.createImage()
  const file = await fetch(body.output.choices[0].message.content[0].image)
  expect(file.headers.get('x-cache')).toBe('HIT')
  expect(file.headers.get('content-type')).toBe('image/png')
})

test('a dry run shows the answer that would go out', async () => {
  const { post } = await startOnPort({
    profile: [{ answers: { 'b-video-task.create': { status: 202, set: { vendor: 'acme' } } } }],
  })
  const { body } = await post('/_backlot/dry-run', {
    operation: 'b-video-task.create',
    body: { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }] },
  })
  expect(body).toMatchObject({ status: 202, answer: { vendor: 'acme' } })
})
