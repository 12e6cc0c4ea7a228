import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import type { Report } from '../../../src/resilience/sweep/report.js'
import { backlot, ended, endedHere, hasSignals } from '../../cli/backlot.js'
import { newFolder } from '../../folder.js'

const CLIENT = fileURLToPath(new URL('client.mjs', import.meta.url))

// Each run of a command is a process.
vi.setConfig({ testTimeout: 60_000 })

/** Runs a sweep of the client in a folder of its own. */
const sweep = async (
  options: readonly string[],
  client: readonly string[],
  folder = newFolder(),
  environment: Readonly<Record<string, string>> = {},
) => {
  const command = ['--', process.execPath, CLIENT, ...client]
  const json = options.includes('--list') ? [] : ['--json', 'report.json']
  const fixed = ['--clock', 'on-poll', '--output', join(folder, 'out'), ...json]
  const { code, out, err } = await ended(['sweep', ...fixed, ...options, ...command], { folder, environment })
  const report = () => JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report
  return { code, out, err, folder, report }
}

const linesOf = (text: string): string[] => text.trimEnd().split('\n')

test('prints the matrix, and writes every report', async () => {
  const files = ['--junit', 'report.xml', '--html', 'report.html']
  const scenarios = ['--scenario', 'one-failed-poll', '--scenario', 'callback-l*']
  const { code, out, err, folder, report } = await sweep([...scenarios, ...files], ['poll-again'])
  expect({ code, err }).toMatchObject({
    code: 0,
    err: expect.stringContaining('[1/1] one-failed-poll: survived'),
  })
  expect(out).toMatch(/^ {2}one-failed-poll {2}pass {5}survived {2}\(retried 1\)$/m)
  expect(out).toContain('not reached: callback-late, callback-lost')
  expect(report()).toMatchObject({ seed: 1, baseline: { tests: 'pass', tasks: 1 } })
  expect(readFileSync(join(folder, 'report.xml'), 'utf8')).toContain('name="one-failed-poll"')
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('one-failed-poll')
})

// A limit of the size of files, in KiB, stands for a full disk: at once, or after some calls.
test.skipIf(process.platform === 'win32').each([1, 2])(
  'a sweep whose files cannot be written says so, and ends with 1: %i',
  async (kib) => {
    const folder = newFolder()
    const before = ['bash', '-c', `ulimit -f ${kib}; exec "$0" "$@"`]
    const fixed = ['sweep', '--clock', 'on-poll', '--output', 'out', '--scenario', 'one-failed-poll']
    const args = [...fixed, '--', process.execPath, CLIENT, 'impatient']
    const { code, out, err } = await ended(args, { folder, before })
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(
      /^backlot: The sweep cannot write what it sees into \S+out\/baseline: EFBIG[^\n]*\.\nMake room[^\n]*\n$/m,
    )
  },
)

test('a line of the report runs the cell again, and the recording can be replayed', async () => {
  const { code, report, folder } = await sweep(['--scenario', 'reset-after-create'], ['all-again'])
  expect(code).toBe(1)
  const [again = '', replay = ''] =
    report().cells.find(({ scenario }) => scenario === 'reset-after-create')?.again ?? []
  expect(again).toMatch(
    /^npx backlot exec --scenario reset-after-create --seed 1 --clock on-poll -- \S+ \S+ all-again$/,
  )
  const [, , ...args] = again.split(' ')
  expect((await ended(args)).code).toBe(0)
  expect(await ended(replay.split(' ').slice(2), { folder })).toMatchObject({ code: 0 })
})

test('a cell that an emulator of the tests met has a line with a sweep, which runs the cell again', async () => {
  const options = ['--scenario', 'rate-limit-burst', '--fail-on', 'failed', '--timeout', '50s']
  const { code, report, folder } = await sweep(options, ['starts-own'])
  const verdict = { scenario: 'rate-limit-burst', verdict: 'failed' }
  expect({ code, cells: report().cells }).toMatchObject({ code: 1, cells: [verdict] })
  const [exec, again = ''] = report().cells[0]?.again ?? []
  expect(exec).toMatch(/^npx backlot exec --scenario rate-limit-burst --seed 1 --clock on-poll -- /)
  expect(again).toMatch(
    /^npx backlot sweep --scenario rate-limit-burst --seed 1 --timeout 50s --clock on-poll -- \S+ \S+ starts-own$/,
  )
  const [, , subcommand = '', ...args] = again.split(' ')
  await ended([subcommand, '--json', 'again.json', '--output', 'again', ...args], { folder })
  expect(JSON.parse(readFileSync(join(folder, 'again.json'), 'utf8'))).toMatchObject({ cells: [verdict] })
})

