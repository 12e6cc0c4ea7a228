import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { bodies, openInProcess, paths } from '../emulator.js'

const { agent, as } = openInProcess({ strict: false })

const authorized = (authorization: string) =>
  agent.post(paths.image).set('Authorization', authorization).send(bodies.image())

describe('credentials (gap X1, X2, Z29)', () => {
  test.each(['Bearer KEY', 'bearer KEY', 'KEY', 'Bearer   KEY'])('%s is read', async (spelling) => {
    expect((await authorized(spelling)).status).toBe(200)
  })

  test.each(['Bearer', 'Bearer ', ' ', 'Bearer invalid', 'invalid', 'invalid-anything'])(
    '%j is refused with 401 in the shape of the family',
    async (spelling) => {
      const { status, body } = await authorized(spelling)
      expect(status).toBe(401)
      expect(body).toEqual({
        request_id: expect.any(String),
        code: 'InvalidApiKey',
        message: expect.any(String),
      })
    },
  )

  test('a missing key is 401 in the shape of B', async () => {
    const { status, body } = await agent.get(`${paths.tasks}/x`)
    expect(status).toBe(401)
    expect(body.error).toMatchObject({ code: 'AuthenticationError', type: 'Unauthorized' })
    expect(body.error.message).toMatch(/Request id: \S+$/)
  })

  test('a token that looks like a JWT ends with its exp on the clock of its account', async () => {
    const exp = Date.UTC(2026, 0, 1, 1) / 1_000
    const token = `e30.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.sig`
    await as(token).clock.advance('59m59s')
    expect((await authorized(`Bearer ${token}`)).status).toBe(200)
    await as(token).clock.advance('1s')
    expect((await authorized(`Bearer ${token}`)).status).toBe(401)
  })

  test('where accounts are configured, other keys are invalid', async () => {
    const { as: listed } = openInProcess({ account: ['one', { key: 'two', balance: 5 }] })
    expect((await listed('one').post(paths.image, bodies.image())).status).toBe(200)
    expect((await listed('two').read()).balance).toBe(5)
    expect((await listed('three').post(paths.image, bodies.image())).status).toBe(401)
  })
})

describe('a key that is a word', () => {
  test.each([
    ['duration', bodies.task({ duration: 99 }), { code: 'InvalidParameter', param: 'duration' }],
    ['InvalidParameter', bodies.task({ duration: 99 }), { code: 'InvalidParameter', param: 'duration' }],
    ['BadRequest', bodies.task({ duration: 99 }), { type: 'BadRequest' }],
  ])('%s: the words of the interface stay whole', async (key, body, error) => {
    expect((await as(key).post(paths.tasks, body)).body.error).toMatchObject(error)
  })

  test('the sentence of a refusal does not say it where the client put it', async () => {
    const { body } = await as('my-own-key-1').post(paths.tasks, bodies.task({ ratio: 'my-own-key-1' }))
    expect(body.error).toMatchObject({ param: 'ratio', message: expect.stringContaining('found "(key)"') })
  })

  test('with strict, neither sentence nor param says it where it is the name of a field', async () => {
    const strict = openInProcess({ strict: true }).as('my-own-key-2')
    const { body } = await strict.post(paths.tasks, bodies.task({ 'my-own-key-2': 1 }))
    expect(body.error).toMatchObject({ code: 'InvalidParameter', param: '(key)' })
    expect(JSON.stringify(body)).not.toContain('my-own-key-2')
  })
})

test('a field that has the name of the key is not said in the journal either', async () => {
  const { agent, as } = openInProcess({ strict: true })
  const sent = agent.post('/v1/asset/upload').set('Authorization', 'my-own-key-3').field('my-own-key-3', 'x')
  const { status, headers } = await sent.attach('file', Buffer.from('no picture'), 'a.png')
  expect(status).toBe(400)
  const { body } = await as('my-own-key-3').get(`/_backlot/requests/${headers['x-request-id']}`)
  expect(body.refusedBy[0]).toMatchObject({ rule: 'd-assets.strict', field: '(key)' })
  expect(JSON.stringify(body)).not.toContain('my-own-key-3')
})

