import type { CallbackLog, CallbackQueue } from '../../core/callback/queue.js'
import type { Account } from '../../core/model/account.js'
import type { Asset } from '../../core/model/asset.js'
import type { Callback } from '../../core/model/callback.js'
import type { Task } from '../../core/model/task.js'
import { documentOf, type Scenario } from '../../core/scenario/schema.js'
import type { Instant } from '../../core/schedule/timeline.js'
import { idOfScenario, storedCallback, storedHead, storedQueue } from './account-records.js'
import { recordLine, type Sizes } from './parse.js'
import type { StateRecord } from './records.js'

/**
 * A map that notes which of its keys were set or deleted, so that what changed can be written down without the core
 * saying so. Whoever writes takes the notes away, and gives them back where writing failed.
 */
export class TrackedMap<K, V> extends Map<K, V> {
  #noted = new Set<K>()

  /** @param onNote told when there is something noted again */
  constructor(
    entries: Iterable<readonly [K, V]>,
    areNews: boolean,
    private readonly onNote: () => void,
  ) {
    super()
    for (const [key, value] of entries) {
      super.set(key, value)
      if (areNews) this.#noted.add(key)
    }
  }

  override set(key: K, value: V): this {
    this.note(key)
    return super.set(key, value)
  }

  override delete(key: K): boolean {
    this.note(key)
    return super.delete(key)
  }

  override clear(): void {
    for (const key of this.keys()) this.note(key)
    super.clear()
  }

  note(key: K): void {
    const isFirst = this.#noted.size === 0
    this.#noted.add(key)
    if (isFirst) this.onNote()
  }

  takeChanges(): ReadonlySet<K> {
    const taken = this.#noted
    this.#noted = new Set()
    return taken
  }

  restoreChanges(notes: ReadonlySet<K>): void {
    this.#noted = new Set([...notes, ...this.#noted])
  }
}

/** Keeps what stood under a key before it was set anew or deleted, until somebody takes that. */
export class ReplacedTrackedMap<K, V> extends TrackedMap<K, V> {
  #replaced = new Map<K, V>()

  override note(key: K): void {
    const stood = this.get(key)
    if (stood !== undefined && !this.#replaced.has(key)) this.#replaced.set(key, stood)
    super.note(key)
  }

  takeReplaced(): Iterable<V> {
    const taken = this.#replaced
    this.#replaced = new Map()
    return taken.values()
  }
}

/**
 * The same for values that are changed where they stand: whoever gets one may be about to, so that looking is noted too.
 * The price is that some are written that did not change.
 */
export class ReadTrackedMap<K, V> extends TrackedMap<K, V> {
  override get(key: K): V | undefined {
    if (this.has(key)) this.note(key)
    return super.get(key)
  }
  /** Looks without a note. */
  peek(key: K): V | undefined {
    return super.get(key)
  }
}

interface KeptBook extends CallbackLog {
  readonly correspondences: ReadTrackedMap<string, CallbackQueue>
  readonly log: TrackedMap<string, Callback>
}

/** An account whose collections note what changes in them. */
interface TrackedAccount extends Account {
  readonly tasks: ReplacedTrackedMap<string, Task>
  readonly open: TrackedMap<string, number>
  readonly assets: TrackedMap<string, Asset>
  readonly callbacks: KeptBook
}

/**
 * @param isNew whether all that it holds is still to be written
 * @param onNote told when something has changed in it, also by what was done to another account
 */
const trackAccount = (account: Account, isNew: boolean, onNote: () => void): TrackedAccount => ({
  ...account,
  tasks: new ReplacedTrackedMap(account.tasks, isNew, onNote),
  open: new TrackedMap(account.open, isNew, onNote),
  assets: new TrackedMap(account.assets, isNew, onNote),
  callbacks: {
    ...account.callbacks,
    correspondences: new ReadTrackedMap(account.callbacks.correspondences, isNew, onNote),
    log: new TrackedMap(account.callbacks.log, isNew, onNote),
  },
})

/** The ids that were noted since the notes were last taken. */
type DecisionMeta = Readonly<
  Record<'tasks' | 'open' | 'assets' | 'correspondences' | 'log', ReadonlySet<string>>
>

const takeChanges = (account: TrackedAccount): DecisionMeta => {
  for (const before of account.tasks.takeReplaced()) noteReports(account, before)
  return {
    tasks: account.tasks.takeChanges(),
    open: account.open.takeChanges(),
    assets: account.assets.takeChanges(),
    correspondences: account.callbacks.correspondences.takeChanges(),
    log: account.callbacks.log.takeChanges(),
  }
}

// A callback is written without its task where the account has the same. Now it has another one, or none.
const noteReports = ({ callbacks }: TrackedAccount, { id, timeline: life, callback }: Task): void => {
  if (callback === undefined) return
  if (callbacks.correspondences.has(id)) callbacks.correspondences.note(id)
  for (let number = 0; number <= life.length; number += 1)
    if (callbacks.log.has(`${id}-${number}`)) callbacks.log.note(`${id}-${number}`)
}

/** Has written what could not be written another time. */
const restoreChanges = (account: TrackedAccount, notes: DecisionMeta): void => {
  account.tasks.restoreChanges(notes.tasks)
  account.open.restoreChanges(notes.open)
  account.assets.restoreChanges(notes.assets)
  account.callbacks.correspondences.restoreChanges(notes.correspondences)
  account.callbacks.log.restoreChanges(notes.log)
}

/** What was noted, as it stands now: a record for each, null for what is gone. */
function* recordsOf(account: TrackedAccount, notes: DecisionMeta): Generator<StateRecord> {
  const { key, tasks, open, assets, callbacks } = account
  const { correspondences, log } = callbacks
  for (const id of notes.tasks) yield ['task', key, id, tasks.get(id) ?? null]
  for (const id of notes.open) yield ['next', key, id, open.get(id) ?? null]
  for (const id of notes.assets) yield ['asset', key, id, assets.get(id) ?? null]
  for (const id of notes.correspondences) {
    const one = correspondences.peek(id)
    yield ['correspondence', key, id, one === undefined ? null : storedQueue(account, one)]
  }
  for (const id of notes.log) {
    const one = log.get(id)
    yield ['callback', key, id, one === undefined ? null : storedCallback(account, one)]
  }
}

const headRecord = (account: Account, wall: Instant): StateRecord => [
  'account',
  account.key,
  '',
  storedHead(account, wall),
]

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

interface BatchParts {
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