test('a result beyond the threshold is exit code 1, an accepted one is not', async () => {
  const { code, out, folder } = await sweep(['--scenario', 'reset-after-create'], ['all-again'])
  expect(code).toBe(1)
  expect(out).toContain(
    'worse than --fail-on allows: reset-after-create: survived, but paid-twice 1 (price 0.4;',
  )
  const again = async (...options: readonly string[]) =>
    (await ended(['sweep', 'report', 'report.json', ...options], { folder })).code
  expect(await again('--fail-on', 'none')).toBe(0)
  expect(await again('--fail-on', 'hung')).toBe(0)
  expect(await again('--fail-on', 'paid-twice', '--fail-on', 'hung')).toBe(1)
  expect(await again('--update')).toBe(0)
  expect(JSON.parse(readFileSync(join(folder, 'backlot.sweep.json'), 'utf8'))).toMatchObject({
    accepted: [{ scenario: 'reset-after-create', verdict: 'survived-but', seen: ['paid-twice'] }],
  })
  expect(await again()).toBe(0)
})

test('a command that fails without a scenario is exit code 4, and nothing else is run', async () => {
  const { code, err } = await sweep([], ['fails'])
  expect(code).toBe(4)
  expect(err).toMatch(
    /The command ended with 1 without any scenario, .* Its output ends with:\n[\s\S]*on purpose/,
  )
  expect(err).toMatch(/The output and the recordings are in .*out$/m)
})

test.each([
  ['--timeout', 4],
  ['--budget', 3],
])(
  'a command that takes longer than %s without a scenario is exit code %i, and it is named',
  async (flag, expected) => {
    const command = ['--', process.execPath, '-e', 'setInterval(() => {}, 1_000)']
    const args = ['sweep', '--output', 'out', flag, '500ms', ...command]
    const { code, err } = await ended(args, { folder: newFolder() })
    expect({ code, err }).toEqual({
      code: expected,
      err: expect.stringContaining(
        `The command did not end within ${flag} 500ms without any scenario, so that nothing else was run.`,
      ),
    })
  },
)

test('a command that calls no emulator is exit code 3, and nothing else is run', async () => {
  const folder = newFolder()
  const scenarios = ['--scenario', 'result-cut', '--scenario', 'one-failed-poll']
  const { code, out, report } = await sweep(
    [...scenarios, '--junit', 'report.xml'],
    ['calls-nothing'],
    folder,
  )
  const sentence =
    'The command called no emulator, so that no scenario can be tried. Does it read BACKLOT_URL?'
  expect({ code, out }).toEqual({ code: 3, out: expect.stringContaining(sentence) })
  expect(out).toContain('2 untested. This is not everything')
  expect(out).not.toContain('result-cut')
  expect(report().cells).toMatchObject([{ why: 'no-calls' }, { why: 'no-calls' }])
  expect(readFileSync(join(folder, 'report.xml'), 'utf8')).toContain('skipped="2"')
  expect((await sweep([...scenarios, '--list'], ['calls-nothing'], folder)).err).toContain(sentence)
})

