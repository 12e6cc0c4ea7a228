import { z } from 'zod'
import { parseDocument } from '../reports/parse.js'
import { isFault, type LedgerKind, ledgerKinds } from './ledger.js'
import { type Cell, gravityOf, isJudgement, verdicts } from './report.js'

/** File of the verdicts that a project accepts, in its root folder. */
export const ACCEPTED_FILE = 'backlot.sweep.json'

/** Parses that file. @throws EmulatorError `wrong-usage` */
export const parseAccepted = (text: string): readonly Accepted[] =>
  parseDocument(text, acceptedFileSchema, {
    sentence: `${ACCEPTED_FILE} cannot be used`,
    code: 'wrong-usage',
    hint: 'docs/sweep.md describes it.',
  }).accepted

/** Verdicts that can be accepted. One that is no judgement would accept every other. */
const judgements = verdicts.filter(isJudgement)

const acceptedSchema = z.strictObject({
  scenario: z.string().min(1),
  verdict: z.enum(judgements, {
    error: `one of ${judgements.join(', ')} (not-reached and untested judge nothing)`,
  }),
  seen: z.array(z.enum(ledgerKinds)).exactOptional().describe('ledger entries that come with it'),
  why: z.string().exactOptional().describe('the reason why it is accepted'),
  until: z.iso
    .date({ error: 'a date such as 2027-01-31' })
    .exactOptional()
    .describe('last day on which it is accepted; default: without end'),
})
export type Accepted = z.output<typeof acceptedSchema>

/** Zod schema of `backlot.sweep.json`. */
export const acceptedFileSchema = z.strictObject({
  $schema: z.string().exactOptional(),
  accepted: z.array(acceptedSchema).superRefine((entries, { addIssue }) => {
    const names = entries.map(({ scenario }) => scenario)
    const index = names.findIndex((name, at) => names.indexOf(name) < at)
    if (index >= 0)
      addIssue({ code: 'custom', path: [index, 'scenario'], message: 'a scenario that no entry before has' })
  }),
})

/** Words of `--fail-on`: ledger entries and verdicts. */
export const failWords = [
  ...ledgerKinds,
  'failed',
  'survived-but',
  'crashed',
  'hung',
  'refused-cleanly',
  'flaky',
] as const
type FailWord = (typeof failWords)[number]

export const DEFAULT_FAIL_ON: readonly FailWord[] = [
  'paid-twice',
  'lost',
  'hung',
  'crashed',
  'kept-damaged-file',
]

/** Comparison of a matrix with what is accepted. */
export interface Comparison {
  /** Cells that are worse than accepted, or past the threshold: `than` says which in words, and `says` why in a sentence. */
  readonly worse: readonly { readonly cell: Cell; readonly than: string; readonly says: string }[]
  readonly better: readonly Cell[]
}

/**
 * Compares a matrix with the accepted verdicts, and where none is accepted with the threshold. Pure.
 * @param today an ISO date, against `until`
 */
export const compareWith = (
  cells: readonly Cell[],
  accepted: readonly Accepted[],
  failOn: readonly FailWord[],
  today: string,
): Comparison => {
  const compared = cells.map((cell) => {
    const entry = accepted.find(({ scenario }) => scenario === cell.scenario)
    if (entry !== undefined && !isPast(entry, today)) {
      const was = [entry.verdict, ...(entry.seen ?? [])].join(', ')
      const change = changeFrom(entry, cell)
      return { cell, change, than: 'accepted', says: `${ACCEPTED_FILE} accepts ${was}` }
    }
    const words = [...cell.seen.map(({ kind }) => kind), cell.verdict, ...(cell.flaky ? ['flaky'] : [])]
    const failing = words.filter((word) => (failOn as readonly string[]).includes(word))
    const past = entry ? `, and what was accepted of it was accepted until ${entry.until}` : ''
    const says = `--fail-on names ${failing.join(', ')}${past}`
    return { cell, change: failing.length > 0 ? 'worse' : 'same', than: '--fail-on allows', says }
  })
  return {
    worse: compared
      .filter(({ change }) => change === 'worse')
      .map(({ cell, than, says }) => ({ cell, than, says })),
    better: compared.filter(({ change }) => change === 'better').map(({ cell }) => cell),
  }
}

const isPast = ({ until }: Accepted, today: string): boolean => until !== undefined && until < today

const changeFrom = (entry: Accepted, cell: Cell): 'worse' | 'better' | 'same' => {
  const before = gravityOf(entry.verdict)
  const now = gravityOf(cell.verdict)
  // What no run has judged is neither.
  if (before === undefined || now === undefined) return 'same'
  const accepted = (entry.seen ?? []).filter(isFault)
  const faults = faultsIn(cell)
  if (now > before || faults.some((kind) => !accepted.includes(kind))) return 'worse'
  return now < before || accepted.some((kind) => !faults.includes(kind)) ? 'better' : 'same'
}

const faultsIn = ({ seen }: Pick<Cell, 'seen'>): LedgerKind[] => seen.map(({ kind }) => kind).filter(isFault)

/**
 * Accepted verdicts after `--update`: what was judged now, in place of what was accepted of the same scenarios.
 * @param today an ISO date, against `until`
 */
export const updateAccepted = (
  accepted: readonly Accepted[],
  cells: readonly Cell[],
  today: string,
): Accepted[] => {
  const judged = cells.flatMap((cell) =>
    isJudgement(cell.verdict) ? { ...cell, verdict: cell.verdict } : [],
  )
  const others = accepted.filter(({ scenario }) => !judged.some((cell) => cell.scenario === scenario))
  const entries = judged.map((cell): Accepted => {
    const before = accepted.find(({ scenario }) => scenario === cell.scenario)
    const { scenario, verdict } = cell
    const seen = faultsIn(cell)
    // A reason and a date belong to the verdict for which they were written.
    if (before !== undefined && !isPast(before, today) && changeFrom(before, cell) === 'same') return before
    return { scenario, verdict, ...(seen.length === 0 ? {} : { seen }) }
  })
  return [...others, ...entries].sort((a, b) => (a.scenario < b.scenario ? -1 : 1))
}
