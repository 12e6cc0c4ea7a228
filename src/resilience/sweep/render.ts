import { groupBy } from '../../emulator/surface/faults.js'
import { counted } from '../../emulator/surface/records.js'
import { escapeMarkup, type ReportDocument, type ReportRow } from '../reports/formats.js'
import type { Comparison } from './accepted.js'
import { isFault } from './ledger.js'
import {
  type Cell,
  entriesText,
  isComplete,
  isUneventful,
  type Report,
  verdicts,
  verdictText,
} from './report.js'

/** Painter: styles a text for a terminal, or returns it as it is. */
type Paint = (style: 'green' | 'yellow' | 'red' | 'dim' | 'bold', text: string) => string

const tones: Readonly<Record<Cell['verdict'], keyof typeof colours>> = {
  survived: 'good',
  'refused-cleanly': 'good',
  failed: 'fair',
  'survived-but': 'bad',
  crashed: 'bad',
  hung: 'bad',
  'not-reached': 'quiet',
  untested: 'quiet',
}

const colours = { good: 'green', fair: 'yellow', bad: 'red', quiet: 'dim' } as const

/** Matrix of a sweep as lines for a terminal. */
export const terminalText = (report: Report, comparison: Comparison, paint: Paint): string => {
  const shown = report.cells.filter(isShown)
  const others = report.cells.filter(isOther).map(({ scenario }) => scenario)
  const width = Math.max(0, ...shown.map(({ scenario }) => scenario.length))
  const row = (cell: Cell) => {
    const verdict = paint(colours[tones[cell.verdict]], verdictText(cell))
    return `  ${cell.scenario.padEnd(width)}  ${(cell.tests ?? '–').padEnd(7)}  ${verdict}${noteOf(cell)}`
  }
  return [
    ...introOf(report),
    ...withoutScenario(report),
    ...[...groupBy(shown, ({ about = 'other' }) => about)].flatMap(([about, cells]) => [
      '',
      paint('bold', about),
      ...cells.map(row),
    ]),
    ...(others.length === 0 ? [] : ['', `not reached: ${others.join(', ')}`]),
    ...shown.filter(isNotable).flatMap((cell) => ['', ...detailsOf(cell)]),
    '',
    totalsOf(report),
    ...problemsOf(comparison).map((text) => (text.startsWith('worse') ? paint('red', text) : text)),
    '',
  ].join('\n')
}

/** The verdict on the client of the baseline, as lines. */
const withoutScenario = ({ baseline: { findings = [] } }: Report): string[] =>
  findings.length === 0
    ? []
    : [
        '',
        'Without a scenario (docs/verdict.md):',
        ...findings.flatMap(({ kind, count, examples }) => [
          `  ${kind} ${count}`,
          ...examples.map((example) => `    ${example}`),
        ]),
      ]

const isShown = ({ verdict, tests, why }: Cell): boolean =>
  verdict !== 'not-reached' && (tests !== null || why !== 'no-calls')

const isOther = ({ verdict }: Cell): boolean => verdict === 'not-reached'

/** Differences from what is accepted, as sentences: the worse first. */
const problemsOf = ({ worse, better }: Comparison): string[] => [
  ...worse.map(
    ({ cell, than, says }) => `worse than ${than}: ${cell.scenario}: ${verdictText(cell)}; ${says}.`,
  ),
  ...(better.length === 0
    ? []
    : [`better: ${better.map(({ scenario }) => scenario).join(', ')}. Take that in with --update.`]),
]

export const NO_CALLS =
  'The command called no emulator, so that no scenario can be tried. Does it read BACKLOT_URL? --env gives it another variable.'

const introOf = ({ command, seed, baseline, shard, scenarios }: Report): string[] => [
  `${command.join(' ')}: ${counted(scenarios.length, 'scenario')}${shard === undefined ? '' : `, shard ${shard.index} of ${shard.of}`}, seed ${seed}.`,
  `Baseline: ${seconds(baseline.durationMs)}, ${counted(baseline.calls, 'call')}, ${counted(baseline.tasks, 'task')}${baseline.leftAlone === 0 ? '' : `; ${counted(baseline.leftAlone, 'account')} with a scenario of its own, left alone`}.`,
  ...(baseline.calls === 0 ? [NO_CALLS] : []),
]

const totalsOf = (report: Report): string => {
  const counts = verdicts.flatMap((verdict) => {
    const count = report.cells.filter((cell) => cell.verdict === verdict).length
    return count === 0 ? [] : `${count} ${verdict.replace(/-but$/, ' but …').replace('-', ' ')}`
  })
  const rest = isComplete(report) ? '' : ' This is not everything: some scenarios were not run.'
  return `${counts.join(', ')}.${rest}`
}

/** Whether a cell is shown with how to run it again. */
const isNotable = ({ verdict, again, flaky }: Cell): boolean =>
  again.length > 0 && (flaky !== undefined || !(isUneventful(verdict) || verdict === 'untested'))

// The verdict `survived-but` names the faults itself.
const noteOf = ({ verdict, seen, why }: Cell): string => {
  if (why !== undefined) return `  (${whyTexts[why]})`
  return verdict === 'survived-but' || seen.length === 0 ? '' : `  (${entriesText(seen)})`
}

const whyTexts = {
  budget: 'the budget was used up',
  interrupted: 'the sweep was interrupted',
  'missing-part': 'no part of the report has it',
  'no-calls': 'no emulator was called',
} as const