describe('what the runs write', () => {
  /** Runs a sweep without --output; `left`: what it leaves in the folder for temporary files. */
  const sweepInto = async (client: string, ...options: readonly string[]) => {
    const [folder, temporary] = [newFolder(), newFolder()]
    const json = options.includes('--list') ? [] : ['--json', 'report.json']
    const args = ['--clock', 'on-poll', ...json, ...options, '--', process.execPath, CLIENT]
    const environment = { TMPDIR: temporary, TEMP: temporary, TMP: temporary }
    const { err } = await ended(['sweep', ...args, client], { folder, environment })
    const report = () => JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report
    const sweeps = readdirSync(temporary).filter((name) => name.startsWith('backlot-sweep-'))
    const left = sweeps.map((name) => readdirSync(join(temporary, name)).sort())
    return { err, left, report }
  }

  test('is removed where all is survived, and no line names it', async () => {
    const { err, left, report } = await sweepInto('poll-again', '--scenario', 'one-failed-poll')
    expect(left).toEqual([])
    expect(err).not.toContain('recordings')
    expect(report().cells).toMatchObject([{ verdict: 'survived', again: [expect.stringContaining('exec')] }])
  })

  test('is kept of the other runs, with a sentence that says where', async () => {
    const options = ['--scenario', 'reset-after-create', '--scenario', 'one-failed-poll']
    const { err, left, report } = await sweepInto('all-again', ...options, '--scenario', 'usage-missing')
    expect(left).toEqual([['baseline', 'one-failed-poll', 'reset-after-create']])
    expect(err).toMatch(/The output and the recordings are in .*backlot-sweep-/)
    const replays = report().cells.flatMap(({ again }) => again.slice(1))
    expect(replays).toHaveLength(2)
    for (const line of replays) expect(existsSync(line.replace('npx backlot replay ', ''))).toBe(true)
  })

  test('is removed after --list, and where the command does not exist', async () => {
    expect((await sweepInto('naive', '--list')).left).toEqual([])
    const [folder, temporary] = [newFolder(), newFolder()]
    const environment = { TMPDIR: temporary, TEMP: temporary, TMP: temporary }
    expect(await ended(['sweep', '--', 'no-such-command'], { folder, environment })).toMatchObject({
      code: 2,
    })
    expect(readdirSync(temporary).filter((name) => name.startsWith('backlot-sweep-'))).toEqual([])
  })

  test('of an earlier sweep into the same folder counts no more', async () => {
    const folder = newFolder()
    for (let times = 0; times < 2; times += 1) {
      const { report } = await sweep(['--scenario', 'reset-after-create'], ['all-again'], folder)
      expect(report()).toMatchObject({
        baseline: { tasks: 1 },
        cells: [{ seen: [{ kind: 'paid-twice', count: 1 }, { kind: 'retried' }] }],
      })
    }
  })
})

test('a scenario that backlot.sweep.json misspells is told', async () => {
  const folder = newFolder()
  const accepted = ['result-cutt', 'one-failed-poll'].map((scenario) => ({ scenario, verdict: 'survived' }))
  writeFileSync(join(folder, 'backlot.sweep.json'), JSON.stringify({ accepted }))
  const { code, err } = await sweep(['--scenario', 'one-failed-poll'], ['poll-again'], folder)
  expect({ code, messages: err.match(/.*There is no such scenario.*/g) }).toEqual({
    code: 0,
    messages: [
      'backlot: backlot.sweep.json accepts something of result-cutt. There is no such scenario here: did you mean result-cut?',
    ],
  })
})

test('a command that asks too seldom for a live clock is told of the one that each query moves', async () => {
  const { code, err } = await sweep(['--clock', 'live'], ['impatient'])
  expect(code).toBe(4)
  expect(err).toContain('The command asked 3 times how its tasks are, which take their time on a live clock.')
  expect(err).toContain('--clock on-poll')
})

test('a command that does not wait for its task is not told of it', async () => {
  const { code, err, report } = await sweep(['--clock', 'live', '--scenario', 'one-failed-poll'], ['leaves'])
  expect({ code, lines: linesOf(err) }).toEqual({
    code: 0,
    lines: [
      expect.stringMatching(/^baseline: /),
      '[1/1] one-failed-poll: failed',
      expect.stringMatching(/^backlot: The output and the recordings are in /),
    ],
  })
  expect(report()).toMatchObject({ baseline: { tests: 'pass', calls: 3, tasks: 1 } })
})

test('a command that asks for a task that it did not make is not told of it', async () => {
  const ask = "fetch(process.env.BACKLOT_URL + '/v1/videos/x', { headers: { authorization: 'Bearer k' } })"
  const fixed = ['sweep', '--clock', 'live', '--scenario', 'result-cut']
  const { code, out, err } = await ended([...fixed, '--', process.execPath, '-e', ask], {
    folder: newFolder(),
  })
  expect({ code, lines: linesOf(err) }).toEqual({
    code: 0,
    lines: [`baseline: ${process.execPath} -e ${ask}`],
  })
  expect(out).toMatch(/^Baseline: .+, 1 call, 0 tasks\.$/m)
})

