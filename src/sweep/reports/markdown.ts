import { annotation, markdownTable } from '../../report/markdown.js'
import type { Comparison } from '../accepted.js'
import { type Cell, entriesText, type Report, verdictText } from '../report.js'
import { introOf, isNotable, totalsOf, whyTexts } from './terminal.js'

/** Matrix of a sweep in Markdown, for the summary of a job. */
export const markdownText = (report: Report, { worse, better }: Comparison): string => {
  const shown = report.cells.filter(({ verdict }) => verdict !== 'not-reached')
  const others = report.cells.filter(({ verdict }) => verdict === 'not-reached')
  return [
    '## Resilience sweep',
    '',
    introOf(report).join(' '),
    totalsOf(report),
    ...['', markdownTable(['About', 'Scenario', 'Tests', 'Seen', 'Verdict'], shown.map(rowOf)), ''],
    ...(others.length === 0
      ? []
      : [`Not reached: ${others.map(({ scenario }) => scenario).join(', ')}.`, '']),
    ...worse.map(({ cell, says }) => `- **${cell.scenario}**: ${verdictText(cell)}; ${says}.`),
    ...(better.length === 0
      ? []
      : [`- Better than accepted: ${better.map(({ scenario }) => scenario).join(', ')}.`]),
    ...shown.filter(isNotable).flatMap(detailsOf),
    '',
  ].join('\n')
}

const rowOf = (cell: Cell): string[] => [
  cell.about ?? '',
  cell.scenario,
  cell.tests ?? '–',
  entriesText(cell.seen),
  cell.why === undefined ? verdictText({ ...cell, seen: faultsOf(cell) }) : `untested: ${whyTexts[cell.why]}`,
]

const faultsOf = ({ seen }: Cell) => seen.filter(({ kind }) => kind !== 'retried')

const detailsOf = ({ scenario, description, files, again }: Cell): string[] => [
  ...['', '<details>', `<summary>${scenario}: ${description}</summary>`, ''],
  ...(files.length === 0 ? [] : [`In ${files.join(', ')}.`, '']),
  ...['```sh', ...again, '```', '', '</details>'],
]

/** Annotations of a GitHub job: an error for each cell that is worse than accepted. */
export const annotationLines = ({ worse, better }: Comparison): string[] => [
  ...worse.map(({ cell, says }) =>
    annotation(
      'error',
      `backlot sweep: ${cell.scenario}`,
      `${verdictText(cell)}; ${says}. ${cell.description}`,
    ),
  ),
  ...better.map((cell) =>
    annotation('notice', `backlot sweep: ${cell.scenario}`, `${verdictText(cell)}, better than accepted.`),
  ),
]
