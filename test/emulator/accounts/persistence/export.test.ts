import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openFolder, start } from './start.js'

const open = async (settings = {}) => start(join(await openFolder(), 'state.jsonl'), settings)

const uploaded = async (url: string) => {
  const bytes = new Uint8Array(await readFile('fixtures/media/first-frame.png'))
  const form = new FormData()
  form.append('file', new Blob([bytes], { type: 'image/png' }), 'first-frame.png')
  await fetch(`${url}/v1/asset/upload`, {
    method: 'POST',
    headers: { authorization: 'Bearer k' },
    body: form,
  })
  return bytes
}

test('an emulator imports the export of another one, with the files of assets', async () => {
  const [here, there] = [await open(), await open()]
  const id = await here.createB()
  const bytes = await uploaded(here.url)
  await here.scenario.play({
    name: 'a-delay',
    says: 'waits',
    steps: [{ then: { transport: { delay: '1ms' } } }],
  })
  await here.clock.advance({ to: 'next' })
  await here.as('other').createB()
  const { body } = await here.ask('GET', '/_backlot/state?all')
  await there.as('in the way').createB()
  const imported = await there.ask('PUT', '/_backlot/state?all', body)
  expect([imported.status, imported.body]).toEqual([200, { accounts: 2, tasks: 2, missing: [] }])
  expect(await there.tasks.list()).toEqual(await here.tasks.list())
  expect(await there.scenario.steps()).toEqual(await here.scenario.steps())
  expect(await there.clock.read()).toEqual(await here.clock.read())
  expect((await there.query(id)).body.id).toBe(id)
  expect(there.emulator.blobs.stats().pinnedBytes).toBe(bytes.length)
  expect(await there.emulator.store.keys()).toEqual(['k', 'other'])
})

test('an asset whose file is gone is exported without it, and named when it is imported elsewhere', async () => {
  const [here, there] = [await open(), await open()]
  await uploaded(here.url)
  const whole = (await here.ask('GET', '/_backlot/state')).body
  for (const hash of Object.keys(whole.media)) await rm(here.emulator.blobs.path(hash))
  const { body } = await here.ask('GET', '/_backlot/state')
  expect(body.media).toEqual({})
  const missing = whole.accounts[0].assets.map(({ id }: { id: string }) => id)
  expect(missing).toHaveLength(1)
  expect((await there.ask('PUT', '/_backlot/state', body)).body.missing).toEqual(missing)
})

test('a document with many mistakes is refused with the first twenty', async () => {
  const here = await open()
  const { body } = await here.ask('GET', '/_backlot/state')
  const [account] = body.accounts
  const tasks = Array(30).fill(1)
  const refused = await here.ask('PUT', '/_backlot/state', { ...body, accounts: [{ ...account, tasks }] })
  const { message } = refused.body.error
  expect(message).toContain('accounts[0].tasks[19] must be ')
  expect(message).not.toContain('tasks[20]')
})

test('parameters that were edited are refused as their family sees them', async () => {
  const here = await open()
  const id = await here.createB()
  const { body } = await here.ask('GET', '/_backlot/state')
  const edited = JSON.parse(JSON.stringify(body).replace('"ratio":"16:9"', '"ratio":"x"'))
  const refused = await here.ask('PUT', '/_backlot/state', edited)
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 'bad-state' } } })
  expect(JSON.stringify(refused.body)).toContain(`in the task ${id}, params.ratio must be `)
})

test('a scenario to which a step was added is refused, since it plays with other counts', async () => {
  const here = await open()
  await here.scenario.play({ name: 'two', says: 'waits', steps: [{ then: { transport: { delay: '1ms' } } }] })
  const { body } = await here.ask('GET', '/_backlot/state')
  const [scenario] = Object.values(body.scenarios) as { steps: object[] }[]
  scenario?.steps.push(...scenario.steps)
  const refused = await here.ask('PUT', '/_backlot/state', body)
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 'bad-state' } } })
  expect(refused.body.error.message).toContain(
    'in the run of the scenario two, seen must have 2 items, one for each step, found 1',
  )
})

test('a trace under the key __proto__ is refused, since it is no trace', async () => {
  const here = await open()
  await here.scenario.play({ name: 'one', says: 'waits', steps: [{ then: { transport: { delay: '1ms' } } }] })
  const { body } = await here.ask('GET', '/_backlot/state')
  const edited = JSON.parse(JSON.stringify(body).replace('"latest":{}', '"latest":{"__proto__":{}}'))
  const refused = await here.ask('PUT', '/_backlot/state', edited)
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 'bad-state' } } })
  expect(refused.body.error.message).toContain('latest must be an object without the key __proto__')
})

