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
      return {
        name: cell.scenario,
        classname: `backlot.sweep.${cell.about ?? 'other'}`,
        seconds: cell.durationMs / 1_000,
        failure:
          problem === undefined
            ? undefined
            : {
                message: verdictText(cell),
                text: [`${problem.says}.`, cell.description, ...cell.files, ...cell.again].join('\n'),
              },
        skipped:
          cell.verdict === 'not-reached'
            ? 'no step of the scenario acts on these tests'
            : cell.why && whyTexts[cell.why],
      }
    }),
  )
