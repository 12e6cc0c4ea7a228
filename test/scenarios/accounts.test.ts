import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { b, c, create, e, openStage, type VideoFamily, videoFamilies } from './stage.js'

test.each<[VideoFamily, string]>([
  [b, 'OperationDenied.AgreementNotAccepted'],
  [c, 'access_denied'],
  [e, 'access_denied'],
])('agreement-withdrawn: $id refuses from the second video on', async (family, error) => {
  const { ask } = await openStage('agreement-withdrawn')
  const answers = [
    await ask('POST', family.create, family.body()),
    await ask('POST', family.create, family.body()),
    await ask('POST', family.create, family.body()),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 403, 403])
  expect(answers[1]?.body.error.code).toBe(error)
})

test.each(videoFamilies)(
  'balance-runs-out: $id refuses the third video and makes the others',
  async (family) => {
    const stage = await openStage('balance-runs-out')
    const id = await create(stage, family)
    await create(stage, family)
    const third = await stage.ask('POST', family.create, family.body())
    expect([402, 403]).toContain(third.status)
    expect(third.text).toContain('insufficient balance')
    expect((await stage.poll(family, id)).at(-1)?.body.status).toBe('succeeded')
  },
)

test.each(videoFamilies)('queue-full: $id takes a second task once the first has ended', async (family) => {
  const stage = await openStage('queue-full')
  const id = await create(stage, family)
  expect((await stage.ask('POST', family.create, family.body())).status).toBe(429)
  await stage.poll(family, id)
  expect((await stage.ask('POST', family.create, family.body())).status).toBe(200)
})

test('clock-skew: times of the service are an hour ahead from the first call on', async () => {
  const stage = await openStage('clock-skew', { clock: 'paused', startAt: '2026-01-01T00:00:00Z' })
  const id = await create(stage, b)
  const { body } = await stage.ask('GET', b.query(id))
  expect(body.created_at).toBe(Date.UTC(2026, 0, 1, 1) / 1_000)
  expect((await stage.handles.clock.read()).now).toBe('2026-01-01T01:00:00.000Z')
})

const picture = await readFile(new URL('../../fixtures/media/square.png', import.meta.url))

test.each([
  ['asset-never-ready', { code: 202, data: { status: 'Processing' } }],
  ['asset-job-fails', { code: 500, data: { status: 'Failed', error: { code: 'InternalError' } } }],
])('%s: the first asset is lost, the second is ready', async (scenario, expected) => {
  const stage = await openStage(scenario, { clock: 'paused' })
  const jobs = [await stage.upload(picture, 'a.png'), await stage.upload(picture, 'b.png')]
  await stage.handles.clock.advance('1h')
  const [first, second] = await Promise.all(
    jobs.map(({ body }) => stage.ask('GET', `/v1/asset/jobs/get-asset-id?task_id=${body.data.task_id}`)),
  )
  expect([first?.status, first?.body]).toMatchObject([200, expected])
  expect(second?.body).toMatchObject({ code: 200, data: { status: 'Active' } })
})

test('asset-never-ready: an upload that is refused has lost no asset', async () => {
  const stage = await openStage('asset-never-ready')
  expect((await stage.upload(Buffer.from('no picture'), 'a.png')).body.code).not.toBe(200)
  expect(await stage.handles.scenario.steps()).toMatchObject([{ seen: 1, acted: 0 }])
})

test('a step changes the balance, the agreement and a limit of an account at once, and nothing else of it', async () => {
  const stage = await openStage({
    name: 'mine',
    description: 'The account is another from the second query on.',
    steps: [
      {
        when: { operation: 'b-video-task.list', nth: 2 },
        then: { account: { balance: 7, agreementAccepted: false, limits: { tasksInFlight: 1 } } },
      },
    ],
  })
  await stage.ask('GET', b.create)
  const before = await stage.handles.read()
  await stage.ask('GET', b.create)
  expect(await stage.handles.read()).toEqual({
    ...before,
    balance: 7,
    agreementAccepted: false,
    limits: { ...before.limits, tasksInFlight: 1 },
  })
})
