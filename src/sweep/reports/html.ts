import { escapeHtml, htmlPage, htmlTable } from '../../report/html.js'
import type { Comparison } from '../accepted.js'
import { type Cell, entriesText, type Report, verdictText } from '../report.js'
import { introOf, seconds, totalsOf, whyTexts } from './terminal.js'

const classes: Readonly<Record<Cell['verdict'], 'good' | 'fair' | 'bad' | 'quiet'>> = {
  survived: 'good',
  'refused-cleanly': 'good',
  failed: 'fair',
  'survived-but': 'bad',
  crashed: 'bad',
  hung: 'bad',
  'not-reached': 'quiet',
  untested: 'quiet',
}

/** Matrix of a sweep as one HTML file. */
export const htmlText = (report: Report, { worse }: Comparison): string => {
  const problems = worse.map(
    ({ cell, says }) => `<li>${escapeHtml(`${cell.scenario}: ${verdictText(cell)}; ${says}.`)}</li>`,
  )
  return htmlPage({
    title: 'Resilience sweep',
    intro: [...introOf(report), totalsOf(report)],
    body: [
      ...(problems.length === 0 ? [] : ['<h2>Worse than accepted</h2>', `<ul>${problems.join('')}</ul>`]),
      '<h2>Matrix</h2>',
      htmlTable(['About', 'Scenario', 'Tests', 'Seen', 'Verdict'], report.cells.map(rowOf)),
    ].join('\n'),
  })
}

const rowOf = (cell: Cell): { readonly cells: string[] } => ({
  cells: [
    escapeHtml(cell.about ?? ''),
    `<details><summary>${escapeHtml(cell.scenario)}</summary>${detailsOf(cell)}</details>`,
    cell.tests === null ? '–' : `${cell.tests}, ${seconds(cell.durationMs)}`,
    escapeHtml(entriesText(cell.seen)),
    `<span class="${classes[cell.verdict]}">${escapeHtml(verdictOf(cell))}</span>`,
  ],
})

const verdictOf = (cell: Cell): string =>
  cell.why === undefined
    ? verdictText({ ...cell, seen: cell.seen.filter(({ kind }) => kind !== 'retried') })
    : `untested: ${whyTexts[cell.why]}`

const detailsOf = ({ description, files, again, survivable }: Cell): string =>
  [
    `<p>${escapeHtml(description)}</p>`,
    `<p class="quiet">${survivable ? 'A client can survive it.' : 'No client can survive it.'}</p>`,
    ...(files.length === 0 ? [] : [`<p>In ${escapeHtml(files.join(', '))}.</p>`]),
    ...(again.length === 0 ? [] : [`<pre>${escapeHtml(again.join('\n'))}</pre>`]),
  ].join('')
