import { z } from 'zod'
import { EmulatorError } from '../../emulator/surface/records.js'
import { scenarioSubjects } from '../../emulator/surface/scenarios.js'
import { findingKinds } from '../../emulator/surface/verdict.js'
import { parseDocument } from '../reports/parse.js'
import { entrySchema, isFault, type LedgerKind, type ReportedEntry } from './ledger.js'

/** Outcomes of a test run: `hung` past the time limit, `crashed` by a signal. */
const outcomes = ['pass', 'fail', 'hung', 'crashed'] as const
export type Outcome = (typeof outcomes)[number]

/** Verdicts of a cell, the best first. The last two are no judgement. */
export const verdicts = [
  'survived',
  'refused-cleanly',
  'failed',
  'survived-but',
  'crashed',
  'hung',
  'not-reached',
  'untested',
] as const
type Verdict = (typeof verdicts)[number]

/** Ledger entries that waste nothing: a client that fails may have tried again, politely or not. */
const WASTELESS: readonly LedgerKind[] = ['retried', 'did-not-wait', 'polled-on', 'refused-callbacks']

interface Evidence {
  readonly outcome: Outcome
  readonly ledger: readonly Pick<ReportedEntry, 'kind'>[]
  /** Whether a step of the scenario acted. */
  readonly isReached: boolean
  readonly isCalled: boolean
  readonly survivable: boolean
}

/** Verdict of a run: what the tests said and what the emulators saw, taken together. Pure. */
export const verdictOf = ({ outcome, ledger, isReached, isCalled, survivable }: Evidence): Verdict => {
  if (outcome === 'hung' || outcome === 'crashed') return outcome
  if (!isCalled) return 'untested'
  if (!isReached) return 'not-reached'
  if (outcome === 'pass') return ledger.some(({ kind }) => isFault(kind)) ? 'survived-but' : 'survived'
  const isWasteless = ledger.every(({ kind }) => WASTELESS.includes(kind))
  return !survivable && isWasteless ? 'refused-cleanly' : 'failed'
}

/** Whether nothing in a run is of interest: no step acted, or all went well. */
export const isUneventful = (verdict: Verdict): boolean => verdict === 'survived' || verdict === 'not-reached'

/** Whether a verdict says how a run went. */
export const isJudgement = (verdict: Verdict): verdict is Exclude<Verdict, 'not-reached' | 'untested'> =>
  verdict !== 'not-reached' && verdict !== 'untested'

/** Gravity of a verdict as a number, or undefined where it is no judgement. */
export const gravityOf = (verdict: Verdict): number | undefined =>
  isJudgement(verdict) ? verdicts.indexOf(verdict) : undefined

/** Version of the report's format. */
export const REPORT_FORMAT = 1

const name = z.string().min(1)
const count = z.int().min(0)

const untestedReasons = ['budget', 'interrupted', 'missing-part', 'no-calls'] as const

const cellSchema = z.strictObject({
  scenario: name,
  description: z.string().describe('what it does to a client'),
  advice: z.string().exactOptional().describe('what a robust client does'),
  about: z.enum(scenarioSubjects).exactOptional(),
  survivable: z.boolean(),
  tests: z.enum(outcomes).nullable().describe('what the tests said; null: they were not run'),
  seen: z.array(entrySchema).describe('what the emulators saw and had not seen in the baseline'),
  verdict: z.enum(verdicts),
  why: z.enum(untestedReasons).exactOptional().describe('why it is untested'),
  flaky: z.array(z.enum(verdicts)).exactOptional().describe('verdicts of its runs, where they differ'),
  files: z.array(z.string()).describe('test files that met it, as far as the helpers tell'),
  leftAlone: count.describe('accounts that played a scenario of their own'),
  durationMs: z.number().min(0),
  error: z.string().exactOptional().describe('first line of an error in the output of tests that failed'),
  again: z.array(z.string()).describe('lines that run it again'),
})
export type Cell = z.output<typeof cellSchema>

