import { escapeHtml, htmlPage, htmlTable } from '../report/html.js'
import { markdownTable } from '../report/markdown.js'
import { coverageKinds, type Hits } from './hits.js'
import type { CoverageReport } from './report.js'

/** How many points of a kind a terminal shows, unless all are asked for. */
const SHOWN = 5

/** Coverage report for a terminal: what is not covered first, then the shares, then what tests rely on. */
export const terminalText = (report: CoverageReport, isWhole = false): string => {
  const { uncovered, kinds, relied } = report
  const sections = coverageKinds.flatMap((kind) => {
    const points = uncovered.filter((point) => point.kind === kind)
    if (points.length === 0) return []
    const shown = isWhole ? points : points.slice(0, SHOWN)
    const left = points.length - shown.length
    return [
      `  ${kind}`,
      ...shown.flatMap(({ missing, remedy }) => [`    ${missing}`, `      Try: ${remedy}`]),
      ...(left === 0 ? [] : [`    … and ${left} more (--all)`]),
      '',
    ]
  })
  const width = Math.max(...coverageKinds.map(({ length }) => length))
  return [
    ...introOf(report),
    '',
    ...(sections.length === 0 ? [] : ['Not covered:', '', ...sections]),
    'Covered:',
    '',
    ...coverageKinds.map((kind) => {
      const { percent, covered, total } = kinds[kind]
      return `  ${kind.padEnd(width)}  ${`${percent.toFixed(1)} %`.padStart(7)}  ${covered} of ${total}`
    }),
    ...(relied.length === 0 ? [] : ['', RELIED, '']),
    ...relied.map(
      ({ gap, grade, place, count }) =>
        `  ${gap.padEnd(4)} ${grade.padEnd(8)} ${place} (${count === 1 ? 'once' : `${count} times`})`,
    ),
    '',
  ].join('\n')
}

const RELIED = 'Answers that no specification gives, and that the tests rely on (docs/gaps.md):'

const introOf = ({ families: { used, unused }, tests }: CoverageReport): string[] =>
  used.length === 0
    ? ['The tests called nothing of the service.']
    : [
        `The tests call ${used.join(', ')}.${unused.length === 0 ? '' : ` What they do not call does not count: ${unused.join(', ')}.`}`,
        ...(tests.length === 0 ? [] : [`${tests.length} tests are known by their names.`]),
      ]

/** The same in Markdown, whole. */
export const markdownText = (report: CoverageReport): string =>
  [
    '# Coverage',
    '',
    ...introOf(report),
    '',
    markdownTable(['Kind', 'Covered', 'Of', 'Percent'], sharesOf(report)),
    '',
    '## Not covered',
    '',
    markdownTable(
      ['Kind', 'Missing', 'Try'],
      report.uncovered.map(({ kind, missing, remedy }) => [kind, missing, inlineCode(remedy)]),
    ),
    ...(report.relied.length === 0
      ? []
      : [
          '',
          '## Answers that no specification gives',
          '',
          markdownTable(
            ['Gap', 'Grade', 'Where', 'Times'],
            report.relied.map(({ gap, grade, place, count }) => [gap, grade, place, String(count)]),
          ),
        ]),
    ...(report.tests.length === 0
      ? []
      : ['', '## Tests', '', markdownTable(['File', 'Test', 'Points'], testsOf(report))]),
    '',
  ].join('\n')

const inlineCode = (text: string): string => (text.includes('`') ? text : `\`${text}\``)

const sharesOf = ({ kinds }: CoverageReport): string[][] =>
  coverageKinds.map((kind) => {
    const { percent, covered, total } = kinds[kind]
    return [kind, String(covered), String(total), percent.toFixed(1)]
  })

const testsOf = ({ tests }: CoverageReport): string[][] =>
  tests.map(({ file, test, hits }) => [file, test, String(pointsHit(hits))])

const pointsHit = (hits: Hits): number =>
  coverageKinds.reduce((sum, kind) => sum + Object.values(hits[kind]).filter((count) => count > 0).length, 0)

/** The same as one HTML page without requests to anywhere. */
export const htmlText = (report: CoverageReport): string => {
  const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
    htmlTable(
      head,
      rows.map((cells) => ({ cells: cells.map(escapeHtml) })),
    )
  const uncovered = report.uncovered.map(({ kind, missing, remedy }) => ({
    cells: [kind, escapeHtml(missing), `<code>${escapeHtml(remedy)}</code>`],
  }))
  const relied = report.relied.map(({ gap, grade, place, answer, count }) => [
    gap,
    grade,
    place,
    answer,
    String(count),
  ])
  return htmlPage({
    title: 'Backlot coverage',
    intro: introOf(report),
    body: [
      table(['Kind', 'Covered', 'Of', 'Percent'], sharesOf(report)),
      '<h2>Not covered</h2>',
      htmlTable(['Kind', 'Missing', 'Try'], uncovered),
      ...(relied.length === 0
        ? []
        : [
            '<h2>Answers that no specification gives</h2>',
            table(['Gap', 'Grade', 'Where', 'Answer', 'Times'], relied),
          ]),
      ...(report.tests.length === 0
        ? []
        : ['<h2>Tests</h2>', table(['File', 'Test', 'Points'], testsOf(report))]),
    ].join('\n'),
  })
}
