import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Report } from '../src/resilience/sweep/report.js'
import { byTurns, inFullOr, isQuick, median, timed } from './measure.js'
import { atMost, row, type Table } from './report.js'

const TESTS = 10
const ROUNDS = inFullOr(25, 5)

/** Ten tests of the robust client of examples/resilience, in one file of vitest, with the helper. */
const testFile = `
import { useEmulator } from 'backlot/vitest'
import { expect, test } from 'vitest'
import { createRobustClient } from './robust.js'

const emulator = useEmulator()
for (let nth = 0; nth < ${TESTS}; nth += 1)
  test('order ' + nth, async () => {
    const service = { baseUrl: emulator.url + '/provB/api/v3', apiKey: emulator.key }
    const films = createRobustClient({ ...service, sleep: (ms) => emulator.clock.advance(ms), timeoutMs: 1_000, stallMs: 4_000, transferMs: 500 })
    const { url } = await films.makeVideo({ prompt: 'a boat', reference: 'order-' + nth })
    expect(url).toContain('/results/')
  }, 20_000)
`

const makeProject = async (folder: string): Promise<void> => {
  await mkdir(join(folder, 'node_modules', '@ffmpeg-installer'), { recursive: true })
  // A copy, as npm installs it: vitest transforms the files of a package that is linked.
  const installed = join(folder, 'node_modules', 'backlot')
  for (const part of ['dist', 'assets', 'fixtures', 'scenarios', 'package.json'])
    await cp(part, join(installed, part), { recursive: true })
  await symlink(resolve('node_modules'), join(installed, 'node_modules'))
  for (const name of ['vitest', '@ffmpeg-installer/ffmpeg'])
    await symlink(resolve('node_modules', name), join(folder, 'node_modules', name))
  for (const file of ['robust.js', 'plays-through.js'])
    await cp(join('examples/resilience/src', file), join(folder, file))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'orders.test.js'), testFile)
}

const VITEST = [resolve('node_modules/vitest/vitest.mjs'), 'run']

const runIn = (folder: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): void => {
  const { status, stderr } = spawnSync(process.execPath, [...args], {
    cwd: folder,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  })
  // 1: something is worse than the threshold, which is no matter here.
  if (status !== 0 && status !== 1) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
}

/** A sweep over all ready-made scenarios, and what the ledger adds to a run of the tests. */
export const sweep = async (): Promise<Table[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-bench-'))
  try {
    await makeProject(folder)
    const ledger = join(folder, 'ledger')
    await mkdir(ledger)
    await writeFile(join(ledger, 'plan.json'), 'null')
    const kinds = { without: {}, with: { BACKLOT_SWEEP: ledger } }
    const turns = await byTurns(['without', 'with'] as const, ROUNDS, (kind) =>
      timed(() => runIn(folder, VITEST, kinds[kind])),
    )
    // Compared within a round, whose two runs follow each other: the machine is faster in one minute than in another.
    const ratios = turns.with.map((ms, round) => ms / (turns.without[round] ?? ms))
    const cost = row('a run with the ledger', '% more', 100 * (median(ratios) - 1), atMost(3))
    if (isQuick) return [{ title: TITLE, rows: [cost] }]
    const times: number[] = []
    for (const jobs of ['1', '2']) {
      const args = [
        resolve('dist/cli.js'),
        'sweep',
        '--jobs',
        jobs,
        '--json',
        'report.json',
        '--output',
        'out',
      ]
      times.push(await timed(() => runIn(folder, [...args, '--', process.execPath, ...VITEST])))
    }
    const [one = 0, two = 0] = times
    const { scenarios, cells } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as Report
    const notReached = cells.filter(({ verdict }) => verdict === 'not-reached')
    const spent = notReached.reduce((sum, { durationMs }) => sum + durationMs, 0)
    return [
      {
        title: TITLE,
        rows: [
          row(`${scenarios.length} scenarios, one at a time`, 's', one / 1_000, atMost(90)),
          row('the same, two at a time (--jobs 2)', 's', two / 1_000, atMost(90)),
          row(`of which ${notReached.length} are not reached`, 's', spent / 1_000, atMost(0)),
          cost,
        ],
      },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const TITLE = `Sweep over a suite of ${TESTS} tests of vitest`
