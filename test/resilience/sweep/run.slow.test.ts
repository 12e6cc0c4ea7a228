import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openEmulator } from '../../../src/composition.js'
import type { ScenarioInput } from '../../../src/emulator/core/scenario/schema.js'
import { listen } from '../../../src/emulator/listen.js'
import { createLibrary } from '../../../src/emulator/scenarios/library.js'
import { readScenarioDocument } from '../../../src/emulator/scenarios/read.js'
import { readSettings } from '../../../src/emulator/settings.js'
import { baselineFacts } from '../../../src/resilience/sweep/baseline.js'
import { runCommand } from '../../../src/resilience/sweep/process.js'
import { Sweep, type SweepOptions } from '../../../src/resilience/sweep/run.js'
import { leftAloneIn, readSightings } from '../../../src/resilience/sweep/sighting.js'
import { newFolder } from '../../folder.js'
import { read } from './sightings.js'

const CLIENT = fileURLToPath(new URL('client.mjs', import.meta.url))

// Each run of a command is a process.
vi.setConfig({ testTimeout: 60_000 })

const scenario = (name: string, operation: string, then: object, more: object = {}): ScenarioInput =>
  ({
    name,
    description: 'Something.',
    ...more,
    steps: [{ when: { operation, nth: 1 }, then }],
  }) as ScenarioInput

const failedPoll = scenario('failed-poll', 'b-video-task.read', { answer: { status: 502, text: 'no' } })
const lostCreate = scenario('lost-create', 'b-video-task.create', { transport: { reset: true } })
const noMoney = scenario(
  'no-money',
  'b-video-task.create',
  { account: { balance: 0 } },
  { survivable: false },
)
const cutResult = scenario('cut-result', 'results.download', { result: { cutAt: 3 } })

/** A sweep over the client, with an emulator of this process for each run. */
const sweepOf = (
  client: readonly string[],
  documents: readonly ScenarioInput[],
  given: Partial<SweepOptions> = {},
) =>
  new Sweep({
    ...{ command: { program: process.execPath, args: [CLIENT, ...client] }, folder: newFolder() },
    ...{
      jobs: 1,
      repeat: 1,
      timeoutMs: 60_000,
      budgetMs: undefined,
      keepsAll: true,
      rerunLines: () => ['again'],
    },
    scenarios: documents.map((document) => ({
      scenario: readScenarioDocument(document),
      source: document.name,
    })),
    openServer: async (sweep) => {
      const emulator = await openEmulator(readSettings({ port: 0, clock: 'on-poll' }), { sweep })
      const { url, close } = await listen(emulator)
      return { environment: { ...process.env, BACKLOT_URL: url, BACKLOT_SWEEP_URL: url }, close }
    },
    signal: new AbortController().signal,
    ...given,
  })

const cellsOf = async (...args: Parameters<typeof sweepOf>) => {
  const sweep = sweepOf(...args)
  return sweep.judge(await sweep.baseline())
}

test('the baseline has the verdict on its client, also of accounts that a test has ended', async () => {
  const baseline = await sweepOf(['naive'], []).baseline()
  expect(baselineFacts(baseline).findings).toEqual([
    { kind: 'never-fetched', count: 1, examples: [expect.stringContaining('was never downloaded')] },
  ])
})

test.each([5_000.25, 2 ** 40])('a run is limited by a baseline of %d ms', async (durationMs) => {
  const sweep = sweepOf(['poll-again'], [failedPoll], { timeoutMs: undefined })
  const baseline = await sweep.baseline()
  expect(await sweep.judge({ ...baseline, durationMs })).toMatchObject([{ verdict: 'survived' }])
})

