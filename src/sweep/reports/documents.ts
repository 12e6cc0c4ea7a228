import type { ReportDocument, ReportRow } from '../../report/document.js'
import { annotation } from '../../report/github.js'
import { junitXml } from '../../report/junit.js'
import type { Comparison } from '../accepted.js'
import { type Cell, entriesText, type Report, verdictText } from '../report.js'
import { introOf, isNotable, problemsOf, seconds, tones, totalsOf, whyTexts } from './terminal.js'

/** Matrix of a sweep as a document, for the summary of a job and as a page. */
export const documentOf = (report: Report, comparison: Comparison): ReportDocument => {
  const shown = report.cells.filter(({ verdict }) => verdict !== 'not-reached')
  const others = report.cells.filter(({ verdict }) => verdict === 'not-reached')
  return {
    title: 'Resilience sweep',
    intro: [...introOf(report), totalsOf(report)],
    sections: [
      { heading: 'Compared with what is accepted', list: problemsOf(comparison) },
      {
        heading: 'Matrix',
        table: { head: ['Scenario', 'About', 'Tests', 'Seen', 'Verdict'], rows: shown.map(rowOf) },
      },
      {
        heading: 'Not reached by these tests',
        list: others.map(({ scenario, description }) => `${scenario}: ${description}`),
      },
    ],
  }
}

const rowOf = (cell: Cell): ReportRow => {
  const { scenario, about = '', tests, durationMs, seen, verdict, why, files, again, description } = cell
  const faults = seen.filter(({ kind }) => kind !== 'retried')
  const text = why === undefined ? verdictText({ ...cell, seen: faults }) : `untested: ${whyTexts[why]}`
  const ran = tests === null ? '–' : `${tests}, ${seconds(durationMs)}`.replaceAll(' ', '\u00a0')
  return {
    cells: [scenario, about, ran, entriesText(seen), { text, tone: tones[verdict] }],
    details: {
      sentences: [
        description,
        `${cell.survivable ? 'A' : 'No'} client can survive it.`,
        ...(files.length === 0 ? [] : [`In ${files.join(', ')}.`]),
      ],
      lines: again,
    },
    isNotable: isNotable(cell),
  }
}

/** Matrix of a sweep as JUnit XML: a case for each scenario, which fails where it is worse than accepted. */
export const junitText = ({ cells }: Report, { worse }: Comparison): string =>
  junitXml(
    'backlot sweep',
    cells.map((cell) => {
      const problem = worse.find((one) => one.cell === cell)
      const text = [`${problem?.says}.`, cell.description, ...cell.files, ...cell.again].join('\n')
      return {
        name: cell.scenario,
        classname: `backlot.sweep.${cell.about ?? 'other'}`,
        seconds: cell.durationMs / 1_000,
        failure: problem && { message: verdictText(cell), text },
        skipped:
          cell.verdict === 'not-reached'
            ? 'no step of the scenario acts on these tests'
            : cell.why && whyTexts[cell.why],
      }
    }),
  )

/** Annotations of a GitHub job: an error for each cell that is worse than accepted, a notice for each that is better. */
export const annotationLines = ({ worse, better }: Comparison): string[] => [
  ...worse.map(({ cell, says }) =>
    annotation('error', titleOf(cell), `${verdictText(cell)}; ${says}. ${cell.description}`),
  ),
  ...better.map((cell) => annotation('notice', titleOf(cell), `${verdictText(cell)}, better than accepted.`)),
]

const titleOf = ({ scenario }: { readonly scenario: string }): string => `backlot sweep: ${scenario}`
