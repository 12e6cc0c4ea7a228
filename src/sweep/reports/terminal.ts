import type { Comparison } from '../accepted.js'
import { type Cell, entriesText, isComplete, type Report, verdictText } from '../report.js'
import { groupBy } from '../tasks.js'
import { verdicts } from '../verdict.js'

/** Colours a text, or does not. */
type Paint = (style: 'green' | 'yellow' | 'red' | 'dim' | 'bold', text: string) => string

/** How good a verdict is. */
export const tones: Readonly<Record<Cell['verdict'], keyof typeof colours>> = {
  ...{ survived: 'good', 'refused-cleanly': 'good', failed: 'fair' },
  ...{ 'survived-but': 'bad', crashed: 'bad', hung: 'bad' },
  ...{ 'not-reached': 'quiet', untested: 'quiet' },
}

const colours = { good: 'green', fair: 'yellow', bad: 'red', quiet: 'dim' } as const

/** Matrix of a sweep as lines for a terminal. */
export const terminalText = (report: Report, comparison: Comparison, paint: Paint): string => {
  const shown = report.cells.filter(({ verdict }) => verdict !== 'not-reached')
  const others = report.cells.filter(({ verdict }) => verdict === 'not-reached')
  const width = Math.max(0, ...shown.map(({ scenario }) => scenario.length))
  const row = (cell: Cell) =>
    `  ${cell.scenario.padEnd(width)}  ${(cell.tests ?? '–').padEnd(7)}  ${paint(colours[tones[cell.verdict]], verdictText(cell))}${besides(cell)}`
  return [
    ...introOf(report),
    ...[...groupBy(shown, ({ about = 'other' }) => about)].flatMap(([about, cells]) => [
      ...['', paint('bold', about)],
      ...cells.map(row),
    ]),
    ...(others.length === 0 ? [] : ['', `not reached: ${others.map(({ scenario }) => scenario).join(', ')}`]),
    ...shown.filter(isNotable).flatMap((cell) => ['', ...detailsOf(cell)]),
    '',
    totalsOf(report),
    ...problemsOf(comparison).map((problem) =>
      problem.startsWith('worse') ? paint('red', problem) : problem,
    ),
    '',
  ].join('\n')
}

/** What differs from what is accepted, as sentences: the worse first. */
export const problemsOf = ({ worse, better }: Comparison): string[] => [
  ...worse.map(({ cell, says }) => `worse: ${cell.scenario}: ${verdictText(cell)}; ${says}.`),
  ...(better.length === 0
    ? []
    : [`better: ${better.map(({ scenario }) => scenario).join(', ')}. Take that in with --update.`]),
]

/** First sentences of a report: what was run, and the baseline. */
export const introOf = ({ command, seed, baseline, shard, scenarios }: Report): string[] => [
  `${command.join(' ')}: ${counted(scenarios.length, 'scenario')}${shard === undefined ? '' : `, shard ${shard.index} of ${shard.of}`}, seed ${seed}.`,
  `Baseline: ${seconds(baseline.durationMs)}, ${counted(baseline.calls, 'call')}, ${counted(baseline.tasks, 'task')}${baseline.leftAlone === 0 ? '' : `; ${counted(baseline.leftAlone, 'account')} with a scenario of its own, left alone`}.`,
]

/** Last sentence of a report: the number of each verdict, and whether something is missing. */
export const totalsOf = (report: Report): string => {
  const counts = verdicts.map((verdict) => [
    report.cells.filter((cell) => cell.verdict === verdict).length,
    verdict,
  ])
  const found = counts
    .filter(([count]) => count !== 0)
    .map((words) => words.join(' ').replace(/-but$/, ' but …').replace('-', ' '))
  const rest = isComplete(report) ? '' : ' This is not everything: some scenarios were not run.'
  return `${found.join(', ')}.${rest}`
}

/** Whether a cell is shown with how to run it again. */
export const isNotable = ({ verdict, again, flaky }: Cell): boolean =>
  again.length > 0 && (flaky !== undefined || !['survived', 'not-reached', 'untested'].includes(verdict))

// The faults of a cell that was survived stand in its verdict.
const besides = ({ verdict, seen, why }: Cell): string => {
  if (why !== undefined) return `  (${whyTexts[why]})`
  return verdict === 'survived-but' || seen.length === 0 ? '' : `  (${entriesText(seen)})`
}

export const whyTexts = {
  budget: 'the budget was used up',
  interrupted: 'the sweep was interrupted',
  'missing-part': 'no part of the report has it',
  'no-calls': 'no emulator was called',
} as const

const detailsOf = ({ scenario, description, files, again }: Cell): string[] => [
  `${scenario}: ${description}`,
  ...(files.length === 0 ? [] : [`  in ${files.join(', ')}`]),
  ...again.map((line) => `  ${line}`),
]

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
