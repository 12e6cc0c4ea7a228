import { escapeMarkup } from '../report/formats.js'
import type { Comparison } from './accepted.js'
import { whyTexts } from './render.js'
import { type Cell, type Report, verdictText } from './report.js'

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
      const text = [`${problem.says}.`, description, ...files, ...again].join('\n')
      const failure = `<failure message="${escaped(verdictText(cell))}">${escaped(text)}</failure>`
      return `${head}>\n      ${failure}\n    </testcase>`
    }),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

/** Why nothing was run for a cell; undefined: something was. */
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
