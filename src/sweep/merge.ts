import { EmulatorError } from '../core/errors.js'
import { parseDocument } from '../report/parse.js'
import { type Cell, type Report, reportSchema, unjudgedCell } from './report.js'

const HINT = '`backlot sweep --json FILE -- COMMAND` writes one.'

/**
 * Parses a report, or a part of one.
 * @throws EmulatorError `wrong-usage` for another format or what is no report
 */
export const parseReport = (text: string, file: string): Report =>
  parseDocument(text, reportSchema, {
    sentence: `${file} is no report of backlot sweep that this version reads`,
    code: 'wrong-usage',
    hint: HINT,
  })

/**
 * Merges the parts of a report. What no part has is untested; of a scenario that several parts have, the first judgement
 * counts.
 * @throws EmulatorError `wrong-usage` where the parts are not of one sweep
 */
export const mergeReports = (parts: readonly Report[]): Report => {
  const [first, ...others] = parts as readonly [Report, ...Report[]]
  if (others.some((part) => sweepOf(part) !== sweepOf(first)))
    throw new EmulatorError('The parts are not of one sweep: their commands, seeds or scenarios differ.', {
      code: 'wrong-usage',
      hint: HINT,
    })
  const { shard: _, ...whole } = first
  const found = parts.flatMap(({ cells }) => cells)
  const cells = first.scenarios.map((scenario): Cell => {
    const ofScenario = found.filter((cell) => cell.scenario === scenario)
    return (
      ofScenario.find(({ verdict }) => verdict !== 'untested') ??
      ofScenario[0] ??
      unjudgedCell({ scenario, description: '', survivable: true }, 'missing-part')
    )
  })
  return { ...whole, cells }
}

const sweepOf = ({ command, seed, scenarios }: Report): string => JSON.stringify([command, seed, scenarios])