test('one account can be exported and imported alone', async () => {
  const [here, there] = [await open(), await open()]
  await here.createB()
  await there.as('other').createB()
  const { body } = await here.ask('GET', '/_backlot/state')
  expect((await there.ask('PUT', '/_backlot/state', body)).body).toMatchObject({ accounts: 1, tasks: 1 })
  expect(await there.as('other').tasks.list()).toHaveLength(1)
  const refused = await there.as('other').ask('PUT', '/_backlot/state', body)
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 'not-in-state' } } })
})

test('an imported live clock continues from its time in the export', async () => {
  let systemNow = Date.UTC(2026, 5, 1)
  const house = await start(
    join(await openFolder(), 'state.jsonl'),
    { clock: 'live' },
    { systemNow: () => systemNow },
  )
  await house.createB()
  const { body } = await house.ask('GET', '/_backlot/state')
  systemNow += 3_600_000
  await house.ask('PUT', '/_backlot/state', body)
  expect((await house.clock.read()).now).toBe('2026-06-01T00:00:00.000Z')
})

test.each([
  ['no state at all', {}, 'bad-state', 'cannot be read: it is no exported state, which begins with backlot'],
  ['a newer version', { version: 99 }, 'bad-state', 'a newer Backlot'],
  ['another seed', { seed: 7 }, 'other-seed', '7'],
  ['a task that is none', { accounts: [{ tasks: [{ id: 'x' }] }] }, 'bad-state', 'accounts[0]'],
])('%s is refused, and nothing changes', async (name, change, code, part) => {
  const house = await open()
  await house.createB()
  const { body } = await house.ask('GET', '/_backlot/state')
  const { error } = (
    await house.ask('PUT', '/_backlot/state', name === 'no state at all' ? {} : { ...body, ...change })
  ).body
  expect(error.code).toBe(code)
  expect(error.message).toContain(part)
  expect(await house.tasks.list()).toHaveLength(1)
})

test.each([
  ['price', 'free', 'price must be a number, found "free"'],
  ['createdAt', 1e30, 'createdAt must be at most 8640000000000000, found 1e+30'],
  ['callback', { url: 'hook', origin: '' }, 'callback.url must be a URL, found "hook"'],
])('a value of %s that does not fit is named with its place', async (key, value, wrong) => {
  const house = await open()
  const id = await house.createB()
  const { body } = await house.ask('GET', '/_backlot/state')
  body.accounts[0].tasks[0][key] = value
  const { error } = (await house.ask('PUT', '/_backlot/state', body)).body
  expect(error.message).toBe(`The state cannot be read: in the task ${id}, ${wrong}.`)
})

test.each([
  [
    'an unknown error',
    ['InternalServiceError', 'InternalError'],
    'steps[0].then.task.fails.error: there is no error of b-video-task named "InternalError"',
  ],
  [
    'an unknown operation',
    ['b-video-task.create', 'b-video-task.crate'],
    'steps[0].when.operation: there is no operation "b-video-task.crate": did you mean b-video-task.create?',
  ],
])(
  'a scenario that was edited is refused as a scenario file is: %s',
  async (_, [from = '', to = ''], wrong) => {
    const house = await open()
    await house.scenario.play({
      name: 'failing',
      description: 'Every task fails.',
      steps: [
        {
          when: { operation: 'b-video-task.create' },
          then: { task: { fails: { error: 'InternalServiceError' } } },
        },
      ],
    })
    const { body } = await house.ask('GET', '/_backlot/state')
    const id = Object.keys(body.scenarios)[0]
    const edited = { ...body, scenarios: JSON.parse(JSON.stringify(body.scenarios).replace(from, to)) }
    const refused = await house.ask('PUT', '/_backlot/state', edited)
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'bad-state' } } })
    expect(refused.body.error.message).toContain(`The state cannot be read: in the scenario ${id}, ${wrong}`)
  },
)

test('every ready-made scenario that plays is exported and imported', async () => {
  const house = await open({ maxScenarios: 1_000 })
  const { items } = (await house.ask('GET', '/_backlot/scenarios')).body
  for (const { name } of items) await house.scenario.play(name)
  const { body } = await house.ask('GET', '/_backlot/state')
  expect((await house.ask('PUT', '/_backlot/state', body)).status).toBe(200)
})
