import { expect, test } from 'vitest'
import { bodies, clientOf, paths, startOnPort } from '../../emulator.js'

const at = (from: string, to: string): number => Date.parse(to) - Date.parse(from)

test('a row of a table changes, and a new one answers a rule and can be raised', async () => {
  const emulator = await startOnPort({
    balance: 0,
    profile: [
      {
        errors: {
          'c-video': {
            quota_gone: { status: 402, type: 'permission_error', message: 'The quota is used up' },
          },
          'b-video-task': { ServerOverloaded: { status: 503, message: 'Busy' } },
        },
        rules: { 'c-video.balance-is-positive': { error: 'quota_gone' } },
        cases: { 'b-video-task': { invalid: 'MissingParameter' } },
      },
    ],
  })
  const video = { model: 'videoa-2-0-260128', media: [{ type: 'text', text: 'a lighthouse' }] }
  const refused = await emulator.post(paths.videos, video)
  expect(refused.status).toBe(402)
  expect(refused.body).toMatchObject({
    code: 'quota_gone',
    error: { type: 'permission_error', message: 'The quota is used up.' },
  })
  expect((await emulator.requests.get(refused.requestId)).refusedBy[0]).toMatchObject({
    rule: 'c-video.balance-is-positive',
    error: 'quota_gone',
  })
  expect((await emulator.create({ duration: 3 })).body.error.code).toBe('MissingParameter')
  await emulator.fail('c-video.create', { error: 'quota_gone' as never, times: 1 })
  await emulator.change({ balance: 10 })
  expect((await emulator.post(paths.videos, video)).status).toBe(402)
  const { body } = await emulator.post(paths.videos, video)
  await emulator.tasks.fail(body.id, 'quota_gone' as never)
  const failed = await emulator.get(`${paths.videos}/${body.id}`)
  expect(failed.body).toMatchObject({
    status: 'failed',
    error: { code: 'quota_gone', message: 'The quota is used up.' },
  })
  expect((await emulator.read()).balance).toBe(10)
  await emulator.fail('b-video-task.create', { error: 'ServerOverloaded', times: 1 })
  expect((await emulator.create()).status).toBe(503)
})

test('a message of the profile stands where no field is named; one that names a field says what is wrong with it', async () => {
  const emulator = await startOnPort({
    profile: [
      {
        errors: {
          'b-video-task': {
            AccountFrozen: { status: 403, message: 'The account is frozen' },
            InvalidParameter: { message: 'Wrong' },
          },
        },
        cases: { 'b-video-task': { unauthenticated: 'AccountFrozen' } },
      },
    ],
  })
  const keyless = await clientOf(emulator.url, undefined).create()
  expect(keyless).toMatchObject({ status: 403, body: { error: { code: 'AccountFrozen' } } })
  expect(keyless.body.error.message).toMatch(/^The account is frozen\. Request id/)
  const [entry] = await emulator.as('default').requests.list({ status: 403 })
  expect(entry?.refusedBy[0]?.message).toContain('No API key was provided')
  expect((await emulator.create({ duration: 3 })).body.error.message).toMatch(/^duration must be an integer/)
})

test('a rule that is off refuses nothing and is not listed', async () => {
  const emulator = await startOnPort({ profile: [{ rules: { 'b-video-task.text-unless-media': 'off' } }] })
  expect((await emulator.create({ content: [{ type: 'text', text: ' ' }] })).status).toBe(200)
  const ids = (await emulator.get('/_backlot/rules')).body.items.map(({ id }: { id: string }) => id)
  expect(ids).not.toContain('b-video-task.text-unless-media')
  expect(ids).toContain('b-video-task.role-counts')
})

