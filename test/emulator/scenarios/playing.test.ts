// biome-ignore-all lint/suspicious/noThenProperty: the word of the file format; it is never a function

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openEmulator } from '../../../src/composition.js'
import { readSettings } from '../../../src/emulator/settings.js'
import type { ScenarioDocument } from '../../../src/generated/scenario-document.js'
import type { GivenScenario, OperationName, ScenarioFile, ScenarioName } from '../../../src/index.js'
import { startEmulator } from '../../../src/start-emulator.js'
import { bodies, openInProcess, paths } from '../../emulator.js'
import { newFolder } from '../../folder.js'

const overloaded = (parts: Partial<ScenarioDocument['steps'][0]> = {}): ScenarioDocument => ({
  name: 'overloaded',
  says: 'The service is overloaded.',
  steps: [
    { when: { operation: 'b-video-task.create' }, then: { answer: { error: 'ServerOverloaded' } }, ...parts },
  ],
})

const { as, agent } = openInProcess()
let accounts = 0
/** A new account with what a test does to it. */
const openAccount = () => {
  accounts += 1
  const account = as(`account-${accounts}`)
  const create = async (change: object = {}) => account.post(paths.tasks, bodies.task(change))
  return { ...account, create, statusOfCreate: async () => (await create()).status }
}

test('a document plays from now on, for this account alone', async () => {
  const [account, other] = [openAccount(), openAccount()]
  await account.scenario.play(overloaded())
  expect(await account.statusOfCreate()).toBe(429)
  expect(await other.statusOfCreate()).toBe(200)
})

test('a stopped scenario acts no more', async () => {
  const account = openAccount()
  await account.scenario.play(overloaded())
  await account.scenario.stop()
  expect(await account.statusOfCreate()).toBe(200)
  expect(await account.scenario.steps()).toEqual([])
})

test('a ready-made scenario plays by its name', async () => {
  const account = openAccount()
  const playing = await account.scenario.play('rate-limit-burst')
  expect(playing).toMatchObject([{ name: 'rate-limit-burst', since: '2026-01-01T00:00:00.000Z' }])
  expect(await account.statusOfCreate()).toBe(429)
})

test('a file plays, and what is wrong in one is told with its place', async () => {
  const folder = newFolder()
  const account = openAccount()
  await writeFile(join(folder, 'mine.json'), JSON.stringify(overloaded()))
  await writeFile(join(folder, 'wrong.yaml'), 'name: wrong\nsays: x\nsteps:\n  - { thn: {} }\n')
  await account.scenario.play(`${folder}/mine.json`)
  expect(await account.statusOfCreate()).toBe(429)
  await expect(account.scenario.play(`${folder}/wrong.yaml`)).rejects.toMatchObject({
    code: 'bad-scenario',
    message: expect.stringContaining('wrong.yaml:4:7: there is no key "thn" here: did you mean then?'),
  })
})

test('the latest of several scenarios is tried first; one of the same name begins anew', async () => {
  const account = openAccount()
  await account.scenario.play(overloaded({ times: 1 }))
  await account.scenario.play({
    ...overloaded(),
    name: 'unavailable',
    steps: [{ when: { operation: 'b-video-task.create', nth: 1 }, then: { answer: { status: 503 } } }],
  })
  const statuses = [
    await account.statusOfCreate(),
    await account.statusOfCreate(),
    await account.statusOfCreate(),
  ]
  expect(statuses).toEqual([503, 429, 200])
  await account.scenario.play(overloaded({ times: 1 }))
  expect((await account.scenario.steps()).map(({ scenario, seen }) => [scenario, seen])).toEqual([
    ['overloaded', 0],
    ['unavailable', 3],
  ])
  expect(await account.statusOfCreate()).toBe(429)
})

test('one of several scenarios can be stopped by its name', async () => {
  const account = openAccount()
  await account.scenario.play(overloaded())
  await account.scenario.play('callback-lost')
  await account.scenario.stop('overloaded' as ScenarioName)
  expect((await account.scenario.steps()).map(({ scenario }) => scenario)).toEqual(['callback-lost'])
  await expect(account.scenario.stop('overloaded' as ScenarioName)).rejects.toMatchObject({
    code: 'not-playing',
    hint: 'There are: callback-lost.',
  })
})