describe('a cell', () => {
  test.each<[string, string, ScenarioInput, object]>([
    [
      'asks again',
      'poll-again',
      failedPoll,
      { tests: 'pass', verdict: 'survived', seen: [{ kind: 'retried' }] },
    ],
    [
      'creates again',
      'all-again',
      lostCreate,
      {
        verdict: 'survived-but',
        seen: [{ kind: 'paid-twice', count: 1, price: 0.4, sameIdempotencyKey: true }, { kind: 'retried' }],
      },
    ],
    [
      'hides that it gave up',
      'silent',
      lostCreate,
      { verdict: 'survived-but', seen: [{ kind: 'abandoned' }] },
    ],
    ['says that it has no money', 'naive', noMoney, { tests: 'fail', verdict: 'refused-cleanly', seen: [] }],
    [
      'has no money in a family that can survive',
      'naive',
      { ...noMoney, survivable: ['b-video-task'] },
      { tests: 'fail', verdict: 'failed', survivable: true, error: expect.stringMatching(/Error: /) },
    ],
    [
      'has no money in a family that cannot survive',
      'naive',
      { ...noMoney, survivable: ['c-video'] },
      { tests: 'fail', verdict: 'refused-cleanly', survivable: false },
    ],
    ['gives up', 'naive', failedPoll, { tests: 'fail', verdict: 'failed', seen: [{ kind: 'abandoned' }] }],
    ['is ended by a signal', 'crashes', noMoney, { tests: 'crashed', verdict: 'crashed' }],
  ])('of a client that %s', async (_, client, document, cell) => {
    expect(await cellsOf([client], [document])).toMatchObject([{ scenario: document.name, ...cell }])
  })

  test('of a client that does not end is hung', async () => {
    const client = ['hangs', join(newFolder(), 'port')]
    const baseline = await sweepOf(client, []).baseline()
    expect(await sweepOf(client, [noMoney], { timeoutMs: 1_000 }).judge(baseline)).toMatchObject([
      { tests: 'hung', verdict: 'hung' },
    ])
  })

  test('of a run that calls no emulator is untested', async () => {
    const file = join(newFolder(), 'was-here')
    expect(await cellsOf(['once-only', file], [noMoney])).toMatchObject([
      { tests: 'pass', verdict: 'untested', why: 'no-calls' },
    ])
  })
})

test.each([
  ['a date', { 'Retry-After': 'Sun, 06 Nov 2095 08:49:37 GMT' }, 'did-not-wait'],
  [
    'a date that the answer has too',
    { 'Retry-After': 'Sun, 06 Nov 2095 08:49:37 GMT', date: 'Sun, 06 Nov 2095 08:49:37 GMT' },
    'retried',
  ],
  ['neither a date nor a number', { 'Retry-After': 'soon' }, 'retried'],
  ['a number that is too large', { 'Retry-After': '9e999' }, 'retried'],
])('a Retry-After that is %s', async (_, headers, kind) => {
  const busy = scenario('busy', 'b-video-task.read', { answer: { status: 429, text: 'no', headers } })
  const [cell] = await cellsOf(['poll-again'], [busy])
  expect(cell).toMatchObject({
    tests: 'pass',
    seen: expect.arrayContaining([expect.objectContaining({ kind, count: 1 })]),
  })
})

describe('what an emulator saw', () => {
  const sighted = (text: string) => {
    const folder = newFolder()
    writeFileSync(join(folder, 'sightings-1.jsonl'), text)
    return readSightings(folder)
  }

  test('ends where its process was ended', async () =>
    expect((await sighted('{"kind":"own"}\n{"kind":"ow')).sightings).toEqual([{ kind: 'own' }]))

  test('names the recording of the emulator in which the scenario acted most, and then of the one with most calls', async () => {
    const acted = { step: 1, effects: ['answer.error'] }
    const lines = {
      idle: [],
      busy: [read('1'), read('1'), read('1')],
      met: [read('1', { acted }), read('1')],
      barelyMet: [read('1', { acted })],
    }
    const recordingOf = async (...names: (keyof typeof lines)[]) => {
      const folder = newFolder()
      for (const name of names)
        writeFileSync(
          join(folder, `sightings-${name}.jsonl`),
          lines[name].map((line) => `${JSON.stringify(line)}\n`).join(''),
        )
      const { recording } = await readSightings(folder)
      return recording && relative(folder, recording)
    }
    expect(await recordingOf('barelyMet', 'busy', 'idle', 'met')).toBe('recording-met.jsonl')
    expect(await recordingOf('barelyMet', 'busy')).toBe('recording-barelyMet.jsonl')
    expect(await recordingOf('idle')).toBeUndefined()
  })

  test('counts each emulator and each account with a scenario of its own once', () => {
    const own = { kind: 'own' } as const
    const account = 'a'
    expect(leftAloneIn([own, { ...own, account }, own, { ...own, account }, read('1')])).toBe(3)
  })

  test.skipIf(process.platform === 'win32')('others cannot read them: prompts stand in them', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'plan.json'), 'null')
    const emulator = await openEmulator(readSettings({ port: 0 }), { sweep: folder })
    onTestFinished(() => emulator.stop())
    const written = readdirSync(folder).filter((name) => name !== 'plan.json')
    expect(written.map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600])
  })

  test.each(['{"kind":"other"}', '{"kind":', ''])('has no other line than those of sightings: %j', (line) =>
    expect(sighted(`{"kind":"own"}\n${line}\n`)).rejects.toMatchObject({
      code: 'cannot-sweep',
      message: expect.stringMatching(/^Line 2 of \S+sightings-1\.jsonl is nothing that an emulator/),
    }),
  )
})

