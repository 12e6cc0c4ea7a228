import { describe, expect, test } from 'vitest'
import { builtIn } from '../../src/emulator/families/index.js'
import { bodies, openInProcess, paths } from '../emulator.js'

const { gaps } = builtIn

const { agent, as } = openInProcess()

const createTask = async (key: string, change: object = {}): Promise<string> =>
  (await as(key).post(paths.tasks, bodies.task(change))).body.id

describe('the clock', () => {
  test('a paused one begins at the start of 2026 and stands still', async () => {
    expect((await as('still').get('/_backlot/clock')).body).toEqual({
      now: '2026-01-01T00:00:00.000Z',
      mode: 'paused',
      speed: 1,
      next: null,
    })
  })

  test('begins where startAt says', async () => {
    const { as: later } = openInProcess({ startAt: '2027-05-06T07:08:09Z' })
    expect((await later('k').clock.read()).now).toBe('2027-05-06T07:08:09.000Z')
  })

  test('begins where an account says, until the account has been called', async () => {
    const begin = (now: string) =>
      agent.put('/_backlot/clock').set('Authorization', 'Bearer begins').send({ now })
    expect((await begin('2027-01-01T00:00:00Z')).body.now).toBe('2027-01-01T00:00:00.000Z')
    const refused = { status: 409, body: { error: { code: 'clock-has-run' } } }
    await as('begins').get(paths.tasks)
    expect(await begin('2028-01-01T00:00:00Z')).toMatchObject(refused)
    await createTask('begins')
    // A task has been made by the clock, whatever the calls are counted from.
    await as('begins').patch('/_backlot/account', { requests: 0 })
    expect(await begin('2028-01-01T00:00:00Z')).toMatchObject(refused)
  })

  test('advance says in order what has happened', async () => {
    const id = await createTask('happenings')
    const { body } = await as('happenings').post('/_backlot/clock/advance', { by: '10m' })
    expect(body.now).toBe('2026-01-01T00:10:00.000Z')
    expect(body.happened.map(({ kind, detail }: Record<string, string>) => `${kind} ${detail}`)).toEqual([
      'task running',
      'task succeeded',
    ])
    expect(body.happened.every((happening: { id: string }) => happening.id === id)).toBe(true)
  })

  test('advance to next goes from moment to moment', async () => {
    const id = await createTask('steps')
    const next = () => as('steps').post('/_backlot/clock/advance', { to: 'next' })
    expect((await next()).body.happened).toMatchObject([{ id, detail: 'running' }])
    expect((await next()).body.happened).toMatchObject([{ id, detail: 'succeeded' }])
    expect((await next()).body.happened).toEqual([])
  })

  test.each([
    ['NEXT', 'Did you mean next?'],
    ['idel', 'Did you mean idle?'],
    ['tomorrow', 'A time is written as 2026-01-31T12:00:00Z.'],
  ])('an advance to %s is refused with a hint', async (to, hint) => {
    const { status, body } = await as('to').post('/_backlot/clock/advance', { to })
    expect([status, body.error.code, body.error.hint]).toEqual([400, 'bad-time', hint])
  })

  test('advance to a time, and never back', async () => {
    const to = (time: string) => as('to').post('/_backlot/clock/advance', { to: time })
    expect((await to('2026-02-01T00:00:00Z')).body.now).toBe('2026-02-01T00:00:00.000Z')
    const back = await to('2026-01-01T00:00:00Z')
    expect([back.status, back.body.error.code]).toEqual([409, 'time-runs-forward'])
  })

  test.each([
    ['put', 'clock', { speed: 0 }, 'speed must be above 0, found 0.'],
    [
      'post',
      'clock/advance',
      {},
      'The request body must be an object with by or to, not with both, found {}.',
    ],
  ] as const)('%s of %s refuses %j in words that are true', async (verb, path, input, message) => {
    expect((await agent[verb](`/_backlot/${path}`).send(input)).body.error.message).toBe(message)
  })

  test.each([{}, { by: '10m', to: 'next' }, { by: 'soon' }, { to: 'tomorrow' }, { by: -5 }])(
    'advance refuses %j',
    async (input) => {
      const { status, body } = await as('k').post('/_backlot/clock/advance', input)
      expect(status).toBe(400)
      expect(body.error).toEqual({
        code: expect.any(String),
        message: expect.any(String),
        hint: expect.any(String),
      })
    },
  )

  test('an on-poll clock moves an unchanged polling client along', async () => {
    const guest = as('poller')
    await guest.clock.change({ mode: 'on-poll' })
    const id = await createTask('poller')
    const statuses = []
    for (let polls = 0; polls < 3; polls += 1)
      statuses.push((await guest.get(`${paths.tasks}/${id}`)).body.status)
    expect(statuses).toEqual(['running', 'succeeded', 'succeeded'])
  })

  test('a list that names its tasks is a status query for an on-poll clock; another list is not', async () => {
    const guest = as('lister')
    await guest.clock.change({ mode: 'on-poll' })
    const id = await createTask('lister')
    expect((await guest.get(paths.tasks)).body.items[0].status).toBe('queued')
    expect((await guest.get(`${paths.tasks}?filter.task_ids=${id}`)).body.items[0].status).toBe('running')
  })

  test.each([
    ['is refused', (id: string) => `filter.task_ids=${id}&page_num=0`],
    ['has no such page', (id: string) => `filter.task_ids=${id}&page_num=2&page_size=1`],
    ['is of another model', (id: string) => `filter.task_ids=${id}&filter.model=videoa-2-0-fast-260128`],
    ['names an unknown task', (id: string) => `filter.task_ids=${id}x`],
  ])('a list that %s moves no on-poll clock', async (name, queryOf) => {
    const guest = as(`lister that ${name}`)
    await guest.clock.change({ mode: 'on-poll' })
    const { body } = await guest.post(paths.tasks, bodies.task())
    const { now } = await guest.clock.read()
    await guest.get(`${paths.tasks}?${queryOf(body.id)}`)
    expect((await guest.clock.read()).now).toBe(now)
  })

  test('a list moves an on-poll clock on its last page, and not on a page beyond', async () => {
    const guest = as('lister of pages')
    await guest.clock.change({ mode: 'on-poll' })
    const ids = [await createTask('lister of pages'), await createTask('lister of pages')]
    const list = ids.map((id) => `filter.task_ids=${id}`).join('&')
    const { now } = await guest.clock.read()
    await guest.get(`${paths.tasks}?${list}&page_size=2&page_num=2`)
    expect((await guest.clock.read()).now).toBe(now)
    await guest.get(`${paths.tasks}?${list}&page_size=1&page_num=2`)
    expect((await guest.clock.read()).now).not.toBe(now)
  })

  test('a list of B moves no on-poll clock for a task that it never shows, one of C it does', async () => {
    const guest = as('lister-of-others')
    await guest.clock.change({ mode: 'on-poll' })
    const ofE = await guest.post('/v1/videos', {
      model: 'beta2.7-r2v',
      subject_reference: [{ type: 'character', image: ['https://media.test/1.png'] }],
    })
    const { now } = await guest.clock.read()
    expect((await guest.get(`${paths.tasks}?filter.task_ids=${ofE.body.id}`)).body.total).toBe(0)
    expect((await guest.clock.read()).now).toBe(now)
    const ofC = await guest.post('/v1/videos', {
      model: 'videoa-2-0-260128',
      media: [{ type: 'text', text: 'a lighthouse' }],
    })
    const { items } = (await guest.get(`${paths.tasks}?filter.task_ids=${ofC.body.id}`)).body
    expect(items[0].status).toBe('running')
  })

  test('a list of the succeeded ones among its tasks waits for them to become so', async () => {
    const guest = as('lister-of-succeeded')
    await guest.clock.change({ mode: 'on-poll' })
    const id = await createTask('lister-of-succeeded')
    const path = `${paths.tasks}?filter.task_ids=${id}&filter.status=succeeded`
    expect((await guest.get(path)).body.total).toBe(0)
    expect((await guest.get(path)).body.total).toBe(1)
  })

  test('a live clock runs, at its speed', async () => {
    let systemNow = Date.UTC(2026, 5, 1)
    const { as: live } = openInProcess({ clock: 'live', speed: 60 }, { systemNow: () => systemNow })
    const before = await live('k').clock.read()
    systemNow += 1_000
    const after = await live('k').clock.read()
    expect(Date.parse(after.now) - Date.parse(before.now)).toBe(60_000)
  })
})