describe('reserved keys (gap X1)', () => {
  test('no-balance: a video is refused as unpaid, an image as over quota', async () => {
    const video = await as('no-balance-1').post(paths.tasks, bodies.task())
    expect([video.status, video.body.error.code]).toEqual([403, 'AccountOverdueError'])
    expect(video.body.error.message).toContain('insufficient balance')
    const image = await as('no-balance-1').post(paths.image, bodies.image())
    expect([image.status, image.body.code]).toEqual([429, 'Throttling.AllocationQuota'])
    expect(image.body.message).toContain('insufficient balance')
  })

  test('no-agreement: a video is refused', async () => {
    const { status, body } = await as('no-agreement').post(paths.tasks, bodies.task())
    expect([status, body.error.code]).toEqual([403, 'OperationDenied.AgreementNotAccepted'])
  })

  test('rate-limited: every create is 429 with Retry-After, a query is not', async () => {
    const { status, headers, body } = await as('rate-limited').post(paths.tasks, bodies.task())
    expect([status, body.error.code]).toEqual([429, 'RateLimitExceeded.EndpointRPMExceeded'])
    expect(headers['retry-after']).toMatch(/^\d+$/)
    expect((await as('rate-limited').get(paths.tasks)).status).toBe(200)
  })
})

describe('the rate limit comes before anything is looked at (gap X1, X6)', () => {
  const limited = openInProcess({ imageBodyBytes: 1_000, videoBodyBytes: 1_000, requestsPerMinute: 1 }).as
  const bodiesThatCannotBeRead: [string, Record<string, string>, string][] = [
    ['no JSON', { 'Content-Type': 'application/json' }, '{'],
    ['a form', { 'Content-Type': 'multipart/form-data; boundary=x' }, '--x--'],
    ['packed', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }, 'x'],
    ['too large', { 'Content-Type': 'application/json' }, `"${'x'.repeat(1_000)}"`],
  ]
  const everyPath = [paths.image, paths.tasks, '/v1/videos', '/provC/v2/video_generation', '/v1/asset/upload']
  const sent = (key: string, path: string, headers: Record<string, string>, text: string) =>
    limited(key).post(path, '').set(headers).send(text)

  test.each(bodiesThatCannotBeRead)(
    'a body that is %s: 429 for the key, on every path',
    async (_, headers, text) => {
      for (const path of everyPath) {
        const { status, headers: answered } = await sent('rate-limited', path, headers, text)
        expect([path, status, answered['retry-after']]).toEqual([path, 429, expect.stringMatching(/^\d+$/)])
      }
    },
  )

  test.each(bodiesThatCannotBeRead)(
    'a body that is %s: 429 once a limit is reached, and not before',
    async (name, headers, text) => {
      const key = `limited-by-hand-${name}`
      expect([400, 413]).toContain((await sent(key, paths.tasks, headers, text)).status)
      expect((await limited(key).post(paths.tasks, bodies.task())).status).toBe(200)
      expect((await sent(key, paths.tasks, headers, text)).status).toBe(429)
    },
  )

  test.each(bodiesThatCannotBeRead)(
    'a body that is %s: a key that is no account is 401 before all',
    async (_, headers, text) => {
      for (const path of everyPath) expect((await sent('invalid', path, headers, text)).status).toBe(401)
    },
  )
})

describe('request ids (gap X3)', () => {
  test('are in the header and the same in the body', async () => {
    const { headers, body } = await as('ids').post(paths.image, bodies.image())
    expect(headers['x-request-id']).toBe(body.request_id)
  })

  test('differ from call to call and repeat in another emulator', async () => {
    const idsIn = async (renderer: ReturnType<typeof openInProcess>) => {
      const first = await renderer.as('twice').post(paths.image, bodies.image())
      const second = await renderer.as('twice').post(paths.image, bodies.image())
      return [first.body.request_id, second.body.request_id]
    }
    const here = await idsIn(openInProcess())
    expect(here[0]).not.toBe(here[1])
    expect(await idsIn(openInProcess())).toEqual(here)
    expect(await idsIn(openInProcess({ seed: 2 }))).not.toEqual(here)
  })
})

