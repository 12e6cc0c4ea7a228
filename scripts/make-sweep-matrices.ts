/**
 * Writes the matrices of the three clients of examples/resilience into docs/sweep.md: `npx tsx scripts/make-sweep-matrices.ts`, after
 * `npm run build`. It sweeps each client, which takes some minutes. `--reports FOLDER` takes reports that are there
 * (naive.json, retrying.json, robust.json).
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { markdownTable } from '../src/resilience/reports/formats.js'
import {
  type Cell,
  entriesText,
  parseReport,
  type Report,
  verdictText,
} from '../src/resilience/sweep/report.js'

const CLIENTS = ['naive', 'retrying', 'robust'] as const
const PAGE = 'docs/sweep.md'
const [BEGIN, END] = ['<!-- matrices: scripts/make-sweep-matrices.ts -->', '<!-- end of matrices -->']

/** A copy of the example that finds this package and its own dependencies. */
const project = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-resilience-'))
  cpSync('examples/resilience', folder, { recursive: true })
  const linked = {
    backlot: '.',
    vitest: 'node_modules/vitest',
    '@ffmpeg-installer/ffmpeg': 'node_modules/@ffmpeg-installer/ffmpeg',
  }
  for (const [name, target] of Object.entries(linked)) {
    const path = join(folder, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(resolve(target), path)
  }
  return folder
}

const swept = (): string => {
  const folder = project()
  for (const client of CLIENTS) {
    const tests = [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', `test/${client}.test.js`]
    const args = [
      resolve('dist/cli.js'),
      'sweep',
      '--json',
      `${client}.json`,
      '--output',
      client,
      '--',
      ...tests,
    ]
    spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit' })
  }
  return folder
}

const shortened = (cell: Cell): Cell => ({
  ...cell,
  seen: cell.seen
    .filter(({ kind }) => kind !== 'retried')
    .map(({ sameIdempotencyKey: _, price: _price, ...entry }) => entry),
})

const cellText = (cell: Cell | undefined): string => {
  if (cell === undefined) return '–'
  const { seen, verdict, ...rest } = shortened(cell)
  const text = verdictText({ ...rest, seen, verdict })
  return verdict === 'survived-but' || seen.length === 0 ? text : `${text} (${entriesText(seen)})`
}

const matrix = (reports: readonly Report[]): string => {
  const names = [...new Set(reports.flatMap(({ scenarios }) => scenarios))]
  const cellsOf = (name: string) =>
    reports.map(({ cells }) => cells.find(({ scenario }) => scenario === name))
  const isReached = (name: string) =>
    cellsOf(name).some((cell) => cell !== undefined && cell.verdict !== 'not-reached')
  const rows = names.filter(isReached).map((name) => {
    const cells = cellsOf(name)
    return [`${name}${cells[0]?.survivable ? '' : ' \\*'}`, ...cells.map(cellText)]
  })
  const others = names.filter((name) => !isReached(name))
  return [
    markdownTable(['Scenario', ...CLIENTS], rows),
    '',
    '\\* No client can survive it. The entry `retried` is not shown.',
    `Not reached by these tests: ${others.join(', ')}.`,
  ].join('\n')
}

const { values } = parseArgs({ options: { reports: { type: 'string' } } })
const folder = values.reports ?? swept()
const reports = CLIENTS.map((client) =>
  parseReport(readFileSync(join(folder, `${client}.json`), 'utf8'), client),
)
const [before, rest = ''] = readFileSync(PAGE, 'utf8').split(BEGIN)
const [, after = ''] = rest.split(END)
writeFileSync(PAGE, `${before}${BEGIN}\n\n${matrix(reports)}\n\n${END}${after}`)