describe('timing', () => {
  test('instant: everything is over on the first look', async () => {
    const { as: instant } = openInProcess({ timing: 'instant' })
    const { body } = await instant('k').post(paths.tasks, bodies.task())
    expect((await instant('k').get(`${paths.tasks}/${body.id}`)).body.status).toBe('succeeded')
  })

  test('realistic takes longer for more pixels and more seconds', async () => {
    const { as: real } = openInProcess({ timing: 'realistic' })
    const length = async (change: object) => {
      const { body } = await real('k').post(paths.tasks, bodies.task(change))
      const { timeline } = await real('k').tasks.get(body.id)
      return Date.parse(timeline.at(-1)?.at ?? '') - Date.parse(timeline[0]?.at ?? '')
    }
    expect(await length({ resolution: '720p', duration: 15 })).toBeGreaterThan(
      2 * (await length({ resolution: '480p', duration: 4 })),
    )
  })
})

describe('forcing a task', () => {
  test.each([
    ['failed', { status: 'failed', error: 'OutputVideoSensitiveContentDetected' }],
    ['expired', { status: 'expired' }],
    ['cancelled', { status: 'cancelled' }],
    ['succeeded', { status: 'succeeded' }],
    ['running', { status: 'running' }],
  ])('to %s', async (status, change) => {
    const id = await createTask('forced')
    expect((await as('forced').patch(`/_backlot/tasks/${id}`, change)).status).toBe(200)
    const { body } = await as('forced').get(`${paths.tasks}/${id}`)
    expect(body.status).toBe(status)
    if (status === 'failed')
      expect(body.error).toEqual({
        code: 'OutputVideoSensitiveContentDetected',
        message: expect.any(String),
      })
    if (status === 'expired') expect(body.error.code).toBe('TaskExpired')
  })

  const ofE = {
    model: 'beta2.7-r2v',
    subject_reference: [{ type: 'character', image: ['https://media.test/1.png'] }],
  }
  const ofF = { model: 'gamma-H3', content: [{ type: 'text', text: 'a lighthouse' }], duration: 5 }
  const madeBy = async (path: string, body: object): Promise<string> => {
    const made = await as('forced').post(path, body)
    return made.body.id ?? made.body.task_id
  }

  test.each([
    ['E', 'e-video-reference', '/v1/videos', ofE, 'expired'],
    ['F', 'f-video-v2', '/provC/v2/video_generation', ofF, 'expired'],
    ['F', 'f-video-v2', '/provC/v2/video_generation', ofF, 'pending'],
    ['B', 'b-video-task', paths.tasks, bodies.task(), 'pending'],
  ])('a task of %s (%s) on %s %j is never %s', async (_, family, path, sent, status) => {
    const id = await madeBy(path, sent)
    const { timeline } = await as('forced').tasks.get(id)
    const { status: answered, body } = await as('forced').patch(`/_backlot/tasks/${id}`, { status })
    expect([answered, body.error.code]).toEqual([400, 'unknown-status'])
    expect(body.error.message).toBe(`Tasks of ${family} are never ${status}.`)
    expect(body.error.hint).toMatch(
      /^Possible are: (pending, )?queued, running, succeeded, failed, cancelled/,
    )
    expect((await as('forced').tasks.get(id)).timeline).toEqual(timeline)
  })

  test('a task of E is held pending, and can be forced to any status of E', async () => {
    const id = await madeBy('/v1/videos', ofE)
    await as('forced').tasks.force(id, 'pending')
    await as('forced').clock.advance('1h')
    for (const status of ['pending', 'queued', 'running', 'cancelled'] as const) {
      await as('forced').tasks.force(id, status)
      expect((await as('forced').get(`/v1/videos/${id}`)).body.status).toBe(status)
    }
  })

  test('a task that is held running expires at its deadline, and succeeds when it is let', async () => {
    const id = await createTask('held', { execution_expires_after: 3_600 })
    await as('held').tasks.force(id, 'running')
    await as('held').clock.advance('59m')
    expect((await as('held').get(`${paths.tasks}/${id}`)).body.status).toBe('running')
    await as('held').tasks.force(id, 'succeeded')
    expect((await as('held').get(`${paths.tasks}/${id}`)).body.content.video_url).toMatch(/^http/)
    const other = await createTask('held', { execution_expires_after: 3_600 })
    await as('held').tasks.force(other, 'queued')
    await as('held').clock.advance('1h')
    expect((await as('held').get(`${paths.tasks}/${other}`)).body.status).toBe('expired')
  })

  test.each(['succeeded', 'cancelled', 'running'])('to %s with an error is refused', async (status) => {
    const id = await createTask('contradictory')
    const change = { status, error: 'InternalServiceError' }
    const refused = await as('contradictory').patch(`/_backlot/tasks/${id}`, change)
    expect([refused.status, refused.body.error]).toEqual([
      400,
      {
        code: 'error-without-failure',
        message: `A task that is ${status} has no error, found "InternalServiceError".`,
        hint: 'Leave out error, or force the status failed.',
      },
    ])
    expect((await as('contradictory').get(`${paths.tasks}/${id}`)).body.status).toBe('queued')
  })

  test('an error that the family does not have is refused with the nearest one', async () => {
    const id = await createTask('misspelt')
    const { status, body } = await as('misspelt').patch(`/_backlot/tasks/${id}`, {
      status: 'failed',
      error: 'ServerOverload',
    })
    expect(status).toBe(400)
    expect(body.error.hint).toContain('Did you mean ServerOverloaded?')
  })

  test('a task that has ended is 409, an unknown one 404', async () => {
    const id = await createTask('ended')
    await as('ended').clock.advance({ to: 'idle' })
    expect((await as('ended').patch(`/_backlot/tasks/${id}`, { status: 'cancelled' })).status).toBe(409)
    expect((await as('ended').patch('/_backlot/tasks/none', { status: 'cancelled' })).status).toBe(404)
  })
})

