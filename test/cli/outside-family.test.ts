import '../../examples/family/sketch.family.js'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parse } from 'yaml'
import type { EmulatorSettings } from '../../src/generated/emulator-settings.js'
import { startEmulator } from '../../src/start-emulator.js'
import { type Client, clientOf } from '../emulator.js'
import { newFolder } from '../folder.js'
import { endedHere } from './backlot.js'

const FAMILY = 'examples/family/sketch.family.ts'
const PATH = '/acme/v1/sketches'
const sketch = { model: 'delta-sketch-1', prompt: 'a lighthouse' }
const settings = {
  families: [FAMILY],
  familySettings: { 'acme-sketch': { secondsToDraw: 60 } },
  timing: 'realistic',
  clock: 'paused',
} as const

vi.setConfig({ testTimeout: 60_000 })

const withFamily = async (more: EmulatorSettings = {}) => {
  const emulator = await startEmulator({ ...settings, ...more })
  onTestFinished(() => emulator.stop())
  const client = clientOf(emulator.url, 'alice')
  return { emulator, client, alice: emulator.account('alice') }
}

const made = async (client: Client) => String((await client.post(PATH, sketch)).body.id)

/** A recording of calls of the family: a sketch that is drawn and fetched, a refusal, a failed task and a failure of a scenario. */
const recorded = async () => {
  const { emulator, client, alice } = await withFamily()
  const id = await made(client)
  await alice.clock.advance('5m')
  const { body } = await client.get(`${PATH}/${id}`)
  await client.get(new URL(body.url).pathname + new URL(body.url).search)
  await client.post(PATH, { ...sketch, prompt: 'x'.repeat(81) })
  await alice.tasks.fail(await made(client), 'broken')
  await alice.fail('acme-sketch.create', { error: 'too_many', times: 1 })
  await client.post(PATH, sketch)
  const file = join(newFolder(), 'session.jsonl')
  await emulator.requests.save(file)
  return file
}

const configOf = async (text: string) => {
  const file = join(newFolder(), 'backlot.config.yaml')
  await writeFile(file, text)
  return file
}

test('a recording made with a family is replayed with it, and names it where it is missing', async () => {
  const file = await recorded()
  expect(JSON.parse(readFileSync(file, 'utf8').split('\n')[0] ?? '')).toMatchObject({
    families: ['acme-sketch'],
    settings: { familySettings: settings.familySettings },
  })
  expect(await endedHere(['replay', file])).toEqual({
    code: 2,
    out: '',
    err: 'backlot: The recording was made with the family acme-sketch from outside, which Backlot does not have by itself.\nName what brings it: --families ./acme.family.ts, or the key families of the configuration file.\n',
  })
  const same = { code: 0, out: '6 calls, all as they were recorded.\n', err: '' }
  expect(await endedHere(['replay', file, '--families', FAMILY])).toEqual(same)
  const config = await configOf(`families: [${FAMILY}]\n`)
  expect(await endedHere(['replay', file, '--config', config])).toEqual(same)
})

test('a replay against an emulator without the family says so', async () => {
  const file = await recorded()
  const plain = await startEmulator({ clock: 'paused' })
  onTestFinished(() => plain.stop())
  const { code, err } = await endedHere(['replay', file, '--url', plain.url])
  expect(code).toBe(1)
  expect(err).toContain(`The emulator at ${plain.url} does not have the family acme-sketch`)
  const { emulator } = await withFamily()
  expect(await endedHere(['replay', file, '--url', emulator.url])).toMatchObject({ code: 0, err: '' })
})

test('failures of its calls become a scenario that can be played', async () => {
  const file = await recorded()
  expect((await endedHere(['scenario-from', file])).err).toContain('the family acme-sketch from outside')
  const output = join(newFolder(), 'bad-day.yaml')
  const written = await endedHere(['scenario-from', file, '--families', FAMILY, '-o', output, '--test'])
  expect(written).toMatchObject({ code: 0, out: '' })
  expect(
    parse(readFileSync(output, 'utf8')).steps.map(({ when, then }: Record<string, unknown>) => [when, then]),
  ).toEqual([
    [{ operation: 'acme-sketch.create', nth: 2 }, { answer: { error: 'bad_request' } }],
    [{ operation: 'acme-sketch.create', nth: 3 }, { task: { fails: { error: 'broken', after: '0ms' } } }],
    [{ operation: 'acme-sketch.create', nth: 4 }, { answer: { error: 'too_many' } }],
  ])
  expect(readFileSync(output.replace('.yaml', '.test.ts'), 'utf8')).toContain(
    `startEmulator({ scenario, families: ["${FAMILY}"] })`,
  )
  expect((await endedHere(['check', output, '--families', FAMILY])).code).toBe(0)
  const { client } = await withFamily({ scenario: output as never })
  const statuses = []
  for (let call = 0; call < 5; call += 1) statuses.push((await client.post(PATH, sketch)).status)
  expect(statuses).toEqual([200, 400, 200, 429, 200])
})

const scenario = (error: string, operation = 'acme-sketch.create') => `name: busy
description: It is busy.
steps:
  - when: { operation: ${operation} }
    then: { answer: { error: ${error} } }
`