const detailsOf = (cell: Cell): string[] => {
  const { scenario, description, files, again, verdict, durationMs, error } = cell
  return [
    `${scenario}: ${description}`,
    ...adviceIn(cell).map((advice) => `  ${advice}`),
    ...examplesIn(cell).map((example) => `  ${example}`),
    ...(error === undefined ? [] : [`  the tests: ${error}`]),
    ...(verdict === 'hung' ? [`  ended after ${seconds(durationMs)}; --timeout gives a run more`] : []),
    ...(files.length === 0 ? [] : [`  in ${files.join(', ')}`]),
    ...again.map((line) => `  ${line}`),
  ]
}

const adviceIn = ({ advice }: Cell): string[] => (advice === undefined ? [] : [`A robust client: ${advice}`])

/** Examples of the faults of a cell: `paid-twice: b-video-task.create cgt-… "A tram climbs"`. */
const examplesIn = ({ seen }: Cell): string[] =>
  seen.flatMap(({ kind, examples = [] }) => examples.map((example) => `${kind}: ${example}`))

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

/** Matrix of a sweep as a document, for the summary of a job and as a page. */
export const documentOf = (report: Report, comparison: Comparison): ReportDocument => {
  const shown = report.cells.filter(isShown)
  const others = report.cells
    .filter(isOther)
    .map(({ scenario, description }) => `${scenario}: ${description}`)
  const head = ['Scenario', 'About', 'Tests', 'Seen', 'Verdict']
  return {
    title: 'Resilience sweep',
    intro: [...introOf(report), totalsOf(report)],
    sections: [
      { heading: 'Compared with what is accepted', list: problemsOf(comparison) },
      { heading: 'Matrix', table: { head, rows: shown.map(rowOf) } },
      { heading: 'Not reached by these tests', list: others },
      { heading: 'Without a scenario', list: findingLines(report) },
    ],
  }
}

const findingLines = ({ baseline: { findings = [] } }: Report): string[] =>
  findings.map(({ kind, count, examples }) => `${kind} ${count}: ${examples.join(' ')}`)

const rowOf = (cell: Cell): ReportRow => {
  const { scenario, about = '', tests, durationMs, seen, verdict, why, files, again, description } = cell
  const faults = seen.filter(({ kind }) => isFault(kind))
  const text = why === undefined ? verdictText({ ...cell, seen: faults }) : `untested: ${whyTexts[why]}`
  const ran = tests === null ? '–' : `${tests}, ${seconds(durationMs)}`.replaceAll(' ', '\u00a0')
  return {
    cells: [scenario, about, ran, entriesText(seen), { text, tone: tones[verdict] }],
    details: {
      sentences: [
        description,
        ...adviceIn(cell),
        ...examplesIn(cell).map((example) => `${example}.`),
        ...(cell.error === undefined ? [] : [`The tests: ${cell.error}`]),
        `${cell.survivable ? 'A' : 'No'} client can survive it.`,
        ...(files.length === 0 ? [] : [`In ${files.join(', ')}.`]),
      ],
      lines: again,
    },
    isNotable: isNotable(cell),
  }
}

/** Matrix of a sweep as JUnit XML: a case for each scenario, which fails where it is worse than accepted. */
export const junitText = ({ cells }: Report, { worse }: Comparison): string => {
  const cases = cells.map((cell) => {
    const problem = worse.find((entry) => entry.cell === cell)
    return { cell, problem, skipped: problem === undefined ? skippedBecause(cell) : undefined }
  })
  const skipped = cases.filter(({ skipped }) => skipped !== undefined).length
  const counts = `tests="${cases.length}" failures="${worse.length}" errors="0" skipped="${skipped}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="backlot sweep" ${counts}>`,
    ...cases.map(({ cell, problem, skipped }) => {
      const { scenario, about = 'other', durationMs, description, files, again } = cell
      const seconds = (durationMs / 1_000).toFixed(3)
      const head = `    <testcase name="${escaped(scenario)}" classname="backlot.sweep.${about}" time="${seconds}"`
      if (skipped !== undefined) return `${head}>\n      <skipped message="${skipped}"/>\n    </testcase>`
      if (problem === undefined) return `${head}/>`
      const text = [
        `${problem.says}.`,
        description,
        ...adviceIn(cell),
        ...examplesIn(cell),
        ...(cell.error === undefined ? [] : [cell.error]),
        ...files,
        ...again,
      ].join('\n')
      const failure = `<failure message="${escaped(verdictText(cell))}">${escaped(text)}</failure>`
      return `${head}>\n      ${failure}\n    </testcase>`
    }),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

/** Why nothing was run for a cell, or undefined where its tests were run. */
const skippedBecause = ({ verdict, why }: Cell): string | undefined =>
  verdict === 'not-reached' ? 'no step of the scenario acts on these tests' : why && whyTexts[why]

// Characters that XML 1.0 cannot hold at all.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const escaped = (text: string): string => escapeMarkup(text.replace(UNWRITABLE, ''))

/** Annotations of a GitHub job: an error for each cell that is worse than accepted, a notice for each that is better. */
export const annotationLines = ({ worse, better }: Comparison): string[] => [
  ...worse.map(({ cell, says }) =>
    annotation('error', cell, `${verdictText(cell)}; ${says}. ${cell.description}`),
  ),
  ...better.map((cell) => annotation('notice', cell, `${verdictText(cell)}, better than accepted.`)),
]

const annotation = (level: 'error' | 'notice', { scenario }: Cell, message: string): string => {
  const inMessage = (text: string) =>
    text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const title = inMessage(`backlot sweep: ${scenario}`).replaceAll(':', '%3A').replaceAll(',', '%2C')
  return `::${level} title=${title}::${inMessage(message)}`
}