test('steps say how often they were seen and acted, and why they did not act the last time', async () => {
  const account = openAccount()
  await account.scenario.play(
    overloaded({ when: { operation: 'b-video-task.create', nth: 3 }, says: 'Rush hour' }),
  )
  await account.create()
  await account.create()
  expect(await account.scenario.steps()).toEqual([
    {
      scenario: 'overloaded',
      step: 1,
      says: 'Rush hour',
      seen: 2,
      acted: 0,
      times: null,
      required: false,
      lastMiss: 'wants the third b-video-task.create; this was the second',
    },
  ])
})

test('a step that is about several operations explains the latest call, on a clock that stands', async () => {
  const account = openAccount()
  await account.scenario.play(
    overloaded({ when: { operation: ['b-video-task.create', 'b-video-task.list'], nth: 9 } }),
  )
  const latest = async () => (await account.scenario.steps())[0]?.lastMiss?.split('; ')[1]
  await account.create()
  await account.get(paths.tasks)
  expect(await latest()).toBe('this was the second')
  await account.create()
  expect(await latest()).toBe('this was the third')
})

test('required steps that have not acted are unused, and loose ends', async () => {
  const account = openAccount()
  await account.scenario.play(
    overloaded({ when: { operation: 'b-video-task.create', nth: 2 }, required: true }),
  )
  await account.create()
  expect(await account.scenario.unused()).toHaveLength(1)
  expect((await account.looseEnds()).unusedSteps).toMatchObject([
    { scenario: 'overloaded', step: 1, acted: 0 },
  ])
  await account.create()
  expect(await account.scenario.unused()).toEqual([])
  expect((await account.looseEnds()).unusedSteps).toEqual([])
})

test('a call says which step acted, and a call that was not touched says why', async () => {
  const account = openAccount()
  await account.scenario.play(overloaded({ when: { operation: 'b-video-task.create', nth: [1, 3] } }))
  const [first, second] = [await account.create(), await account.create()]
  expect(await account.requests.explain(first.headers['x-request-id'] as string)).toEqual([
    'The call is b-video-task.create and was answered with 429.',
    'Step 1 of the scenario overloaded acted: answer.error.',
  ])
  expect(await account.requests.explain(second.headers['x-request-id'] as string)).toEqual([
    'The call is b-video-task.create and was answered with 200.',
    'Step 1 of the scenario overloaded did not act: it wants the first or third b-video-task.create; this was the second.',
  ])
  expect((await account.requests.list()).map(({ scenario }) => scenario)).toEqual([
    {
      acted: null,
      nearMisses: [{ scenario: 'overloaded', step: 1, why: expect.stringContaining('wants the first') }],
    },
    { acted: { scenario: 'overloaded', step: 1, says: null, effects: ['answer.error'] }, nearMisses: [] },
  ])
})

test('a query is about the model and the prompt of its task', async () => {
  const account = openAccount()
  const failing = { answer: { status: 500 } }
  await account.scenario.play({
    ...overloaded(),
    steps: [
      {
        when: { operation: 'b-video-task.read', prompt: { contains: 'lighthouse' }, first: 1 },
        then: failing,
      },
      { when: { operation: 'b-video-task.read', model: 'videoa-2-0-fast-260128' }, then: failing },
    ],
  })
  const { body } = await account.create()
  const query = async () => (await account.get(`${paths.tasks}/${body.id}`)).status
  expect([await query(), await query()]).toEqual([500, 200])
})

test('a step about a model acts on a query of a task of that model, which has none in itself', async () => {
  const account = openAccount()
  const when = { operation: 'b-video-task.read', model: 'videoa-2-0-260128' } as const
  await account.scenario.play({ ...overloaded(), steps: [{ when, then: { answer: { status: 500 } } }] })
  const { body } = await account.create()
  expect((await account.get(`${paths.tasks}/${body.id}`)).status).toBe(500)
})