test('paths have other prefixes, several or none', async () => {
  const emulator = await startOnPort({
    profile: [{ paths: { provB: 'ark', v1: ['v1', 'api/v1'], provC: null } }],
  })
  const tasks = '/ark/api/v3/contents/generations/tasks'
  const { body } = await emulator.post(tasks, bodies.task())
  expect((await emulator.get(`${tasks}/${body.id}`)).body.status).toBe('queued')
  expect((await emulator.create()).status).toBe(404)
  for (const prefix of ['/v1', '/api/v1'])
    expect((await emulator.get(`${prefix}/videos/${body.id}`)).status).toBe(200)
  expect((await emulator.post('/v2/video_generation', bodies.second())).status).toBe(200)
  const [wrong] = await emulator.requests.list({ status: 404 })
  expect(await emulator.requests.explain(wrong?.id ?? '')).toEqual([
    expect.stringMatching(`Did you mean POST ${tasks}`),
  ])
})

test('tasks wait and run as the narrowest row says, for every timing or for one', async () => {
  const emulator = await startOnPort({
    profile: [
      {
        timing: {
          'b-video-task': {
            queued: '2s',
            running: '40s',
            models: { 'videoa-2-0-fast-260128': { running: '10s' } },
            fast: { queued: '3s' },
          },
          'f-video-v2': { queued: ['1s', '3s'], running: { median: '40s', p95: '2m' } },
        },
      },
    ],
  })
  const spansOf = async (id: string) => {
    const { timeline } = await emulator.tasks.get(id)
    const [created, started, ended] = timeline.map((moment) => moment.at) as [string, string, string]
    return [at(created, started), at(started, ended)] as const
  }
  expect(await spansOf(await emulator.createB())).toEqual([3_000, 40_000])
  expect(await spansOf(await emulator.createB({ model: 'videoa-2-0-fast-260128' }))).toEqual([3_000, 10_000])
  const spans: (readonly [number, number])[] = []
  for (let count = 0; count < 60; count += 1) spans.push(await spansOf(await emulator.createF()))
  expect(spans.every(([queued]) => queued >= 1_000 && queued <= 3_000)).toBe(true)
  const running = spans.map(([, ms]) => ms).sort((a, b) => a - b)
  expect(running[30]).toBeGreaterThan(25_000)
  expect(running[30]).toBeLessThan(60_000)
  expect(running.filter((ms) => ms > 120_000).length).toBeLessThan(10)
})

test('a timing that is instant for the profile ends at the create', async () => {
  const zero = { queued: '0s', running: '0s' }
  const { createB, statusOfB } = await startOnPort({
    timing: 'instant',
    profile: [{ timing: { 'b-video-task': { queued: '1m', running: '1m', instant: zero } } }],
  })
  expect(await statusOfB(await createB())).toBe('succeeded')
})

test('limits of the profile hold where no setting says another, and headers announce them', async () => {
  const rateLimits = {
    requestsPerMinute: 2,
    headers: {
      'X-Limit': 'limit',
      'X-Left': 'remaining',
      'X-Reset': 'reset',
      'X-Reset-After': 'resetSeconds',
    },
  } as const
  const { create, query, as } = await startOnPort({ profile: [{ rateLimits }] })
  const first = await create()
  const headersOf = ({ headers }: typeof first) =>
    ['x-limit', 'x-left', 'x-reset-after'].map((name) => headers.get(name))
  expect(headersOf(first)).toEqual(['2', '1', '60'])
  expect(Number(first.headers.get('x-reset'))).toBe(Date.UTC(2026, 0, 1) / 1_000 + 60)
  expect(headersOf(await create())).toEqual(['2', '0', '60'])
  const refused = await create()
  expect([refused.status, ...headersOf(refused)]).toEqual([429, '2', '0', '60'])
  expect(headersOf(await query(first.body.id))).toEqual([null, null, null])
  expect((await as('other').create()).headers.get('x-left')).toBe('1')
  const stronger = await startOnPort({ requestsPerMinute: 5, profile: [{ rateLimits }] })
  expect((await stronger.create()).headers.get('x-limit')).toBe('5')
})
