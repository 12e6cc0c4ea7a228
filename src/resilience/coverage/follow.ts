import { accountIdOf } from '../../emulator/surface/records.js'
import { builtIn } from '../../emulator/surface/registry.js'
import type { Scenario } from '../../emulator/surface/scenarios.js'
import type { Emulator } from '../../emulator/surface/starting.js'
import { type CoverageObserver, createObserver } from './observe.js'
import { type CoverageReport, mergeReports, type SeenGaps } from './report.js'
import { coverageSpecOf, type Hits, mergeHits, type PointSpec, pointSpecOf, usualSpec } from './spec.js'

/** The part of an emulator that coverage follows. */
export type ObservedEmulator = Pick<Emulator, 'registry' | 'scenarios'> &
  Partial<Pick<Emulator, 'verified'>> & {
    readonly journals: Pick<Emulator['journals'], 'follow'>
    readonly events: Pick<Emulator['events'], 'on'>
  }

/** What was covered on one account between two of its resets. */
interface AccountHits {
  /** The id of the account. */
  readonly account: string
  /** The time of the first call, in Unix milliseconds, by which the test is found whose account it was then. */
  readonly since: number
  readonly hits: Hits
}

/** Coverage of an emulator, as it is counted. */
interface CountedCoverage {
  /** All accounts so far, those that are still open last. */
  accounts(): readonly AccountHits[]
  /** What there is to cover where the families are not the built-in ones, or undefined where they are. */
  readonly added: PointSpec | undefined
  /** What the real service was seen to answer of gaps. */
  seen(): SeenGaps
}

/** Counts what the calls and callbacks of an emulator cover. An account is counted anew after each reset. */
export const followCoverage = ({
  registry,
  journals,
  scenarios,
  events,
  verified,
}: ObservedEmulator): CountedCoverage => {
  const spec = registry === builtIn ? usualSpec() : coverageSpecOf(registry)
  const open = new Map<string, { readonly since: number; readonly observer: CoverageObserver }>()
  const ended: AccountHits[] = []
  const observerOf = (key: string): CoverageObserver => {
    const scope = open.get(key) ?? { since: Date.now(), observer: createObserver(spec) }
    open.set(key, scope)
    return scope.observer
  }
  const hitsOf = (key: string): AccountHits[] => {
    const scope = open.get(key)
    return scope === undefined
      ? []
      : [{ account: accountIdOf(key), since: scope.since, hits: scope.observer.hits }]
  }
  journals.follow({
    opened: (key) => scenarios.given.forEach((scenario) => void observerOf(key).plays(scenario)),
    call: (entry) => observerOf(entry.account).call(entry),
    controlled: (key, { action, input }) => {
      // The record has the whole document.
      if (action === 'scenario.play') observerOf(key).plays(input as unknown as Scenario)
    },
    forgotten: (key) => {
      ended.push(...hitsOf(key))
      open.delete(key)
    },
  })
  events.on('happening', ({ account, callback }) => {
    if (callback !== undefined) observerOf(account).callback(callback)
  })
  return {
    accounts: () => [...ended, ...[...open.keys()].flatMap(hitsOf)],
    added: registry === builtIn ? undefined : pointSpecOf(spec),
    seen: () =>
      Object.fromEntries(
        registry.gaps.flatMap((gap) => {
          const seen = verified?.ofGap(gap)
          return seen === undefined ? [] : [[gap.id, { verdict: seen.verdict, on: seen.on }]]
        }),
      ),
  }
}

/** Coverage report of what was counted so far. */
export const reportOfCounted = ({ accounts, added, seen }: CountedCoverage): CoverageReport => {
  const hits = mergeHits(accounts().map((account) => account.hits))
  return mergeReports([{ hits, tests: [], seen: seen(), ...(added === undefined ? {} : { added }) }])
}