describe('the journal', () => {
  test('explains a refusal: the rule, the field, what was found and what is allowed', async () => {
    const guest = as('explained')
    const response = await guest.post(paths.image, bodies.image({ size: '100*100' }))
    const { body } = await guest.get(`/_backlot/requests/${response.headers['x-request-id']}`)
    expect(body.operation).toBe('a-image.create')
    expect(body.refusedBy[0]).toMatchObject({
      rule: 'a-image.size-area',
      field: 'parameters.size',
      found: '100*100',
      allowed: expect.stringContaining('512*512'),
      place: expect.stringContaining('docs/families/a-image.md'),
    })
    expect(body.explanation.join(' ')).toContain('a-image.size-area')
  })

  test('keeps every rule that would have refused', async () => {
    const guest = as('many-faults')
    const response = await guest.post(paths.image, bodies.image({ size: '100*4000' }))
    const { refusedBy } = await guest.requests.get(response.headers['x-request-id'] as string)
    expect(refusedBy.map(({ rule }) => rule)).toEqual(['a-image.size-ratio'])
    const worse = await guest.post(paths.image, bodies.image({ size: '10*400' }))
    const entry = await guest.requests.get(worse.headers['x-request-id'] as string)
    expect(entry.refusedBy.map(({ rule }) => rule)).toEqual(['a-image.size-area', 'a-image.size-ratio'])
  })

  test('says what followed: the task and its downloads', async () => {
    const guest = as('followed')
    const response = await guest.post(paths.tasks, bodies.task())
    const entry = await guest.requests.get(response.headers['x-request-id'] as string)
    expect(entry.followed.task?.id).toBe(response.body.id)
    expect(entry.followed.callbacks).toEqual([])
  })

  test('says the callbacks of the task that a create has made, oldest first, and of a query none', async () => {
    const guest = as('explained-callbacks')
    const url = 'http://127.0.0.1:1/hook'
    const created = await guest.post(paths.tasks, bodies.task({ callback_url: url }))
    await guest.clock.advance('1m')
    const query = await guest.get(`${paths.tasks}/${created.body.id}`)
    const sentences = async (response: typeof query) =>
      (await guest.requests.explain(response.headers['x-request-id'] as string)).slice(1)
    const beginnings = ['queued', 'running', 'succeeded'].map(
      (status, index) =>
        `The callback ${created.body.id}-${index + 1} with the status ${status} to ${url} is failed: `,
    )
    expect(await sentences(created)).toEqual(beginnings.map((begin) => expect.stringContaining(begin)))
    expect(await sentences(query)).toEqual([])
  })

  test('says what followed: the callbacks of the task alone, newest first', async () => {
    const guest = as('followed-by-callbacks')
    const change = { callback_url: 'http://127.0.0.1:1/hook' }
    const response = await guest.post(paths.tasks, bodies.task(change))
    await guest.post(paths.tasks, bodies.task(change))
    await guest.clock.advance('1m')
    const { followed } = await guest.requests.get(response.headers['x-request-id'] as string)
    expect(followed.callbacks.map(({ taskId, status, state }) => [taskId, status, state])).toEqual(
      ['succeeded', 'running', 'queued'].map((status) => [response.body.id, status, 'failed']),
    )
  })

  test('suggests the nearest route for a call that no operation matches', async () => {
    const guest = as('lost')
    const response = await guest.post('/provB/api/v3/content/generations/task', {})
    const { explanation } = await guest.requests.get(response.headers['x-request-id'] as string)
    expect(explanation[0]).toContain(`Did you mean POST ${paths.tasks}?`)
  })

  test('filters by operation, status, path and problem, newest first', async () => {
    const guest = as('filters')
    await guest.post(paths.image, bodies.image())
    await guest.post(paths.image, bodies.image({ n: 7 }))
    await guest.post(paths.tasks, bodies.task())
    const paged = (query: string) => guest.get(`/_backlot/requests?${query}`)
    expect((await paged('')).body).toMatchObject({ total: 3, evicted: 0 })
    expect((await paged('operation=a-image.create')).body.total).toBe(2)
    expect((await paged('operation=a-image.*&status=400')).body.total).toBe(1)
    expect((await paged('problem=a-image.schema')).body.total).toBe(1)
    expect((await paged('path=generations')).body.items[0].operation).toBe('b-video-task.create')
    expect((await paged('limit=1&offset=1')).body.items).toHaveLength(1)
  })

  test('is bounded and says how many entries it has evicted', async () => {
    const { as: small } = openInProcess({ journalEntries: 2 })
    for (let calls = 0; calls < 5; calls += 1) await small('k').get(paths.tasks)
    expect((await small('k').get('/_backlot/requests')).body).toMatchObject({ total: 2, evicted: 3 })
  })

  test('never shows a key or a Base64 body', async () => {
    const guest = as('very-secret-key')
    const image = `data:image/png;base64,${Buffer.from('secret picture').toString('base64')}`
    await guest.post(paths.image, {
      model: 'alpha-image-3.0-pro',
      input: { messages: [{ role: 'user', content: [{ text: 'x' }, { image }] }] },
    })
    const { text } = await guest.get('/_backlot/requests')
    expect(text).not.toContain('very-secret-key')
    expect(text).not.toContain(Buffer.from('secret picture').toString('base64').slice(0, 12))
  })

  test.each([
    ['words', 'ab '.repeat(20_000), '60000'],
    ['letters without a space', 'x'.repeat(60_000), '60000'],
    ['words before letters without a space', `ab ${'x'.repeat(60_000)}`, '60003'],
    ['words in a body that is kept shortened', 'ab '.repeat(30_000), '90000'],
    ['letters without a space in such a body', 'x'.repeat(90_000), '90000'],
  ])('says how long a text was that is cut, as the refusal does: %s', async (_, text, length) => {
    const guest = as('long-texts')
    const response = await guest.post(paths.tasks, bodies.task({ safety_identifier: text }))
    const [{ body, refusedBy }] = (await guest.get('/_backlot/requests')).body.items
    const { found } = refusedBy[0] ?? {}
    for (const shown of [response.text, JSON.stringify(body), String(found)])
      expect(shown.match(/\d+ characters\)/g)).toEqual([`${length} characters)`])
  })

  test('cuts a body that is larger than it keeps', async () => {
    const { as: small } = openInProcess({ journalBodyBytes: 100 })
    await small('k').post(paths.tasks, bodies.task({ content: [{ type: 'text', text: 'x'.repeat(5_000) }] }))
    expect((await small('k').get('/_backlot/requests')).text.length).toBeLessThan(3_000)
  })
})

