import type { Account } from '../../core/account/account.js'
import type { Scenario } from '../../core/scenario/scenario.js'
import { documentOf } from '../../core/scenario/scenario.js'
import type { StateRecord } from '../../core/state/record.js'
import { idOfScenario } from '../../core/state/scenarios.js'
import type { Instant } from '../../core/time/timeline.js'
import { recordLine } from './file/lines.js'
import type { Sizes } from './file/sizes.js'
import {
  type DecisionMeta,
  headRecord,
  recordsOf,
  restoreChanges,
  type TrackedAccount,
  takeChanges,
  trackAccount,
} from './kept-account.js'

/** Everything that changed since the batch before. */
export interface Batch {
  readonly lines: readonly string[]
  /** Has it all be changed still, where it could not be written. */
  undo(): void
}

/** Puts batches together. What is not in one has not changed, however much there is. */
export interface ChangeTracker {
  /** Notes from now on what changes in an account. `isNew`: all of it is still to be written. */
  keep(account: Account, isNew: boolean): TrackedAccount
  /** Something may have changed in an account. */
  ran(key: string): void
  forgotten(key: string): void
  /** Counts everything as changed: for a file that is written anew. */
  countAll(): void
  readonly isEmpty: boolean
  next(): Batch
  accounts(): Iterable<TrackedAccount>
}

export interface BatchParts {
  /** What the server is, where the file does not say it yet. */
  readonly server: StateRecord
  readonly isServerWritten: boolean
  /** The ids of the scenarios that the file holds: of those that somebody plays, and of the others. */
  readonly scenarios: { readonly played: readonly string[]; readonly unused: readonly string[] }
  readonly sizes: Sizes
  readonly wall: () => Instant
  /** Told whenever there is something to write. */
  readonly onChange: () => void
}

export const createChangeTracker = (parts: BatchParts): ChangeTracker => {
  const accounts = new Map<string, TrackedAccount>()
  const ran = new Set<string>()
  const gone = new Set<string>()
  const heads = new Map<string, string>()
  const scenarios = new Set(parts.scenarios.played)
  // What is to be written once, whoever calls.
  let once: readonly StateRecord[] = [
    ...(parts.isServerWritten ? [] : [parts.server]),
    ...parts.scenarios.unused.map((id): StateRecord => ['scenario', '', id, null]),
  ]

  const runs = (key: string): void => {
    ran.add(key)
    parts.onChange()
  }

  const next = (): Batch => {
    const lines: string[] = []
    const undoing: (() => void)[] = []
    const add = (record: StateRecord): void => {
      const line = recordLine(record)
      parts.sizes.count(record[0], line.length)
      lines.push(line)
    }
    const addScenario = (scenario: Scenario): void => {
      const id = idOfScenario(scenario)
      if (scenarios.has(id)) return
      scenarios.add(id)
      undoing.push(() => void scenarios.delete(id))
      add(['scenario', '', id, documentOf(scenario)])
    }
    const addHead = (account: TrackedAccount): void => {
      const head = recordLine(headRecord(account, parts.wall()))
      if (heads.get(account.key) === head) return
      heads.set(account.key, head)
      parts.sizes.count('account', head.length)
      lines.push(head)
    }
    const addAccount = (account: TrackedAccount): void => {
      const notes = takeChanges(account)
      undoing.push(() => restoreChanges(account, notes))
      for (const scenario of scenariosOf(account, notes)) addScenario(scenario)
      addHead(account)
      for (const record of recordsOf(account, notes)) add(record)
    }

    const [onceNow, goneNow, ranNow] = [once, [...gone], [...ran]]
    once = []
    gone.clear()
    ran.clear()
    undoing.push(() => {
      once = onceNow
      for (const key of goneNow) gone.add(key)
      for (const key of ranNow) {
        ran.add(key)
        heads.delete(key)
      }
    })
    for (const record of onceNow) add(record)
    for (const key of goneNow) add(['account', key, '', null])
    for (const key of ranNow) {
      const account = accounts.get(key)
      if (account !== undefined) addAccount(account)
    }
    const undo = (): void => {
      for (const one of undoing) one()
    }
    return { lines, undo }
  }

  return {
    keep: (account, isNew) => {
      const kept = trackAccount(account, isNew, () => runs(account.key))
      accounts.set(account.key, kept)
      if (isNew) runs(account.key)
      return kept
    },
    ran: runs,
    forgotten: (key) => {
      accounts.delete(key)
      heads.delete(key)
      ran.delete(key)
      gone.add(key)
      parts.onChange()
    },
    countAll: () => {
      once = [parts.server]
      gone.clear()
      heads.clear()
      scenarios.clear()
      for (const account of accounts.values()) {
        noteAll(account)
        ran.add(account.key)
      }
    },
    get isEmpty() {
      return ran.size === 0 && gone.size === 0 && once.length === 0
    },
    next,
    accounts: () => accounts.values(),
  }
}

const scenariosOf = (
  { playing, callbacks }: TrackedAccount,
  { correspondences }: DecisionMeta,
): Scenario[] => [
  ...playing.map(({ scenario }) => scenario),
  ...[...correspondences].flatMap((id) => {
    const guest = callbacks.correspondences.peek(id)?.guest
    return guest === undefined ? [] : [guest.scenario]
  }),
]

const noteAll = ({ tasks, open, assets, callbacks }: TrackedAccount): void => {
  for (const map of [tasks, open, assets, callbacks.correspondences, callbacks.log])
    for (const key of map.keys()) map.note(key)
}