test('check knows its operations and errors, and suggests the name that was meant', async () => {
  const folder = newFolder()
  const good = join(folder, 'busy.yaml')
  const wrong = join(folder, 'wrong.yaml')
  await writeFile(good, scenario('too_many'))
  await writeFile(wrong, scenario('too_mnay'))
  const unknown = await endedHere(['check', good])
  expect(unknown.code).toBe(1)
  expect(unknown.out).toMatch(/busy\.yaml:4:24: .*acme-sketch\.create/)
  expect(await endedHere(['check', '--families', FAMILY, good])).toEqual({
    code: 0,
    out: `ok  ${good}: busy, 1 step\n`,
    err: '',
  })
  const config = await configOf(`families: [${FAMILY}]\n`)
  const { code, out } = await endedHere(['check', '--config', config, good, wrong])
  expect(code).toBe(1)
  expect(out).toMatch(/wrong\.yaml:5:30: .*too_mnay.*did you mean too_many/)
  expect(await endedHere(['check', '--families', './nowhere.family.ts', good])).toMatchObject({
    code: 2,
    err: expect.stringContaining('The family of ./nowhere.family.ts cannot be added: there is no file'),
  })
})

test('check reads a profile of it, and a scenario of what a profile adds to it', async () => {
  const folder = newFolder()
  const profile = join(folder, 'mine.yaml')
  const busy = join(folder, 'busy.yaml')
  await writeFile(profile, 'errors: { acme-sketch: { asleep: { status: 503, message: It sleeps } } }\n')
  await writeFile(busy, scenario('asleep'))
  expect((await endedHere(['check', profile])).out).toContain('there is no family "acme-sketch" here')
  const all = ['check', '--families', FAMILY, '--profile', profile, profile, busy]
  expect(await endedHere(all)).toMatchObject({ code: 0, err: '' })
})

test('its tasks are in a state file, in exported states and in snapshots, and come back', async () => {
  const folder = newFolder()
  const state = join(folder, 'state.jsonl')
  const first = await withFamily({ state })
  const id = await made(first.client)
  await first.alice.clock.advance('30s')
  const snapshot = await first.alice.snapshot()
  await first.alice.clock.advance('5m')
  await first.alice.restore(snapshot)
  expect((await first.client.get(`${PATH}/${id}`)).body).toEqual({ id, status: 'running' })
  const exported = join(folder, 'exported.json')
  expect((await endedHere(['state', 'export', exported, '--url', first.emulator.url])).code).toBe(0)
  await first.emulator.stop()

  const again = await withFamily({ state })
  expect((await again.client.get(`${PATH}/${id}`)).body).toEqual({ id, status: 'running' })
  await again.emulator.stop()
  await expect(startEmulator({ state, clock: 'paused' })).rejects.toMatchObject({
    code: 'bad-state',
    message: expect.stringContaining('acme-sketch'),
  })

  const other = join(folder, 'other.jsonl')
  const refused = await endedHere(['state', 'import', exported, '--state', other])
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('acme-sketch') })
  const imported = await endedHere(['state', 'import', exported, '--state', other, '--families', FAMILY])
  expect(imported.out).toMatch(/^1 account with 1 task came from /)
  const third = await withFamily({ state: other })
  await third.alice.clock.advance('5m')
  expect((await third.client.get(`${PATH}/${id}`)).body).toMatchObject({ status: 'succeeded' })
})

test('the printed OpenAPI document has its operations', async () => {
  const { code, out } = await endedHere(['openapi', '--part', 'service', '--families', FAMILY])
  expect(code).toBe(0)
  expect(Object.keys(JSON.parse(out).paths)).toEqual(expect.arrayContaining([PATH, `${PATH}/{id}`]))
})

const CLIENT = `const call = (path, init) => fetch(process.env.BACKLOT_URL + path, { headers: { Authorization: 'Bearer k', 'Content-Type': 'application/json' }, ...init })
const made = await call('/acme/v1/sketches', { method: 'POST', body: ${JSON.stringify(JSON.stringify(sketch))} })
if (!made.ok) process.exit(1)
const { id } = await made.json()
for (;;) {
  const { status, url } = await (await call('/acme/v1/sketches/' + id)).json()
  if (status === 'failed') process.exit(1)
  if (status === 'succeeded') { await (await fetch(url)).arrayBuffer(); break }
}
`

test('a sweep tries scenarios of its operations, and coverage counts its calls', async () => {
  const folder = newFolder()
  const client = join(folder, 'client.mjs')
  const busy = join(folder, 'busy.yaml')
  const broken = join(folder, 'breaks.yaml')
  await writeFile(client, CLIENT)
  await writeFile(busy, scenario('too_many'))
  await writeFile(
    broken,
    'name: breaks\ndescription: It breaks.\nsteps:\n  - when: { operation: acme-sketch.create }\n    then: { task: { fails: { error: broken } } }\n',
  )
  const report = join(folder, 'sweep.json')
  const options = [
    '--families',
    FAMILY,
    '--clock',
    'on-poll',
    '--env',
    'BACKLOT_URL={url}',
    '--fail-on',
    'hung',
  ]
  const swept = await endedHere([
    ...['sweep', '--scenario', busy, '--scenario', broken, '--json', report, ...options],
    ...['--', process.execPath, client],
  ])
  expect(swept.code).toBe(0)
  const { cells, baseline } = JSON.parse(readFileSync(report, 'utf8'))
  expect(baseline).toMatchObject({ tests: 'pass', tasks: 1 })
  expect(cells).toMatchObject([
    {
      scenario: 'busy',
      tests: 'fail',
      again: [
        expect.stringContaining(`--families ${FAMILY}`),
        expect.stringMatching(/backlot replay .* --families /),
      ],
    },
    { scenario: 'breaks', tests: 'fail' },
  ])
})