describe('waiting', () => {
  test('for a task is answered when it gets there', async () => {
    const id = await createTask('waiter')
    const waiting = as('waiter').tasks.waitFor(id, 'succeeded')
    await as('waiter').clock.advance('1m')
    expect((await waiting).status).toBe('succeeded')
  })

  test('for a request is answered when it comes, or at once when it came', async () => {
    const waiting = as('listener').requests.waitFor({ operation: 'a-image.create' })
    await as('listener').post(paths.image, bodies.image())
    expect(await waiting).toHaveLength(1)
    expect(await as('listener').requests.waitFor({ operation: 'a-image.create' })).toHaveLength(1)
  })

  test('that comes to nothing is 408 with what there is and what to do', async () => {
    const id = await createTask('impatient')
    const { status, body } = await as('impatient').get(
      `/_backlot/wait?for=task&id=${id}&status=succeeded&timeout=1ms`,
    )
    expect(status).toBe(408)
    expect(body.error.found.status).toBe('queued')
    expect(body.error.hint).toContain('advance the clock')
  })

  test('for idle', async () => {
    await createTask('idler')
    const waiting = as('idler').idle()
    await as('idler').clock.advance({ to: 'idle' })
    await expect(waiting).resolves.toBeUndefined()
  })

  test.each([
    ['?for=bogus', 'for must be one of task, request, callback, inbox, idle, found "bogus".'],
    ['', 'for is required: one of task, request, callback, inbox, idle.'],
  ])('for nothing that there is says what there is: wait%s', async (query, message) => {
    const { status, body } = await agent.get(`/_backlot/wait${query}`)
    expect({ status, message: body.error.message }).toEqual({ status: 400, message })
  })
})