test('a scenario that acts on no recorded call is not reached, and costs no run', async () => {
  const file = join(newFolder(), 'runs')
  const cells = await cellsOf(['worker', file], [cutResult, failedPoll])
  expect(cells).toMatchObject([
    { scenario: 'cut-result', verdict: 'not-reached', tests: null },
    { scenario: 'failed-poll', verdict: 'failed' },
  ])
  expect(readFileSync(file, 'utf8')).toBe('1\n1\n')
})

test('a step that holds a callback back has acted, though the command ends before the callback is sent', async () => {
  const late = readScenarioDocument({
    name: 'late',
    description: 'Something.',
    steps: [{ when: { callback: { status: 'succeeded' } }, then: { callback: { late: '10m' } } }],
  })
  const scenarios = [{ scenario: late, source: 'late' }]
  expect(await cellsOf(['called-back'], [], { scenarios })).toMatchObject([
    { tests: 'pass', verdict: 'survived' },
  ])
})

test('jobs are told apart by BACKLOT_SWEEP_WORKER', async () => {
  const file = join(newFolder(), 'workers')
  await cellsOf(['worker', file], [failedPoll, noMoney], { jobs: 2 })
  expect(readFileSync(file, 'utf8').split('\n').sort().join('')).toBe('112')
})

test('a scenario that is not survived is tried again; verdicts that differ are flaky', async () => {
  const client = ['now-and-then', join(newFolder(), 'tries')]
  expect(await cellsOf(client, [lostCreate], { repeat: 2 })).toMatchObject([
    { verdict: 'survived-but', flaky: ['survived-but', 'failed'] },
  ])
})

test('each run has a folder of its own, whatever the scenarios are called', async () => {
  const folder = newFolder()
  const scenarios = ['baseline', 'no-money', 'no-money-1'].map((name) => ({ ...noMoney, name }))
  await cellsOf(['naive'], scenarios, { folder, repeat: 2 })
  await cellsOf(['naive'], scenarios.slice(0, 1), { folder })
  const names = ['baseline', 'no-money-1', 'no-money'].flatMap((name) => [`${name}.1`, `${name}.2`])
  expect(readdirSync(folder).sort()).toEqual(['baseline', ...names])
  expect(readFileSync(join(folder, 'baseline', 'plan.json'), 'utf8')).toBe('null')
})

test('what an earlier sweep recorded in the same folder is removed, its media too', async () => {
  const folder = newFolder()
  const recording = join(folder, 'baseline', 'recording-0.jsonl')
  mkdirSync(`${recording}.media`, { recursive: true })
  for (const file of [recording, join(`${recording}.media`, 'a-hash')]) writeFileSync(file, '')
  await sweepOf(['naive'], [], { folder }).baseline()
  expect([recording, `${recording}.media`].filter(existsSync)).toEqual([])
})

test('a survived scenario is not tried again', async () => {
  const file = join(newFolder(), 'runs')
  await cellsOf(['poll-again', file], [failedPoll], { repeat: 5 })
  expect(existsSync(file)).toBe(false)
})

test('a budget that is used up leaves the rest untested', async () => {
  const baseline = await sweepOf(['naive'], []).baseline()
  const sweep = sweepOf(['naive'], [failedPoll, cutResult], { budgetMs: 1 })
  expect(await sweep.judge(baseline)).toMatchObject([
    { verdict: 'untested', why: 'budget' },
    { verdict: 'not-reached' },
  ])
})

test('a run that uses up the budget is ended, and its scenario untested', async () => {
  const client = ['hangs', join(newFolder(), 'port')]
  const baseline = await sweepOf(client, []).baseline()
  const budgetMs = baseline.durationMs + 1_000
  expect(await sweepOf(client, [noMoney], { budgetMs }).judge(baseline)).toMatchObject([
    { verdict: 'untested', why: 'budget' },
  ])
})

test.each(['budget', 'interrupted'])(
  'what ends a later round keeps the verdict of the first: %s',
  async (why) => {
    const file = join(newFolder(), 'failed')
    const baseline = await sweepOf(['hangs-later', file], []).baseline()
    const control = new AbortController()
    const budgetMs = why === 'budget' ? 60_000 : undefined
    // Of the budget, a minute is left for the first round, however slow this machine is, and next to nothing for the second.
    if (why === 'budget')
      vi.spyOn(performance, 'now').mockImplementation(() => (existsSync(file) ? 59_900 : 0))
    const options = { repeat: 2, signal: control.signal, budgetMs }
    const judging = sweepOf(['hangs-later', file], [noMoney, lostCreate], options).judge(baseline)
    if (why === 'interrupted') {
      await vi.waitFor(() => expect(existsSync(`${file}.second`)).toBe(true), { timeout: 30_000 })
      control.abort()
    }
    expect(await judging).toMatchObject([
      { tests: 'fail', verdict: 'refused-cleanly' },
      { verdict: 'untested', why },
    ])
  },
)

