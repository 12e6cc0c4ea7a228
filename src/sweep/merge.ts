import { EmulatorError } from '../core/errors.js'
import { shapeRefusals } from '../core/request/shape.js'
import { type Cell, REPORT_FORMAT, type Report, reportSchema } from './report.js'

/**
 * Parses a report, or a part of one.
 * @throws EmulatorError `wrong-usage` for another format or what is no report
 */
export const parseReport = (text: string, file: string): Report => {
  const document = jsonOf(text)
  const { kind, format } = (document ?? {}) as { kind?: unknown; format?: unknown }
  if (kind !== 'backlot-sweep') throw badReport(`${file} is no report of backlot sweep.`)
  if (format !== REPORT_FORMAT)
    throw badReport(`${file} has the format ${format}; this version reads the format ${REPORT_FORMAT}.`)
  const shape = reportSchema.safeParse(document)
  if (shape.success) return shape.data
  const [problem] = shapeRefusals(shape.error.issues, document)
  throw badReport(`${file} is no whole report: ${problem?.message}.`)
}

const badReport = (message: string): EmulatorError =>
  new EmulatorError(message, {
    code: 'wrong-usage',
    hint: '`backlot sweep --json FILE -- COMMAND` writes one.',
  })

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Merges the parts of a report. What no part has is untested; of a scenario that several parts have, the first judgement
 * counts.
 * @throws EmulatorError `wrong-usage` where the parts are not of one sweep
 */
export const mergeReports = (parts: readonly Report[]): Report => {
  const [first, ...others] = parts as readonly [Report, ...Report[]]
  const stranger = others.find((part) => sweepOf(part) !== sweepOf(first))
  if (stranger !== undefined)
    throw badReport('The parts are not of one sweep: their commands, seeds or scenarios differ.')
  const { shard: _, ...whole } = first
  const found = parts.flatMap(({ cells }) => cells)
  const cells = first.scenarios.map((scenario): Cell => {
    const ofScenario = found.filter((cell) => cell.scenario === scenario)
    return ofScenario.find(({ verdict }) => verdict !== 'untested') ?? ofScenario[0] ?? missing(scenario)
  })
  return { ...whole, cells }
}

const sweepOf = ({ command, seed, scenarios }: Report): string => JSON.stringify([command, seed, scenarios])

const missing = (scenario: string): Cell => ({
  ...{ scenario, description: '', survivable: true, tests: null, seen: [], verdict: 'untested' },
  ...{ why: 'missing-part', files: [], leftAlone: 0, durationMs: 0, again: [] },
})