describe('what the control API does not have', () => {
  test.each([
    ['get', '/_backlot/requets', 'Did you mean GET /_backlot/requests?'],
    ['delete', '/_backlot/health', 'It has: GET /_backlot/health.'],
    ['put', '/_backlot/tasks/a', 'It has: GET /_backlot/tasks/{id}, PATCH /_backlot/tasks/{id}.'],
    ['post', '/_backlot/advance', 'It has: POST /_backlot/clock/advance.'],
    [
      'post',
      '/_backlot/scenario/play',
      'It has: GET /_backlot/scenario, PUT /_backlot/scenario, DELETE /_backlot/scenario.',
    ],
    ['post', '/_backlot/snapshots/restore', 'It has: DELETE /_backlot/snapshots/{id}.'],
    ['post', '/_backlot/clock/advnce', 'Did you mean POST /_backlot/clock/advance?'],
    ['post', '/_backlot/snapshot', 'Did you mean POST /_backlot/snapshots?'],
    ['get', '/_backlot/status', 'Did you mean GET /_backlot/state?'],
    ['patch', '/_backlot/snapshots/a', 'It has: DELETE /_backlot/snapshots/{id}.'],
    ['get', '/_backlot/openapi', 'It has: GET /_backlot/openapi.json.'],
    ['post', '/_backlot/metric', 'It has: GET /_backlot/metrics.'],
    [
      'post',
      '/_backlot/scenarios',
      'It has: GET /_backlot/scenarios, PUT /_backlot/scenario, DELETE /_backlot/scenario.',
    ],
    [
      'post',
      '/_backlot/scenario',
      'It has: GET /_backlot/scenario, PUT /_backlot/scenario, DELETE /_backlot/scenario.',
    ],
    ['delete', '/_backlot/accounts', 'It has: GET /_backlot/accounts, PATCH /_backlot/account.'],
  ] as const)('%s %s', async (verb, path, hint) => {
    const { status, body } = await agent[verb](path)
    expect([status, body.error]).toEqual([
      404,
      { code: 'no-such-control', message: `The control API has no ${verb.toUpperCase()} ${path}.`, hint },
    ])
  })

  test('no path of another method is suggested for a misspelt one', async () => {
    const { hint } = (await agent.post('/_backlot/fail')).body.error
    expect(hint).toMatch(/^It has: GET \/_backlot\/health, /)
  })

  test('each route is listed once, as the documentation writes it', async () => {
    const { message, hint } = (await agent.get('/_backlot')).body.error
    expect(message).toBe('The control API has no GET /_backlot.')
    const routes = hint.replace(/^It has: |\.$/g, '').split(', ')
    expect(routes).toContain('GET /_backlot/requests/{id}')
    expect(new Set(routes).size).toBe(routes.length)
  })

  test('a body that is not JSON is called the request body', async () => {
    const { status, body } = await agent
      .put('/_backlot/clock')
      .set('Content-Type', 'application/json')
      .send('x')
    expect([status, body.error.code, body.error.hint]).toEqual([400, 'bad-body', 'Send one JSON object.'])
    expect(body.error.message).toMatch(/^The request body is not JSON: .*\.$/)
  })
})