/** Zod schema of a report: the matrix of a sweep, or the part of it that one shard ran. */
export const reportSchema = z.strictObject({
  $schema: z.string().exactOptional(),
  kind: z.literal('backlot-sweep'),
  format: z.literal(REPORT_FORMAT).describe('version of this format'),
  version: name.describe('of the program that wrote it'),
  command: z.array(z.string()),
  seed: count,
  scenarios: z.array(name).describe('all that the sweep is about, those of other shards too'),
  shard: z.strictObject({ index: z.int().min(1), of: z.int().min(1) }).exactOptional(),
  baseline: z.strictObject({
    tests: z.enum(outcomes),
    durationMs: z.number().min(0),
    calls: count.describe('calls that the emulators saw'),
    tasks: count.describe('tasks that they made'),
    leftAlone: count.describe('accounts that played a scenario of their own'),
    findings: z
      .array(
        z.strictObject({
          kind: z.enum(findingKinds),
          count,
          examples: z.array(z.string()).describe('some of what was seen, in sentences'),
        }),
      )
      .exactOptional()
      .describe('the verdict on the client without a scenario, the gravest first'),
  }),
  cells: z.array(cellSchema),
})
export type Report = z.output<typeof reportSchema>

/** Cell of a scenario that was not run: because no step of it would act, or for a reason. */
export const unjudgedCell = (
  facts: Pick<Cell, 'scenario' | 'description' | 'advice' | 'about' | 'survivable'>,
  why?: NonNullable<Cell['why']>,
): Cell => ({
  ...facts,
  tests: null,
  seen: [],
  files: [],
  leftAlone: 0,
  durationMs: 0,
  again: [],
  ...(why === undefined ? { verdict: 'not-reached' } : { verdict: 'untested', why }),
})

const WRONG = { code: 'wrong-usage', hint: '`backlot sweep --json FILE -- COMMAND` writes one.' } as const

/** Parses a report, or a part of one. @throws EmulatorError `wrong-usage` for another format or what is no report */
export const parseReport = (text: string, file: string): Report =>
  parseDocument(text, reportSchema, {
    sentence: `${file} is no report of backlot sweep that this version reads`,
    ...WRONG,
  })

/**
 * Merges the parts of a report. What no part has is untested; of a scenario that several parts have, the first judgement
 * counts.
 * @throws EmulatorError `wrong-usage` where the parts are not of one sweep
 */
export const mergeReports = (parts: readonly Report[]): Report => {
  const [first, ...others] = parts as readonly [Report, ...Report[]]
  if (others.some((part) => sweepOf(part) !== sweepOf(first)))
    throw new EmulatorError(
      'The parts are not of one sweep: their commands, seeds or scenarios differ.',
      WRONG,
    )
  const { shard: _, ...whole } = first
  const all = parts.flatMap(({ cells }) => cells)
  const cells = first.scenarios.map((scenario): Cell => {
    const ofScenario = all.filter((cell) => cell.scenario === scenario)
    return (
      ofScenario.find(({ verdict }) => isJudgement(verdict)) ??
      ofScenario.find(({ verdict }) => verdict === 'not-reached') ??
      ofScenario[0] ??
      unjudgedCell({ scenario, description: '', survivable: true }, 'missing-part')
    )
  })
  return { ...whole, cells }
}

const sweepOf = ({ command, seed, scenarios }: Report): string => JSON.stringify([command, seed, scenarios])

/** Whether every scenario (of a shard: each of its own) was judged, or no call of the tests concerns it. */
export const isComplete = ({ cells }: Pick<Report, 'cells'>): boolean =>
  cells.every(({ why }) => why === undefined)

/** Verdict as people read it: `survived, but paid-twice 2 (0.84)`. */
export const verdictText = ({ verdict, seen, flaky }: Pick<Cell, 'verdict' | 'seen' | 'flaky'>): string => {
  const text = verdict === 'survived-but' ? `survived, but ${entriesText(seen)}` : verdict.replace('-', ' ')
  return flaky === undefined ? text : `${text} (flaky: ${flaky.join(', ')})`
}

/** Ledger entries as people read them: `paid-twice 2 (0.84), retried 3`. */
export const entriesText = (entries: readonly ReportedEntry[]): string =>
  entries.map(entryText).join(', ') || '–'

const entryText = ({ kind, count, price = 0, sameIdempotencyKey }: ReportedEntry): string => {
  const notes = [
    ...(price > 0 ? [`price ${price}`] : []),
    ...(sameIdempotencyKey ? ['with one Idempotency-Key, which the service does not know'] : []),
  ]
  return `${kind} ${count}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`
}
