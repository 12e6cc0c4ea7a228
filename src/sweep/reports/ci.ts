import { annotation } from '../../report/github.js'
import { junitXml } from '../../report/junit.js'
import type { Comparison } from '../accepted.js'
import { type Report, verdictText } from '../report.js'
import { whyTexts } from './terminal.js'

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
