import { isDamaging } from './damage.js'
import type { CallSighting, Sighting } from './sighting.js'

/** Kinds of ledger entries, the gravest first. `retried` is no fault. */
export const ledgerKinds = [
  ...(['paid-twice', 'lost', 'kept-damaged-file', 'abandoned', 'did-not-wait'] as const),
  ...(['hammered', 'polled-on', 'refused-callbacks', 'retried'] as const),
] as const
export type LedgerKind = (typeof ledgerKinds)[number]

/** Ledger entry: what an emulator saw in a run and not in the baseline. */
export interface LedgerEntry {
  readonly kind: LedgerKind
  readonly count: number
  /** In the currency of the account, for what was paid twice; 0 where the service charges nothing. */
  readonly price?: number
  /** Whether repeated creates carried the same `Idempotency-Key`. Default: they did not. */
  readonly sameIdempotencyKey?: boolean
  readonly accounts: readonly string[]
}

export interface LedgerOptions {
  /** A damaged file was kept only where the tests passed all the same. */
  readonly hasPassed: boolean
}

/** Ledger of a run: what was seen in it, compared with the baseline. Pure. */
export const ledgerOf = (
  run: readonly Sighting[],
  baseline: readonly Sighting[],
  { hasPassed }: LedgerOptions,
): LedgerEntry[] => {
  const [now, before] = [accountFacts(run), accountFacts(baseline)]
  // An account that only one of them has is compared with all others of that kind: its key was made for the run.
  const groups = grouped(now, before)
  const entries: LedgerEntry[] = []
  for (const kind of ledgerKinds) {
    if (kind === 'kept-damaged-file' && !hasPassed) continue
    const found = groups.flatMap((group) => countsOf[kind](group, { run, baseline }))
    const count = found.reduce((sum, one) => sum + one.count, 0)
    if (count === 0) continue
    const price = found.reduce((sum, one) => sum + (one.price ?? 0), 0)
    entries.push({
      kind,
      count,
      ...(kind === 'paid-twice' ? { price: Math.round(price * 1e6) / 1e6 } : {}),
      ...(found.some(({ isSameKey }) => isSameKey) ? { sameIdempotencyKey: true } : {}),
      accounts: [...new Set(found.flatMap(({ account }) => account))],
    })
  }
  return entries
}