test('a step about a header acts on a call that has it, however its name is spelt', async () => {
  const account = openAccount()
  await account.scenario.play(overloaded({ when: { operation: 'b-video-task.create', header: 'X-Trace' } }))
  expect(await account.statusOfCreate()).toBe(200)
  expect((await account.post(paths.tasks, bodies.task()).set('x-trace', '1')).status).toBe(429)
})

test('a step for a task that a refused call did not make has not acted', async () => {
  const account = openAccount()
  await account.scenario.play(
    overloaded({ then: { task: { fails: { error: 'InternalServiceError' } } }, times: 1 }),
  )
  expect((await account.create({ duration: 99 })).status).toBe(400)
  const [step] = await account.scenario.steps()
  expect(step).toMatchObject({ seen: 1, acted: 0, lastMiss: expect.stringContaining('the call was refused') })
  const { body } = await account.create()
  await account.clock.advance({ to: 'idle' })
  expect((await account.tasks.get(body.id)).status).toBe('failed')
})

test('a step for a task and its answer is said to have changed the answer alone of a refused call', async () => {
  const account = openAccount()
  await account.scenario.play(
    overloaded({ then: { task: { vanishes: true }, transport: { bytesPerSecond: 1_000_000 } } }),
  )
  expect((await account.create({ duration: 99 })).status).toBe(400)
  await account.create()
  const calls = await account.requests.list({ operation: 'b-video-task.create' })
  expect(calls.map(({ scenario }) => scenario?.acted?.effects)).toEqual([
    ['transport.bytesPerSecond', 'task.vanishes'],
    ['transport.bytesPerSecond'],
  ])
})

test('an answer beside the work: the task is made, and another answer is given', async () => {
  const account = openAccount()
  await account.scenario.play(
    overloaded({ then: { answer: { error: 'InternalServiceError', stillHappens: true } }, times: 1 }),
  )
  expect(await account.statusOfCreate()).toBe(500)
  expect(await account.tasks.list()).toHaveLength(1)
})

test('an answer in its place: nothing is made, counted or charged', async () => {
  const account = openAccount()
  await account.scenario.play(overloaded())
  await account.create()
  expect(await account.read()).toMatchObject({ tasks: 0, ordinal: 0 })
})

test('calls without a valid key belong to no account, and no step sees them', async () => {
  const account = openAccount()
  await account.scenario.play(overloaded({ when: {}, then: { answer: { status: 500 } } }))
  expect((await agent.get(`${paths.tasks}/x`)).status).toBe(401)
  expect((await account.scenario.steps())[0]?.seen).toBe(0)
})

test('a reset takes away what was put on at run time', async () => {
  const account = openAccount()
  await account.scenario.play(overloaded())
  await account.reset()
  expect(await account.scenario.steps()).toEqual([])
  expect(await account.statusOfCreate()).toBe(200)
})

test('scenarios given at the start play for every account; a reset begins them anew (gap Z18)', async () => {
  const emulator = await startEmulator({ scenario: [overloaded({ times: 1 }), 'callback-lost'] })
  onTestFinished(() => emulator.stop())
  const status = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    const init = { method: 'POST', headers, body: JSON.stringify(bodies.task()) }
    return (await fetch(emulator.url + paths.tasks, init)).status
  }
  expect([await status('alice'), await status('alice'), await status('bob')]).toEqual([429, 200, 429])
  const alice = emulator.account('alice')
  await alice.scenario.stop()
  await alice.reset()
  expect((await alice.scenario.steps()).map(({ scenario, seen }) => [scenario, seen])).toEqual([
    ['overloaded', 0],
    ['callback-lost', 0],
  ])
  expect(await status('alice')).toBe(429)
})

test.each<[string, GivenScenario]>([
  ['a name', 'callback-lost'],
  [
    'a file',
    fileURLToPath(new URL('../../../scenarios/callback-lost.yaml', import.meta.url)) as ScenarioFile,
  ],
  ['a document', overloaded()],
])('an emulator starts with %s alone', async (_, scenario) => {
  const emulator = await startEmulator({ scenario })
  onTestFinished(() => emulator.stop())
  expect(await emulator.scenario.steps()).toHaveLength(1)
})

