import type { ReportDocument } from '../report/document.js'
import { coverageKinds, type Hits } from './hits.js'
import type { CoverageReport } from './report.js'

/** Maximum number of points of a kind on a terminal, unless all are asked for. */
const MAX_SHOWN = 5

/** Coverage report for a terminal: what is not covered first, then the shares, then what tests rely on. */
export const terminalText = (report: CoverageReport, isWhole = false): string => {
  const { uncovered, kinds, relied } = report
  const sections = coverageKinds.flatMap((kind) => {
    const points = uncovered.filter((point) => point.kind === kind)
    if (points.length === 0) return []
    const shown = isWhole ? points : points.slice(0, MAX_SHOWN)
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
      const share = percent === null ? '–' : `${percent.toFixed(1)} %`
      return `  ${kind.padEnd(width)}  ${share.padStart(7)}  ${covered} of ${total}`
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

const introOf = ({ families, tests }: Pick<CoverageReport, 'families' | 'tests'>): string[] => {
  const used = families.used.join(', ')
  const unused = families.unused.join(', ')
  if (used === '')
    return [
      'The tests called nothing of the service. Do they read BACKLOT_URL? --env gives them another variable.',
    ]
  const others = unused === '' ? '' : ` What they do not call does not count: ${unused}.`
  const known = tests.length === 0 ? [] : [`Tests known by their names: ${tests.length}.`]
  return [`The tests call ${used}.${others}`, ...known]
}

/** Coverage report as a document. */
export const documentOf = (report: CoverageReport): ReportDocument => ({
  title: 'Coverage',
  intro: introOf(report),
  sections: [
    {
      heading: 'Covered',
      table: {
        head: ['Kind', 'Covered', 'Of', 'Percent'],
        rows: coverageKinds.map((kind) => {
          const { percent, covered, total } = report.kinds[kind]
          return { cells: [kind, String(covered), String(total), percent?.toFixed(1) ?? '–'] }
        }),
      },
    },
    {
      heading: 'Not covered',
      table: {
        head: ['Kind', 'Missing', 'Try'],
        rows: report.uncovered.map(({ kind, missing, remedy }) => ({
          cells: [kind, missing, { code: remedy }],
        })),
      },
    },
    {
      heading: 'Answers that no specification gives',
      table: {
        head: ['Gap', 'Grade', 'Where', 'Answer', 'Times'],
        rows: report.relied.map(({ gap, grade, place, answer, count }) => ({
          cells: [gap, grade, place, answer, String(count)],
        })),
      },
    },
    {
      heading: 'Tests',
      table: {
        head: ['File', 'Test', 'Points'],
        rows: report.tests.map(({ file, test, hits }) => ({ cells: [file, test, String(pointsHit(hits))] })),
      },
    },
  ],
})

const pointsHit = (hits: Hits): number =>
  coverageKinds.reduce((sum, kind) => sum + Object.values(hits[kind]).filter((count) => count > 0).length, 0)
