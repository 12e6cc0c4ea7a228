import '../../examples/family/sketch.family.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningEmulator, startEmulator } from '../../src/index.js'
import { toBeExplainedBy } from '../../src/testing/matchers/outcome.js'

const body = { model: 'delta-sketch-1', prompt: 'a lighthouse' }

let emulator: RunningEmulator
beforeAll(async () => {
  emulator = await startEmulator({
    families: ['examples/family/sketch.family.ts'],
    familySettings: { 'acme-sketch': { secondsToDraw: 60 } },
    timing: 'realistic',
    clock: 'paused',
  })
})
afterAll(() => emulator.stop())

const clientOf = (key: string) => async (path: string, json?: object) => {
  const response = await fetch(emulator.url + path, {
    method: json === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  return { status: response.status, body: (await response.json()) as any }
}

test('a task of a family from outside is made, followed and fetched, and takes as long as its setting says', async () => {
  const call = clientOf('alice')
  const { body: made } = await call('/acme/v1/sketches', body)
  expect(made).toEqual({ id: expect.stringMatching(/^sketch-/) })
  await emulator.account('alice').clock.advance('30s')
  expect((await call(`/acme/v1/sketches/${made.id}`)).body).toMatchObject({ status: 'running' })
  await emulator.account('alice').clock.advance('2m')
  const { body: done } = await call(`/acme/v1/sketches/${made.id}`)
  expect(done).toMatchObject({ status: 'succeeded' })
  expect((await fetch(done.url)).headers.get('content-type')).toBe('image/png')
})

test('the control API, OpenAPI, scenarios and the journal know it', async () => {
  const call = clientOf('bob')
  const control = async (path: string) => (await call(`/_backlot${path}`)).body
  const operations = (await control('/operations')).items.filter(
    (one: { family: string }) => one.family === 'acme-sketch',
  )
  expect(operations.map(({ id }: { id: string }) => id)).toEqual(['acme-sketch.create', 'acme-sketch.read'])
  expect(operations[0]).toMatchObject({
    section: 'Acme',
    samples: [{ name: 'cheapest' }, { name: 'second-model' }],
  })
  const rules = (await control('/rules')).items.map(({ id }: { id: string }) => id)
  expect(rules).toEqual(
    expect.arrayContaining([
      'acme-sketch.prompt-length',
      'acme-sketch.schema.prompt',
      'acme-sketch.credentials',
    ]),
  )
  expect((await control('/gaps')).items.map(({ id }: { id: string }) => id)).toContain('ACME1')
  expect((await control('/scenarios/words')).errors['acme-sketch']).toContain('too_many')
  const { paths, components, tags } = await control('/openapi.json?part=service')
  expect(paths['/acme/v1/sketches'].post.responses).toMatchObject({ 200: {}, 400: {}, 429: {} })
  expect(components.schemas).toMatchObject({ AcmeSketch: {}, AcmeSketchProblem: {} })
  expect(tags).toContainEqual({ name: '§Acme', description: 'Sketches' })

  const bob = emulator.account('bob')
  await bob.fail('acme-sketch.create', { error: 'too_many', times: 1 })
  expect(await call('/acme/v1/sketches', body)).toMatchObject({ status: 429, body: { error: 'too_many' } })
  expect((await call('/acme/v1/sketches', { ...body, prompt: 'x'.repeat(81) })).body).toEqual({
    error: 'bad_request',
    message: 'prompt must be at most 80 characters long, found 81.',
  })
  const [refused] = await bob.requests.list({ problem: 'acme-sketch.prompt-length' })
  expect(refused).toMatchObject({ operation: 'acme-sketch.create' })
  const matching = { isNot: false, utils: { stringify: String } }
  expect(toBeExplainedBy.call(matching, refused, 'acme-sketch.prompt-length')).toMatchObject({ pass: true })
  expect(toBeExplainedBy.call(matching, refused, 'acme-sketch.size')).toMatchObject({ pass: false })
  expect(() => toBeExplainedBy.call(matching, refused, 'acme-sketches.size' as never)).toThrow(
    'There is no rule',
  )
  const { body: made } = await call('/acme/v1/sketches', body)
  await bob.tasks.fail(made.id, 'broken')
  expect((await call(`/acme/v1/sketches/${made.id}`)).body.error).toMatchObject({ code: 'broken' })
})

test('a family that is broken starts nothing', async () => {
  await expect(startEmulator({ families: ['./nowhere.family.ts'] })).rejects.toMatchObject({
    code: 'bad-family',
  })
})

/** A client whose account plays one step on calls of the family. */
const under = async (key: string, when: object, then: object) => {
  const handles = emulator.account(key)
  await handles.scenario.play({
    name: 'one-step',
    description: 'One step.',
    steps: [{ when, then }],
  } as never)
  const call = clientOf(key)
  return {
    call,
    made: async (change: object = {}) =>
      (await call('/acme/v1/sketches', { ...body, ...change })).body.id as string,
    read: (id: string) => call(`/acme/v1/sketches/${id}`),
    advance: (by: string) => handles.clock.advance(by as never),
  }
}

test.each<[string, object, object, object]>([
  ['runs longer', { runningFor: '10m' }, { status: 'running' }, { status: 'succeeded' }],
  [
    'fails with an error of the family',
    { fails: { error: 'broken', after: '1s' } },
    { status: 'failed', error: { code: 'broken' } },
    { status: 'failed' },
  ],
  ['has no URL', { withoutUrl: true }, { status: 'succeeded' }, { status: 'succeeded' }],
  [
    'has another word',
    { statusWords: { succeeded: 'painted' } },
    { status: 'painted' },
    { status: 'painted' },
  ],
])('a scenario has a task that %s', async (name, effect, soon, late) => {
  const { made, read, advance } = await under(
    `effect-${Object.keys(effect)[0]}`,
    { operation: 'acme-sketch.create', model: 'delta-sketch-1', prompt: { contains: 'lighthouse' } },
    { task: effect },
  )
  const id = await made()
  const other = await made({ model: 'delta-sketch-2' })
  await advance('5m')
  expect((await read(id)).body, name).toMatchObject(soon)
  expect((await read(other)).body).toMatchObject({ status: 'succeeded', url: expect.any(String) })
  if ('withoutUrl' in effect) expect((await read(id)).body).not.toHaveProperty('url')
  await advance('1h')
  expect((await read(id)).body).toMatchObject(late)
})

test('a scenario acts on answers, connections and results of the family', async () => {
  const thin = await under('thin', { operation: 'acme-sketch.read' }, { answer: { without: ['status'] } })
  expect((await thin.read(await thin.made())).body).not.toHaveProperty('status')

  const reset = await under(
    'reset',
    { operation: 'acme-sketch.create', nth: 2 },
    { transport: { reset: true } },
  )
  await reset.made()
  await expect(reset.made()).rejects.toThrow()

  const gone = await under(
    'gone',
    { operation: 'results.download', family: 'results' },
    { result: { missing: true } },
  )
  const id = await gone.made()
  await gone.advance('5m')
  const { url } = (await gone.read(id)).body
  expect((await fetch(url)).status).toBe(404)

  const lost = await under(
    'lost',
    { operation: 'acme-sketch.*', status: 'running' },
    { answer: { error: 'not_found' } },
  )
  const running = await lost.made()
  expect((await lost.read(running)).status).toBe(200)
  await lost.advance('30s')
  expect(await lost.read(running)).toMatchObject({ status: 404, body: { error: 'not_found' } })
})

test('what a scenario cannot do to the family is refused with the reason', async () => {
  const play = (when: object, then: object) => under('refused', when, then)
  const create = { operation: 'acme-sketch.create' }
  await expect(play(create, { answer: { error: 'to_many' } })).rejects.toThrow(/did you mean too_many/)
  await expect(play({ operation: 'acme-sketch.list' }, { answer: { status: 503 } })).rejects.toThrow(
    /acme-sketch\.list/,
  )
  await expect(play({ ...create, callback: 'delivery' }, { callback: { never: true } })).rejects.toThrow()
  await expect(play(create, { task: { expires: { after: '1s' } } })).rejects.toThrow()
})

test('a profile changes its paths, errors, rules, answers, timing and limits', async () => {
  const own = await startEmulator({
    families: ['examples/family/sketch.family.ts'],
    clock: 'paused',
    profile: {
      paths: { acme: 'studio' },
      errors: { 'acme-sketch': { asleep: { status: 503, message: 'It sleeps' } } },
      cases: { 'acme-sketch': { unauthenticated: 'asleep' } },
      rules: { 'acme-sketch.prompt-length': 'off' },
      answers: {
        'acme-sketch.read': { rename: { url: 'picture' }, set: { vendor: 'acme' } },
        'acme-sketch.create': { headers: { 'X-Request-Id': null } },
      },
      timing: {
        'acme-sketch': { queued: '2s', running: '8s', models: { 'delta-sketch-2': { running: '1m' } } },
      },
      rateLimits: { requestsPerMinute: 2, headers: { 'X-Left': 'remaining' } },
    },
  } as never)
  try {
    const call = (method: string, path: string, json?: object, key = 'Bearer alice') =>
      fetch(own.url + path, {
        method,
        headers: { ...(key === '' ? {} : { Authorization: key }), 'Content-Type': 'application/json' },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      })
    const made = await call('POST', '/studio/v1/sketches', { ...body, prompt: 'x'.repeat(81) })
    expect([made.status, made.headers.get('x-left'), made.headers.get('x-request-id')]).toEqual([
      200,
      '1',
      null,
    ])
    const { id } = (await made.json()) as { id: string }
    const slow = await call('POST', '/studio/v1/sketches', { ...body, model: 'delta-sketch-2' })
    const { id: second } = (await slow.json()) as { id: string }
    expect((await call('POST', '/studio/v1/sketches', body)).status).toBe(429)
    const statusOf = async (task: string) =>
      (await (await call('GET', `/studio/v1/sketches/${task}`)).json()) as object
    await own.account('alice').clock.advance('10s')
    expect(await statusOf(id)).toMatchObject({
      status: 'succeeded',
      picture: expect.any(String),
      vendor: 'acme',
    })
    expect(await statusOf(second)).toMatchObject({ status: 'running' })
    const keyless = await call('POST', '/studio/v1/sketches', body, '')
    expect([keyless.status, await keyless.json()]).toEqual([503, { error: 'asleep', message: 'It sleeps.' }])
    expect((await call('POST', '/acme/v1/sketches', body)).status).toBe(404)
  } finally {
    await own.stop()
  }
})