describe('the balance', () => {
  test.each([0, -5, 0.1, 12_345_678.9, 1e300, -1e300])('%d is answered as it was set', async (balance) => {
    const { status, body } = await as('rich').patch('/_backlot/account', { balance })
    expect([status, body.balance]).toEqual([200, balance])
  })
})

describe('resetting', () => {
  test('one account leaves the others alone', async () => {
    const [one, two] = [await createTask('reset-me'), await createTask('keep-me')]
    await as('reset-me').clock.advance('1h')
    await as('reset-me').change({ balance: 1 })
    await as('reset-me').post('/_backlot/reset', {})
    expect((await as('reset-me').get(`${paths.tasks}/${one}`)).status).toBe(404)
    expect((await as('reset-me').clock.read()).now).toBe('2026-01-01T00:00:00.000Z')
    expect((await as('reset-me').read()).balance).toBe(1_000_000)
    expect((await as('keep-me').get(`${paths.tasks}/${two}`)).status).toBe(200)
  })

  test('all of them', async () => {
    const { as: everyone } = openInProcess()
    await everyone('a').post(paths.tasks, bodies.task())
    await everyone('b').post('/_backlot/reset?all', {})
    expect(await everyone('a').tasks.list()).toEqual([])
  })

  test.each([
    ['reset?all=false', {}],
    ['reset?all=0', {}],
    ['reset', { all: false }],
    ['reset', { all: '0' }],
    ['finish?all=false', {}],
    ['finish', { all: false }],
  ])('POST /_backlot/%s with %j is of one account', async (path, body) => {
    const { as: everyone } = openInProcess()
    await everyone('a').post(paths.tasks, bodies.task())
    await everyone('b').post(paths.tasks, bodies.task())
    expect((await everyone('b').post(`/_backlot/${path}`, body)).status).toBe(200)
    expect([await everyone('a').tasks.list(), await everyone('b').tasks.list()]).toMatchObject([[{}], []])
  })

  test.each([
    ['reset?all=true', {}],
    ['reset?all=1', {}],
    ['reset?all=', {}],
    ['reset', { all: true }],
    ['finish', { all: true }],
  ])('POST /_backlot/%s with %j is of every account', async (path, body) => {
    const { as: everyone } = openInProcess()
    await everyone('a').post(paths.tasks, bodies.task())
    expect((await everyone('b').post(`/_backlot/${path}`, body)).status).toBe(200)
    expect(await everyone('a').tasks.list()).toEqual([])
  })

  test.each([
    ['no', '"no"'],
    ['TRUE', '"TRUE"'],
    ['true&all=false', '["true","false"]'],
  ])('is refused with all=%s', async (value, found) => {
    const { status, body } = await as('switch').post(`/_backlot/reset?all=${value}`, {})
    expect([status, body.error.message]).toEqual([400, `all must be true or false, found ${found}.`])
  })

  test('gives the same ids again', async () => {
    const first = await createTask('again')
    await as('again').reset()
    expect(await createTask('again')).toBe(first)
  })
})