test('a baseline that uses up the budget is ended', async () => {
  const command = { program: process.execPath, args: ['-e', 'setInterval(() => {}, 1_000)'] }
  const sweep = sweepOf([], [], { command, timeoutMs: undefined, budgetMs: 500 })
  expect(await sweep.baseline()).toMatchObject({ outcome: 'hung', isOverBudget: true })
})

test('an interrupted sweep keeps what there is', async () => {
  const control = new AbortController()
  const onCell = () => control.abort()
  expect(await cellsOf(['naive'], [failedPoll, noMoney], { signal: control.signal, onCell })).toMatchObject([
    { verdict: 'failed' },
    { verdict: 'untested', why: 'interrupted' },
  ])
})

test('a baseline that fails says so', async () =>
  expect(await sweepOf(['fails'], []).baseline()).toMatchObject({ outcome: 'fail', code: 1 }))

test('a command that does not exist is wrong usage', async () => {
  const sweep = sweepOf([], [], { command: { program: 'no-such-command-here', args: [] } })
  await expect(sweep.baseline()).rejects.toMatchObject({
    code: 'wrong-usage',
    message: expect.stringContaining('There is no command no-such-command-here.'),
  })
})

test('a command that the system cannot start is wrong usage', async () => {
  const command = { program: process.execPath, args: ['x'.repeat(2 ** 22)] }
  await expect(sweepOf([], [], { command }).baseline()).rejects.toMatchObject({
    code: 'wrong-usage',
    message: expect.stringContaining(`${process.execPath} cannot be run: spawn E2BIG`),
  })
})

test('more runs at a time than there are scenarios', async () =>
  expect(await cellsOf(['poll-again'], [failedPoll], { jobs: Number.MAX_SAFE_INTEGER })).toMatchObject([
    { verdict: 'survived' },
  ]))

test('a run is ended with all its processes', async () => {
  const folder = newFolder()
  const port = join(folder, 'port')
  const control = new AbortController()
  const run = runCommand({
    command: { program: process.execPath, args: [CLIENT, 'hangs', port] },
    ...{ environment: process.env, output: join(folder, 'output.txt'), timeoutMs: 60_000 },
    signal: control.signal,
  })
  const address = () => `http://127.0.0.1:${readFileSync(port, 'utf8')}/`
  await vi.waitFor(async () => expect((await fetch(address())).status).toBe(200), { timeout: 15_000 })
  control.abort()
  // Windows has no signal that would have ended it.
  const outcome = process.platform === 'win32' ? 'fail' : 'crashed'
  expect(await run).toMatchObject({ outcome, isAborted: true })
  await expect(fetch(address())).rejects.toThrow()
})

describe('tests that start their own emulator', () => {
  test('join by the folder in BACKLOT_SWEEP', async () => {
    expect(await cellsOf(['starts-own'], [noMoney])).toMatchObject([
      { verdict: 'refused-cleanly', tests: 'fail', leftAlone: 0 },
    ])
  })

  test('are left alone with a scenario of their own, and counted', async () => {
    const sweep = sweepOf(['starts-own', 'scenario'], [noMoney])
    const baseline = await sweep.baseline()
    expect(await sweep.judge(baseline)).toMatchObject([
      { tests: 'pass', verdict: 'not-reached', leftAlone: 1 },
    ])
  })
})

test('scenarios about results are offered where they can act on the files of the tests, and then they do', async () => {
  const names = readdirSync('scenarios')
    .filter((name) => /^(result-|picture-|bytes-).*yaml$/.test(name))
    .map((name) => name.replace('.yaml', ''))
  const library = createLibrary()
  const scenarios = await Promise.all(
    names.map(async (source) => ({ scenario: await library.read(source), source })),
  )
  const sweep = sweepOf(['pictures'], [], { scenarios })
  const baseline = await sweep.baseline()
  const offered = sweep.reached(baseline).map(({ source }) => source)
  expect(offered).toEqual(expect.arrayContaining(['picture-other-format', 'result-other-size', 'result-cut']))
  const ofVideos = ['result-too-short', 'result-silent', 'result-sideways', 'result-of-another-task']
  for (const name of ofVideos) expect(offered).not.toContain(name)
  const cells = await sweep.judge(baseline)
  const reached = cells.filter(({ verdict }) => verdict !== 'not-reached').map(({ scenario }) => scenario)
  expect(reached).toEqual(offered)
})
