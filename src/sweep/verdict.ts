import type { LedgerEntry, LedgerKind } from './ledger.js'

/** Outcomes of a test run: `hung` past the time limit, `crashed` by a signal. */
export const outcomes = ['pass', 'fail', 'hung', 'crashed'] as const
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
  readonly ledger: readonly Pick<LedgerEntry, 'kind'>[]
  /** Whether a step of the scenario acted. */
  readonly isReached: boolean
  /** Whether an emulator was called at all. */
  readonly isCalled: boolean
  readonly survivable: boolean
}

/** Verdict of a run: what the tests said and what the emulators saw, taken together. Pure. */
export const verdictOf = ({ outcome, ledger, isReached, isCalled, survivable }: Evidence): Verdict => {
  if (outcome === 'hung' || outcome === 'crashed') return outcome
  if (!isCalled) return 'untested'
  if (!isReached) return 'not-reached'
  if (outcome === 'pass') return ledger.some(({ kind }) => kind !== 'retried') ? 'survived-but' : 'survived'
  const isWasteless = ledger.every(({ kind }) => WASTELESS.includes(kind))
  return !survivable && isWasteless ? 'refused-cleanly' : 'failed'
}

/** Whether nothing in a run is of interest: no step acted, or all went well. */
export const isUneventful = (verdict: Verdict): boolean => verdict === 'survived' || verdict === 'not-reached'

/** Gravity of a verdict as a number; undefined: it is no judgement. */
export const gravityOf = (verdict: Verdict): number | undefined =>
  verdict === 'not-reached' || verdict === 'untested' ? undefined : verdicts.indexOf(verdict)