describe('what it says about itself', () => {
  test('health', async () => {
    const { body } = await agent.get('/_backlot/health')
    expect(body).toEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      uptime_ms: expect.any(Number),
      pid: process.pid,
      instance: expect.any(String),
    })
  })

  test('every gap, with its grade and the value of its settings', async () => {
    const { body } = await agent.get('/_backlot/gaps')
    expect(body.items).toHaveLength(gaps.length)
    expect(body.items.find(({ id }: { id: string }) => id === 'A7')).toMatchObject({
      grade: 'assumed',
      settings: { imageBodyBytes: 32 * 2 ** 20 },
    })
  })

  test('of a secret setting only whether it is set', async () => {
    const secrets = { signingSecret: 'a-secret-of-some-length', account: ['a-key-of-some-length'] }
    const { agent: guarded } = openInProcess(secrets)
    const { body, text } = await guarded.get('/_backlot/gaps')
    const settingsOf = (wanted: string) => body.items.find(({ id }: { id: string }) => id === wanted).settings
    expect(settingsOf('Z19')).toEqual({ signingSecret: '(set)', seed: 1 })
    expect([settingsOf('Z10'), settingsOf('Z33')]).toEqual([{ account: '(set)' }, { controlToken: null }])
    expect(text).not.toContain('of-some-length')
    const { items } = (await agent.get('/_backlot/gaps')).body
    expect(items.find(({ id }: { id: string }) => id === 'Z10').settings).toEqual({ account: null })
  })

  test('every rule, those of the schemas among them', async () => {
    const { body } = await agent.get('/_backlot/rules')
    const ids = body.items.map(({ id }: { id: string }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(body.items).toContainEqual({
      id: 'a-image.schema.parameters.n',
      family: 'a-image',
      sentence: '`parameters.n` is optional, of type integer, 1 to 6, default 1.',
      place: 'docs/families/a-image.md',
    })
    expect(ids).toContain('b-video-task.frames-or-references')
    expect(ids).toContain('d-assets.file-type')
  })

  test('fixtures, listed and served under any host', async () => {
    const { body } = await agent.get('/_backlot/fixtures')
    expect(body.items.find(({ name }: { name: string }) => name === 'first-frame.png')).toMatchObject({
      kind: 'image',
    })
    const { status, headers } = await agent
      .get('/_backlot/fixtures/first-frame.png')
      .set('Host', 'cdn.example.test')
    expect([status, headers['content-type']]).toEqual([200, 'image/png'])
  })

  test.each(['nothing.png', '../index.json', '..%2f..%2fpackage.json', 'index.json'])(
    'no fixture is served as %s',
    async (name) => {
      expect((await agent.get(`/_backlot/fixtures/${name}`)).status).toBe(404)
    },
  )
})

describe('who may use it', () => {
  test.each(['evil.example.com', 'evil.example.com:4650', ''])(
    'a page that comes as host %j is refused',
    async (host) => {
      expect((await agent.get('/_backlot/clock').set('Host', host)).status).toBe(403)
    },
  )

  test('a page of another site is refused, a page of its own is not', async () => {
    const from = (origin: string) =>
      agent.get('/_backlot/clock').set('Host', 'localhost:4650').set('Origin', origin)
    expect((await from('https://evil.example.com')).status).toBe(403)
    expect((await from('null')).status).toBe(403)
    expect((await from('http://localhost:4650')).status).toBe(200)
  })

  test('a control token is required where one is set', async () => {
    const { agent: guarded } = openInProcess({ controlToken: 'open-sesame' })
    expect((await guarded.get('/_backlot/clock')).status).toBe(401)
    expect((await guarded.get('/_backlot/clock').set('X-Backlot-Token', 'wrong')).status).toBe(401)
    expect((await guarded.get('/_backlot/clock').set('X-Backlot-Token', 'open-sesame')).status).toBe(200)
    expect((await guarded.get('/_backlot/clock?token=open-sesame')).status).toBe(200)
  })

  test('an unknown control path says what there is', async () => {
    const { status, body } = await agent.get('/_backlot/clocks')
    expect(status).toBe(404)
    expect(body.error.hint).toContain('GET /_backlot/clock')
  })
})