describe('limits of an account (gap X6)', () => {
  test('requests a minute: the one over it waits as long as Retry-After says', async () => {
    const guest = as('busy')
    await guest.change({ limits: { requestsPerMinute: 2 } })
    await guest.post(paths.image, bodies.image())
    await guest.clock.advance('10s')
    expect((await guest.post(paths.image, bodies.image())).status).toBe(200)
    const refused = await guest.post(paths.image, bodies.image())
    expect([refused.status, refused.body.code]).toEqual([429, 'Throttling.RateQuota'])
    expect(refused.headers['retry-after']).toBe('50')
    await guest.clock.advance('49s')
    expect((await guest.post(paths.image, bodies.image())).status).toBe(429)
    await guest.clock.advance('1s')
    expect((await guest.post(paths.image, bodies.image())).status).toBe(200)
  })

  test('a task that is held is in flight', async () => {
    const guest = as('held')
    await guest.change({ limits: { tasksInFlight: 1 } })
    const video = { model: 'gamma-H3', duration: 5, content: [{ type: 'text', text: 'a lighthouse' }] }
    await guest.post('/provC/v2/video_generation', video)
    const [task] = await guest.tasks.list()
    await guest.tasks.force(task?.id ?? '', 'running')
    expect((await guest.read()).tasksInFlight).toBe(1)
    expect((await guest.post(paths.tasks, bodies.task())).status).toBe(429)
  })

  test('a limit that is undefined stays as it is', async () => {
    const guest = as('careless')
    await guest.change({ limits: { requestsPerMinute: 5 } })
    const { limits } = await guest.change({ limits: { requestsPerMinute: undefined } })
    expect(limits.requestsPerMinute).toBe(5)
  })

  test('tasks in flight: one more is accepted once one has ended', async () => {
    const guest = as('crowded')
    await guest.change({ limits: { tasksInFlight: 1 } })
    expect((await guest.post(paths.tasks, bodies.task())).status).toBe(200)
    const refused = await guest.post(paths.tasks, bodies.task())
    expect([refused.status, refused.body.error.code]).toEqual([429, 'SetLimitExceeded'])
    expect(refused.headers['retry-after']).toBe('1')
    await guest.clock.advance({ to: 'idle' })
    const accepted = await guest.post(paths.tasks, bodies.task())
    expect([accepted.status, accepted.headers['retry-after']]).toEqual([200, undefined])
  })
})

describe('money (gap X4)', () => {
  test('a task is charged when it succeeds, and not before', async () => {
    const guest = as('payer')
    await guest.post(paths.tasks, bodies.task())
    expect((await guest.read()).spent).toBe(0)
    await guest.clock.advance({ to: 'idle' })
    expect((await guest.read()).spent).toBeCloseTo(0.5)
  })

  test.each([
    ['cancelled', (id: string) => as('cancelled').delete(`${paths.tasks}/${id}`)],
    ['failed', (id: string) => as('failed').tasks.fail(id, 'InternalServiceError')],
    ['expired', (id: string) => as('expired').tasks.force(id, 'expired')],
  ])('a task that is %s is not charged', async (key, end) => {
    const { body } = await as(key).post(paths.tasks, bodies.task())
    await end(body.id)
    await as(key).clock.advance({ to: 'idle' })
    expect((await as(key).read()).spent).toBe(0)
  })

  test('prices can be set by model and resolution', async () => {
    const { as: priced } = openInProcess({ prices: { 'videoa-2-0-260128 480p': 2, 'videoa-2-0-260128': 3 } })
    await priced('k').post(paths.tasks, bodies.task({ resolution: '480p', duration: 4 }))
    await priced('k').post(paths.tasks, bodies.task({ resolution: '720p', duration: 4 }))
    await priced('k').clock.advance({ to: 'idle' })
    expect((await priced('k').read()).spent).toBe(2 * 4 + 3 * 4)
  })
})

describe('paths (gap X7, Z29)', () => {
  test.each([
    ['get', '/'],
    ['get', '/v2/nothing'],
    ['delete', paths.image],
    ['get', paths.image],
    ['put', paths.tasks],
    ['get', '/results/nothing'],
  ] as const)('%s %s is unknown, with or without a key', async (method, path) => {
    const { status, body, headers } = await agent[method](path)
    expect(status).toBe(404)
    expect(headers['x-request-id']).toBeTruthy()
    expect(body).toEqual({
      error: {
        message: `Invalid URL (${method.toUpperCase()} ${path})`,
        type: 'invalid_request_error',
        param: '',
        code: '',
      },
    })
  })
})

