import type { ReportDocument, ReportRow } from '../../report/document.js'
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
  const ran = tests === null ? '–' : `${tests}, ${seconds(durationMs)}`
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
