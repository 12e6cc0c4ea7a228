import { grades } from '../../emulator/surface/registry.js'
import type { ReportDocument, ReportRow } from '../reports/formats.js'
import type { Point } from './points.js'
import type { CoverageReport } from './report.js'
import { coverageKinds, type Hits } from './spec.js'

/** Maximum number of points of a kind on a terminal, unless all are asked for. */
const MAX_SHOWN = 5

/** Coverage report for a terminal: what is not covered first, then the shares, then what tests rely on. */
export const terminalText = (report: CoverageReport, isWhole = false): string => {
  const { likeliest, uncovered, kinds, relied } = report
  const sections = coverageKinds.flatMap((kind) => {
    const points = uncovered.filter((point) => point.kind === kind)
    if (points.length === 0) return []
    const shown = isWhole ? points : points.slice(0, MAX_SHOWN)
    const left = points.length - shown.length
    return [
      `  ${kind}`,
      ...shown.flatMap(pointLines),
      ...(left === 0 ? [] : [`    … and ${left} more (--all)`]),
      '',
    ]
  })
  const width = Math.max(...coverageKinds.map(({ length }) => length))
  const gradeWidth = Math.max(
    ...grades.map(({ length }) => length),
    ...relied.map((one) => gradeText(one).length),
  )
  return [
    ...introOf(report),
    '',
    ...(likeliest.length === 0 ? [] : [`${LIKELIEST_HEADING}:`, '', ...likeliest.flatMap(pointLines), '']),
    ...(sections.length === 0 ? [] : ['Not covered:', '', ...sections]),
    'Covered:',
    '',
    ...coverageKinds.map((kind) => {
      const { percent, covered, total } = kinds[kind]
      const share = percent === null ? '–' : `${percent.toFixed(1)} %`
      return `  ${kind.padEnd(width)}  ${share.padStart(7)}  ${covered} of ${total}`
    }),
    ...(relied.length === 0 ? [] : ['', `${RELIED_HEADING}, and that the tests rely on (docs/gaps.md):`, '']),
    ...relied.map((one) => {
      const { gap, place, count } = one
      const times = count === 1 ? 'once' : `${count} times`
      return `  ${gap.padEnd(4)} ${gradeText(one).padEnd(gradeWidth)} ${place} (${times})`
    }),
    '',
  ].join('\n')
}

/** How sure an answer is, in words: `assumed`, or `seen on 2026-11-28` where the service answers so. */
const gradeText = ({ grade, seen }: CoverageReport['relied'][number]): string => {
  if (seen === undefined) return grade
  return seen.verdict === 'same' ? `seen on ${seen.on}` : `${grade}, differs on ${seen.on}`
}

const pointLines = ({ missing, remedy }: Point): string[] => [`    ${missing}`, `      Try: ${remedy}`]

const LIKELIEST_HEADING = 'Likeliest to happen to what the tests call, and not covered'
const RELIED_HEADING = 'Answers that no specification gives'

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

const POINT_HEAD = ['Kind', 'Missing', 'Try']

/** Coverage report as a document. */
export const documentOf = (report: CoverageReport): ReportDocument => {
  const shares = coverageKinds.map((kind) => {
    const { percent, covered, total } = report.kinds[kind]
    return [kind, String(covered), String(total), percent?.toFixed(1) ?? '–']
  })
  const rowOf = ({ kind, missing, remedy }: Point) => [kind, missing, { code: remedy }]
  const relied = report.relied.map((one) => {
    const { gap, place, answer, count } = one
    return [gap, gradeText(one), place, answer, String(count)]
  })
  const tests = report.tests.map(({ file, test, hits }) => [file, test, String(pointsHit(hits))])
  const section = (heading: string, head: readonly string[], rows: readonly ReportRow['cells'][]) => {
    return { heading, table: { head, rows: rows.map((cells) => ({ cells })) } }
  }
  return {
    title: 'Coverage',
    intro: introOf(report),
    sections: [
      ...(report.likeliest.length === 0
        ? []
        : [section(LIKELIEST_HEADING, POINT_HEAD, report.likeliest.map(rowOf))]),
      section('Covered', ['Kind', 'Covered', 'Of', 'Percent'], shares),
      section('Not covered', POINT_HEAD, report.uncovered.map(rowOf)),
      section(RELIED_HEADING, ['Gap', 'Grade', 'Where', 'Answer', 'Times'], relied),
      section('Tests', ['File', 'Test', 'Points'], tests),
    ],
  }
}

const pointsHit = (hits: Hits): number =>
  coverageKinds.reduce((sum, kind) => sum + Object.values(hits[kind]).filter((count) => count > 0).length, 0)