describe('bodies (gap X8, X11, A7)', () => {
  test.each(['{', '[1,', 'not json', ''])(
    '%j cannot be read and is 400 in the shape of the family',
    async (text) => {
      const image = await as('k').post(paths.image, text)
      expect([image.status, image.body.code]).toEqual([400, 'InvalidParameter'])
      const video = await as('k').post(paths.tasks, text)
      expect([video.status, video.body.error.type]).toEqual([400, 'BadRequest'])
    },
  )

  test('a body over the limit is 413, one of exactly the limit is read', async () => {
    const text = JSON.stringify(bodies.image())
    const { as: small } = openInProcess({ imageBodyBytes: text.length })
    expect((await small('k').post(paths.image, text)).status).toBe(200)
    const { status, body } = await small('k').post(paths.image, `${text} `)
    expect([status, body.code]).toEqual([413, 'RequestBodyTooLarge'])
  })

  test('unknown fields are ignored and remembered', async () => {
    const guest = as('curious')
    const response = await guest.post(paths.image, {
      ...bodies.image({ size: '512*512', quality: 9 }),
      extra: 1,
    })
    expect(response.status).toBe(200)
    const entry = await guest.requests.get(response.headers['x-request-id'] as string)
    expect(entry.ignored).toEqual(['parameters.quality', 'extra'])
  })

  test('with strict, an unknown field is refused by its name', async () => {
    const { as: strict } = openInProcess({ strict: true })
    const { status, body } = await strict('k').post(paths.image, { ...bodies.image(), extra: 1 })
    expect(status).toBe(400)
    expect(body.message).toContain('extra')
  })

  test.each(['multipart/form-data', 'Multipart/Form-Data', 'MULTIPART/MIXED'])(
    '%s is no JSON, however it is spelt',
    async (type) => {
      const sent = (path: string) =>
        as('k').post(path, '').set('Content-Type', `${type}; boundary=x`).send('--x--')
      const [a, b, c] = [await sent(paths.image), await sent(paths.tasks), await sent('/v1/videos')]
      expect([a.status, b.status, c.status]).toEqual([400, 400, 415])
      for (const { text } of [a, b, c]) expect(text).toContain('must be JSON (application/json)')
    },
  )

  test.each([
    ['identity', 200],
    ['Identity', 200],
    ['', 200],
    ['gzip', 400],
    ['GZIP', 400],
  ])('a body with Content-Encoding "%s" is %s', async (encoding, status) => {
    const answer = await as('k').post(paths.tasks, bodies.task()).set('Content-Encoding', encoding)
    expect(answer.status).toBe(status)
    const fixture = fileURLToPath(new URL('../../fixtures/media/square.png', import.meta.url))
    const upload = agent.post('/v1/asset/upload').set({ Authorization: 'k', 'Content-Encoding': encoding })
    expect((await upload.attach('file', fixture)).status).toBe(status)
  })

  test.each([
    ['no JSON', 'application/json', '{'],
    ['a form', 'multipart/form-data; boundary=x', '--x--'],
    ['JSON', 'application/json', '{"model":3}'],
  ])('DELETE has no body: what comes all the same is let be (%s)', async (_, type, text) => {
    const { body } = await as('deleter').post(paths.tasks, bodies.task())
    const answer = await as('deleter')
      .delete(`${paths.tasks}/${body.id}`)
      .set('Content-Type', type)
      .send(text)
    expect([answer.status, answer.body]).toEqual([200, {}])
    expect((await as('deleter').get(`${paths.tasks}/${body.id}`)).body.status).toBe('cancelled')
  })

  test('a multipart body is refused where JSON is wanted', async () => {
    const { status, body } = await agent.post(paths.image).set('Authorization', 'k').field('model', 'x')
    expect(status).toBe(400)
    expect(body.message).toContain('application/json')
  })
})

test('one account never sees the tasks of another', async () => {
  const { body } = await as('mine').post(paths.tasks, bodies.task())
  expect((await as('mine').get(`${paths.tasks}/${body.id}`)).status).toBe(200)
  expect((await as('yours').get(`${paths.tasks}/${body.id}`)).status).toBe(404)
  expect((await as('yours').get(paths.tasks)).body.total).toBe(0)
})
