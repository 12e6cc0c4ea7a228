import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { b, c, create, e, startPlaying, type VideoFamily, videoFamilies } from './play.js'

test.each<[VideoFamily, string]>([
  [b, 'OperationDenied.AgreementNotAccepted'],
  [c, 'access_denied'],
  [e, 'access_denied'],
])('agreement-withdrawn: $id refuses from the second video on', async (family, error) => {
  const { ask } = await startPlaying('agreement-withdrawn')
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
    const playing = await startPlaying('balance-runs-out')
    const id = await create(playing, family)
    await create(playing, family)
    const third = await playing.ask('POST', family.create, family.body())
    expect([402, 403]).toContain(third.status)
    expect(third.text).toContain('insufficient balance')
    expect((await playing.poll(family, id)).at(-1)?.body.status).toBe('succeeded')
  },
)

test.each(videoFamilies)('queue-full: $id takes a second task once the first has ended', async (family) => {
  const playing = await startPlaying('queue-full')
  const id = await create(playing, family)
  expect((await playing.ask('POST', family.create, family.body())).status).toBe(429)
  await playing.poll(family, id)
  expect((await playing.ask('POST', family.create, family.body())).status).toBe(200)
})

test('clock-skew: times of the service are an hour ahead from the first call on', async () => {
  const playing = await startPlaying('clock-skew', { clock: 'paused', startAt: '2026-01-01T00:00:00Z' })
  const id = await create(playing, b)
  const { body } = await playing.ask('GET', b.query(id))
  expect(body.created_at).toBe(Date.UTC(2026, 0, 1, 1) / 1_000)
  expect((await playing.account.clock.read()).now).toBe('2026-01-01T01:00:00.000Z')
})

const picture = await readFile(new URL('../../../fixtures/media/square.png', import.meta.url))

test.each([
  ['asset-never-ready', { code: 202, data: { status: 'Processing' } }],
  ['asset-job-fails', { code: 500, data: { status: 'Failed', error: { code: 'InternalError' } } }],
])('%s: the first asset is lost, the second is ready', async (scenario, expected) => {
  const playing = await startPlaying(scenario, { clock: 'paused' })
  const jobs = [await playing.upload('a.png', picture), await playing.upload('b.png', picture)]
  await playing.account.clock.advance('1h')
  const [first, second] = await Promise.all(
    jobs.map(({ body }) => playing.ask('GET', `/v1/asset/jobs/get-asset-id?task_id=${body.data.task_id}`)),
  )
  expect([first?.status, first?.body]).toMatchObject([200, expected])
  expect(second?.body).toMatchObject({ code: 200, data: { status: 'Active' } })
})

test('asset-never-ready: an upload that is refused has lost no asset', async () => {
  const playing = await startPlaying('asset-never-ready')
  expect((await playing.upload('a.png', Buffer.from('no picture'))).body.code).not.toBe(200)
  expect(await playing.account.scenario.steps()).toMatchObject([{ seen: 1, acted: 0 }])
})

test('a step changes the balance, the agreement and a limit of an account at once, and nothing else of it', async () => {
  const playing = await startPlaying({
    name: 'mine',
    description: 'The account is another from the second query on.',
    steps: [
      {
        when: { operation: 'b-video-task.list', nth: 2 },
        then: { account: { balance: 7, agreementAccepted: false, limits: { tasksInFlight: 1 } } },
      },
    ],
  })
  await playing.ask('GET', b.create)
  const before = await playing.account.read()
  await playing.ask('GET', b.create)
  expect(await playing.account.read()).toEqual({
    ...before,
    balance: 7,
    agreementAccepted: false,
    limits: { ...before.limits, tasksInFlight: 1 },
  })
})