describe('filters and parameters that there are not', () => {
  test.each([
    [
      'requests?operation=b-video-task.crate',
      'There is no operation "b-video-task.crate": did you mean b-video-task.create?',
    ],
    ['requests?operation=b-video.*', 'There is no operation "b-video.*": '],
    ['requests?operation=', 'There is no operation "": possible are a-image.create, '],
    [
      'requests?problem=a-image.size-aera',
      'There is no rule "a-image.size-aera": did you mean a-image.size-area?',
    ],
    [
      'requests?statsu=200',
      'there is no key "statsu" here: did you mean status? Also possible: operation, path, ',
    ],
    ['requests?status=2000', 'status must be at most 599, found "2000".'],
    ['requests?status=200&status=404', 'status must be a number, found ["200","404"].'],
    ['requests?limit=5&limit=6', 'limit must be a number, found ["5","6"].'],
    ['requests?path=a&path=b', 'path must be a string, found ["a","b"].'],
    ['requests?all&all', 'all must be true or false, found ["",""].'],
    ['tasks?offset=', 'offset must be a number, found "".'],
    ['tasks?family=b-video', 'There is no family "b-video": did you mean b-video-task?'],
    ['tasks?status=sucseeded', 'found "sucseeded": did you mean succeeded?'],
    [
      'tasks?account=alice',
      'there is no key "account" here: possible are status, family, limit, offset, brief.',
    ],
    ['callbacks?task=1', 'there is no key "task" here: did you mean taskId?'],
    [
      'callbacks?kind=chalenge',
      'kind must be one of challenge, delivery, found "chalenge": did you mean challenge?',
    ],
    ['timeline?all', 'there is no key "all" here.'],
    ['health?full=yes', 'full must be true or false, found "yes".'],
    ['requests?all=no', 'all must be true or false, found "no".'],
    ['clock?mod', 'there is no key "mod" here'],
    [
      'wait?for=request&operation=a-image.crate',
      'There is no operation "a-image.crate": did you mean a-image.create?',
    ],
    [
      'wait?for=request&taskId=1',
      'there is no key "taskId" here: possible are operation, status, path, problem, for, count, timeout.',
    ],
    ['wait?for=idle&timout=1s', 'there is no key "timout" here: did you mean timeout? Also possible: for.'],
    ['wait?for=request&problem=bx', 'There is no rule "bx"'],
    ['requests?problem=f-video-v2.schema.durration', 'did you mean f-video-v2.schema.duration?'],
    ['requests?problem=c-video.schema.media[0].url', 'There is no rule "c-video.schema.media[0].url"'],
    ['wait?for=requests', 'for must be one of task, request, callback, inbox, idle, found "requests".'],
  ])('GET /_backlot/%s is refused', async (path, message) => {
    const { status, body } = await as('misspeller').get(`/_backlot/${path}`)
    expect(status).toBe(400)
    expect(body.error.message).toContain(message)
  })

  test.each([
    ['reset?al', ''],
    ['finish?al', ' Also possible: verdict.'],
    ['snapshots?al', ' Also possible: name.'],
  ])('POST /_backlot/%s is refused', async (path, others) => {
    const { status, body } = await as('misspeller').post(`/_backlot/${path}`, {})
    const message = `there is no key "al" here: did you mean all?${others}`
    expect([status, body.error.message]).toEqual([400, message])
  })

  test.each([
    'requests?operation=b-video-task.*&status=200&path=tasks&problem=any&limit=5&offset=0',
    'requests?operation=results.download',
    'requests?operation=c-video.content',
    'requests?problem=b-video-task',
    'requests?problem=b-video-task.schema.content[].role',
    'requests?problem=d-assets.file-type',
    'requests?problem=results.not-expired',
    'tasks?family=a-image&status=pending',
    'callbacks?taskId=1&kind=delivery&status=queued&state=skipped',
    'health?full',
    'health?full=false',
    'health?monitor=7',
    'metrics?monitor=7',
  ])('GET /_backlot/%s finds what there is', async (path) => {
    expect((await as('speller').get(`/_backlot/${path}`)).status).toBe(200)
  })
})