test('a cell names the test files that met the scenario, as the helpers know them', async () => {
  const folder = newFolder()
  const helper = new URL('../../../dist/node-test.js', import.meta.url).href
  const file = `
    import { test } from 'node:test'
    import { useEmulator } from '${helper}'
    const emulator = useEmulator()
    test('creates', async () => {
      await fetch(emulator.url + '/provB/api/v3/contents/generations/tasks', {
        method: 'POST',
        headers: { authorization: 'Bearer ' + emulator.key },
        body: JSON.stringify({ model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a boat' }] }),
      })
    })`
  writeFileSync(join(folder, 'creates.test.mjs'), file)
  const options = ['--scenario', 'rate-limit-burst', '--json', 'report.json']
  const command = ['--', process.execPath, '--test', 'creates.test.mjs']
  await ended(['sweep', ...options, ...command], { folder })
  const { cells } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report
  expect(cells).toMatchObject([{ tests: 'pass', files: [expect.stringContaining('creates.test.mjs')] }])
})

test('--list runs the baseline alone', async () => {
  const file = join(newFolder(), 'runs')
  const { code, out } = await sweep(
    ['--list', '--scenario', '*-create', '--scenario', 'result-cut'],
    ['worker', file],
  )
  expect(code).toBe(0)
  expect(out).toMatch(/^\d scenarios would be tried, in about \d+s:\n(.|\n)*reset-after-create/)
  expect(out).toMatch(/1 acts on no call of these tests:\n {2}result-cut\n/)
  expect(readFileSync(file, 'utf8')).toBe('1\n')
})

// Where a terminal closes, SIGHUP comes from the shell and from the system.
test.skipIf(!hasSignals).each(['SIGINT', 'SIGHUP'] as const)(
  '%s, also twice, prints what there is, with exit code 3',
  async (signal) => {
    const folder = newFolder()
    const pattern = [
      '--scenario',
      'one-failed-poll',
      '--scenario',
      'poll-hangs',
      '--scenario',
      'reset-after-create',
    ]
    const running = backlot(
      ['sweep', '--clock', 'on-poll', '--output', 'out', ...pattern, '--', process.execPath, CLIENT, 'naive'],
      { folder },
    )
    running.process.stderr?.on('data', (text) => {
      if (!String(text).includes('[1/3]')) return
      for (let times = 0; times < 2; times += 1) running.process.kill(signal)
    })
    const { code, out, err } = await running.ended
    expect(code).toBe(3)
    expect(err).not.toContain('untested')
    expect(out).toMatch(/one-failed-poll +fail +failed/)
    expect(out).toContain('(the sweep was interrupted)')
    expect(out).toContain('This is not everything')
  },
)

test('shards are merged, and one that is missing is exit code 3', async () => {
  const folder = newFolder()
  const scenarios = ['--scenario', 'one-failed-poll', '--scenario', 'callback-lost']
  for (const index of [1, 2]) {
    const options = [...scenarios, '--shard', `${index}/2`, '--json', `part-${index}.json`]
    expect(await sweep(options, ['poll-again'], folder)).toMatchObject({ code: 0 })
  }
  const summary = join(folder, 'summary.md')
  const whole = await ended(['sweep', 'report', 'part-1.json', 'part-2.json', '--json', 'whole.json'], {
    folder,
    environment: { GITHUB_STEP_SUMMARY: summary },
  })
  expect(readFileSync(summary, 'utf8')).toContain('# Resilience sweep')
  expect(whole).toMatchObject({ code: 0, out: expect.stringContaining('1 survived, 1 not reached.') })
  expect(await ended(['sweep', 'report', 'part-2.json'], { folder })).toMatchObject({
    code: 3,
    out: expect.stringContaining('(no part of the report has it)'),
  })
})

test('a GitHub job gets a summary and annotations, and no summaries of the runs', async () => {
  const folder = newFolder()
  const environment = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(folder, 'summary.md') }
  const options = ['--scenario', 'reset-after-create', '--summary']
  const { out } = await sweep(options, ['summary'], folder, environment)
  expect(out).toContain('# Resilience sweep')
  expect(out).toContain('::error title=backlot sweep%3A reset-after-create::')
  const summary = readFileSync(environment.GITHUB_STEP_SUMMARY, 'utf8')
  expect(summary).toMatch(/^# Resilience sweep\n(.|\n)*\| reset-after-create \| money \| pass,/)
})