test.each([
  ['callback-lots', 'unknown-scenario'],
  ['nowhere.yaml', 'no-such-file'],
  [{ name: 'x' }, 'bad-scenario'],
])('an emulator does not start with %j: %s', async (scenario, code) =>
  expect(openEmulator(readSettings({ scenario: [scenario] }))).rejects.toMatchObject({ code }),
)

test('an emulator does not start with more scenarios than maxScenarios', async () => {
  const given = { scenario: ['callback-lost', overloaded()], maxScenarios: 1 }
  await expect(openEmulator(readSettings(given))).rejects.toMatchObject({
    code: 'bad-setting',
    message: expect.stringContaining('2 scenarios are given, and the setting maxScenarios is 1.'),
  })
  const emulator = await openEmulator(readSettings({ ...given, maxScenarios: 2 }))
  await emulator.stop()
})

test('an emulator does not start with two scenarios of one name', async () => {
  const settings = readSettings({ scenario: [overloaded(), 'callback-lost', overloaded()] })
  await expect(openEmulator(settings)).rejects.toMatchObject({
    code: 'bad-setting',
    message: expect.stringContaining(`Two scenarios have the name ${overloaded().name}.`),
  })
})

test('fail makes calls of an operation fail so often', async () => {
  const account = openAccount()
  await account.fail('b-video-task.create', { error: 'ServerOverloaded', times: 2 })
  const statuses = [
    await account.statusOfCreate(),
    await account.statusOfCreate(),
    await account.statusOfCreate(),
  ]
  expect(statuses).toEqual([429, 429, 200])
  expect((await account.scenario.steps())[0]?.scenario).toBe('fail-b-video-task-create-server-overloaded')
})

test('failures of one status with other selectors or bodies act beside each other, and the same one begins anew', async () => {
  const account = openAccount()
  for (const nth of [1, 3, 1]) await account.fail('b-video-task.create', { status: 502, when: { nth } })
  expect(await account.scenario.steps()).toHaveLength(2)
  const statuses: number[] = []
  for (let calls = 0; calls < 4; calls += 1) statuses.push(await account.statusOfCreate())
  expect(statuses).toEqual([502, 200, 502, 200])
  await account.scenario.stop()
  await account.fail('b-video-task.create', { text: 'x', times: 1 })
  await account.fail('b-video-task.create', { body: { a: 1 }, times: 1 })
  expect(await account.scenario.steps()).toHaveLength(2)
})

test('fail takes selectors and a status, and says what there is no such thing as', async () => {
  const account = openAccount()
  await account.fail('b-video-task.create', { status: 502, when: { nth: 2 } })
  expect([await account.statusOfCreate(), await account.statusOfCreate()]).toEqual([200, 502])
  await expect(account.fail('b-video-task.crate' as OperationName, { status: 502 })).rejects.toThrow(
    'did you mean b-video-task.create?',
  )
  await expect(
    account.fail('b-video-task.create', { error: 'ServerOverload' as 'ServerOverloaded' }),
  ).rejects.toThrow('did you mean ServerOverloaded?')
})

test('the time of a scenario of the settings counts from where the clock of the account begins', async () => {
  const step: ScenarioDocument['steps'][0] = {
    when: { operation: 'b-video-task.create', until: '10m' },
    then: { answer: { status: 503 } },
  }
  const emulator = await startEmulator({
    clock: 'paused',
    scenario: [{ name: 'early', description: 'The first ten minutes fail.', steps: [step] }],
  })
  onTestFinished(() => emulator.stop())
  const create = async () =>
    (
      await fetch(emulator.url + paths.tasks, {
        method: 'POST',
        headers: { authorization: 'Bearer default' },
        body: JSON.stringify(bodies.task()),
      })
    ).status
  await emulator.clock.change({ now: '2027-01-02T03:04:05Z' })
  expect(await create()).toBe(503)
  await emulator.clock.advance('10m')
  expect(await create()).toBe(200)
})