describe('bad input is exit code 2, and nothing is run', () => {
  const file = () => join(newFolder(), 'ran')

  test.each<[string, readonly string[], string]>([
    ['an unknown scenario', ['--scenario', 'result-cutt'], 'There is no scenario "result-cutt".'],
    [
      'a pattern that fits nothing',
      ['--scenario', 'zzz-*'],
      'No ready-made scenario has a name that matches "zzz-*".',
    ],
    ['a file that is not there', ['--scenario', './gone.yaml'], 'There is no file ./gone.yaml.'],
    ['shard 0', ['--shard', '0/4'], '--shard must be INDEX/COUNT'],
    ['a shard beyond the last', ['--shard', '5/4'], '--shard must be INDEX/COUNT'],
    ['no jobs', ['--jobs', '0'], '--jobs must be a whole number, 1 or more, found "0".'],
    ['half a repetition', ['--repeat', '1.5'], '--repeat must be a whole number'],
    ['a time limit that is none', ['--timeout', 'soon'], '--timeout must be a duration'],
    ['a budget of nothing', ['--budget', '0s'], '--budget must be a duration'],
    ['a list with a report', ['--list', '--junit', 'x.xml'], 'Expected --list or --junit, found both.'],
    ['a list with a threshold', ['--list', '--fail-on', 'lost'], 'Expected --list or --fail-on, found both.'],
    ['a list with an update', ['--list', '--update'], 'Expected --list or --update, found both.'],
    ['an unknown word', ['--fail-on', 'lost,hangs'], '--fail-on has no "hangs"'],
    ['a setting that is none', ['--set', 'prot=1'], 'prot is no setting'],
    [
      'a file as the folder',
      ['--output', CLIENT],
      `--output ${CLIENT} cannot be used: a part of its path is no folder.`,
    ],
    ['a folder below a file', ['--output', `${CLIENT}/out`], `--output ${CLIENT}/out cannot be used: `],
    [
      'a report in no folder',
      ['--html', 'no-folder/x.html'],
      'no-folder/x.html cannot be written: its folder is not there.',
    ],
    [
      'a report below a file',
      ['--junit', `${CLIENT}/x.xml`],
      `${CLIENT}/x.xml cannot be written: a part of its path is no folder.`,
    ],
    ['a folder as a report', ['--json', '.'], '. cannot be written: it is a folder.'],
  ])('%s', async (_, options, message) => {
    const ran = file()
    const command = ['--', process.execPath, CLIENT, 'worker', ran]
    const { code, err } = await endedHere(['sweep', ...options, ...command])
    expect({ code, err: err.split('\n')[0] }).toEqual({ code: 2, err: expect.stringContaining(message) })
    expect(() => readFileSync(ran)).toThrow('ENOENT')
  })

  test.each([
    ['{"accepted":', 'backlot.sweep.json cannot be used: it is not JSON'],
    [
      '{"accepted":[{"scenario":"x","verdict":"fine"}]}',
      'backlot.sweep.json cannot be used: accepted[0].verdict',
    ],
    ...['not-reached', 'untested'].map((verdict): [string, string] => [
      `{"accepted":[{"scenario":"x","verdict":"${verdict}"}]}`,
      `accepted[0].verdict must be one of survived, refused-cleanly, failed, survived-but, crashed, hung (not-reached and untested judge nothing), found "${verdict}".`,
    ]),
    [
      '{"accepted":[{"scenario":"x","verdict":"hung"},{"scenario":"x","verdict":"survived"}]}',
      'accepted[1].scenario must be a scenario that no entry before has, found "x"',
    ],
  ])('a broken backlot.sweep.json: %s', async (text, message) => {
    const [folder, ran] = [newFolder(), file()]
    writeFileSync(join(folder, 'backlot.sweep.json'), text)
    const { code, err } = await sweep([], ['worker', ran], folder)
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) })
    expect(() => readFileSync(ran)).toThrow('ENOENT')
  })

  test('a command that does not exist', async () => {
    const { code, err } = await endedHere(['sweep', '--', 'no-such-command-here'])
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('There is no command no-such-command-here.'),
    })
  })

  test('no command, and no part', async () => {
    for (const command of [[], ['']])
      expect(await endedHere(['sweep', '--', ...command])).toMatchObject({
        code: 2,
        err: expect.stringContaining('`backlot sweep` wants a command to run.'),
      })
    expect(await endedHere(['sweep', 'report'])).toMatchObject({ code: 2 })
  })

  test('a part of another version', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'old.json'), '{"kind":"backlot-sweep","format":0}')
    const { code, err } = await ended(['sweep', 'report', 'old.json'], { folder })
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('format must be 1, found 0.') })
  })
})
