import type { ExposureOf } from '../core/account/task-table.js'
import type { Account } from '../core/model/account.js'
import type { Task } from '../core/model/task.js'
import type { Instant } from '../core/schedule/time.js'
import type { ChangeSet } from './persistence/port.js'

/** Tracked account: records its changes, for the rollback of a transaction and for the batch of the log. */
export interface TrackedAccount {
  readonly account: Account
  /** Begins a transaction, or a savepoint within the one that runs. */
  begin(): void
  /** Takes back everything since the latest `begin`. */
  rollback(): void
  /** Ends the latest `begin` and keeps its changes. */
  commit(): void
  /** What has changed since the last call; undefined: nothing, or nothing is persistent. */
  takeChanges(systemNow: Instant): ChangeSet | undefined
}

/** Status of an account in the log; `unlogged`: its next batch is everything that it holds; `no-log`: nothing is persistent. */
export type LogStatus = 'logged' | 'unlogged' | 'no-log'

type TrackedCollection = keyof ChangeSet['ids']

/** Change tracker, to which the collections of one account report. */
interface Changes {
  /** Undo log of the transaction: the inverse of each change, oldest first; undefined: none runs. */
  undo: (() => void)[] | undefined
  /** Undefined: nothing outlives the process. */
  ids: Record<TrackedCollection, Set<string>> | undefined
  replacedTasks: Map<string, Task>
}

/**
 * Map that tracks its changes. The inverse of a deletion restores the position of the key, unless that is `unordered`: to
 * find a position costs a walk over the keys before it.
 */
class TrackedMap<V> extends Map<string, V> {
  readonly #changes: Changes
  readonly #note: (key: string) => void
  readonly #isOrdered: boolean

  constructor(
    entries: Iterable<readonly [string, V]>,
    changes: Changes,
    note: (key: string) => void = () => {},
    order: 'ordered' | 'unordered' = 'ordered',
  ) {
    super()
    for (const [key, value] of entries) super.set(key, value)
    this.#changes = changes
    this.#note = note
    this.#isOrdered = order === 'ordered'
  }

  override set(key: string, value: V): this {
    const before = super.get(key)
    this.#note(key)
    this.#changes.undo?.push(
      before === undefined ? () => void super.delete(key) : () => void super.set(key, before),
    )
    return super.set(key, value)
  }

  override delete(key: string): boolean {
    const before = super.get(key)
    if (before === undefined) return false
    this.#note(key)
    if (this.#changes.undo !== undefined) {
      const position = this.#isOrdered ? this.#positionOf(key) : this.size - 1
      this.#changes.undo.push(() => this.#insert(position, key, before))
    }
    return super.delete(key)
  }

  override clear(): void {
    for (const key of [...this.keys()]) this.delete(key)
  }

  #positionOf(key: string): number {
    let position = 0
    for (const one of this.keys()) {
      if (one === key) break
      position += 1
    }
    return position
  }

  #insert(position: number, key: string, value: V): void {
    const entries = [...this]
    entries.splice(position, 0, [key, value])
    super.clear()
    for (const [one, its] of entries) super.set(one, its)
  }
}

/** Savepoint of a transaction: the account as it was, except for its collections. */
interface SavedAccount {
  /** Length of the undo log at that time. */
  readonly undone: number
  readonly fields: Account
  readonly evictedCallbacks: number
  readonly recentCreates: number
}

const savedOf = (account: Account, undone: number): SavedAccount => ({
  undone,
  fields: { ...account },
  evictedCallbacks: account.callbacks.evicted,
  recentCreates: account.recentCreates.length,
})

const restore = (account: Account, { fields, evictedCallbacks, recentCreates }: SavedAccount): void => {
  Object.assign(account, fields)
  account.callbacks.evicted = evictedCallbacks
  account.recentCreates.length = recentCreates
}

const isHeadChanged = (account: Account, saved: SavedAccount): boolean =>
  account.callbacks.evicted !== saved.evictedCallbacks ||
  account.recentCreates.length !== saved.recentCreates ||
  (Object.keys(saved.fields) as (keyof Account)[]).some((name) => saved.fields[name] !== account[name])

/**
 * Tracks an account from now on. Its collections are taken over or copied: only the tracked account is used afterwards.
 * @param onChange called when there is something for the next batch
 */
export const trackAccount = (
  given: Account,
  status: LogStatus,
  exposureOf: ExposureOf,
  onChange: () => void = () => {},
): TrackedAccount => {
  const changes: Changes = {
    undo: undefined,
    ids: status === 'no-log' ? undefined : noIds(),
    replacedTasks: new Map(),
  }
  const noteIn = (name: TrackedCollection) => (id: string) => {
    if (changes.ids === undefined) return
    changes.ids[name].add(id)
    onChange()
  }
  const noteTask = (what: 'tasks' | 'open', id: string, before: Task | undefined): void => {
    noteIn(what)(id)
    const isReplaced = changes.ids !== undefined && what === 'tasks' && before !== undefined
    if (isReplaced && !changes.replacedTasks.has(id)) changes.replacedTasks.set(id, before)
  }
  const account: Account = {
    ...given,
    assets: new TrackedMap(given.assets, changes, noteIn('assets')),
    jobs: new TrackedMap(given.jobs, changes),
    callbacks: {
      ...given.callbacks,
      queues: new TrackedMap(given.callbacks.queues, changes, noteIn('queues'), 'unordered'),
      log: new TrackedMap(given.callbacks.log, changes, noteIn('log')),
    },
  }
  account.tasks.follow(noteTask, exposureOf)
  if (status === 'unlogged') {
    changes.ids = idsOf(account)
    onChange()
  }
  const savepoints: SavedAccount[] = []
  let hasNewHead = status === 'unlogged'
  let storedScenarios = status === 'unlogged' ? [] : scenariosOf(account)

  const end = (): SavedAccount | undefined => {
    const saved = savepoints.pop()
    if (savepoints.length > 0) return saved
    changes.undo = undefined
    account.schedule.undo = undefined
    account.tasks.undo = undefined
    return saved
  }

  return {
    account,
    begin: () => {
      changes.undo ??= []
      savepoints.push(savedOf(account, changes.undo.length))
      account.schedule.undo = changes.undo
      account.tasks.undo = changes.undo
    },
    rollback: () => {
      const { undo = [] } = changes
      const saved = end()
      for (const undoOne of undo.splice(saved?.undone ?? 0).reverse()) undoOne()
      if (saved !== undefined) restore(account, saved)
    },
    commit: () => {
      const saved = end()
      hasNewHead ||= changes.ids !== undefined && saved !== undefined && isHeadChanged(account, saved)
      if (hasNewHead) onChange()
    },
    takeChanges: (systemNow) => {
      const { ids, replacedTasks } = changes
      const scenarios = scenariosOf(account)
      const areRunsReplaced = scenarios.some((scenario) => !storedScenarios.includes(scenario))
      if (ids === undefined) return undefined
      if (!hasNewHead && !areRunsReplaced && Object.values(ids).every(({ size }) => size === 0))
        return undefined
      const change: ChangeSet = {
        account,
        systemNow,
        // The head holds `settledTo`, which a live clock moves.
        isHeadChanged: hasNewHead || areRunsReplaced || account.clock.mode === 'live',
        areRunsReplaced,
        ids,
        replacedTasks: [...replacedTasks.values()],
      }
      changes.ids = noIds()
      changes.replacedTasks = new Map()
      hasNewHead = false
      storedScenarios = scenarios
      return change
    },
  }
}

const scenariosOf = ({ playing }: Account) => playing.map(({ scenario }) => scenario)

const noIds = (): Record<TrackedCollection, Set<string>> => ({
  tasks: new Set(),
  open: new Set(),
  assets: new Set(),
  queues: new Set(),
  log: new Set(),
})

/** The ids of everything that is tracked. */
export const idsOf = ({ tasks, assets, callbacks: { queues, log } }: Account) => ({
  tasks: new Set(tasks.keys()),
  open: new Set(tasks.keysInFlight()),
  assets: new Set(assets.keys()),
  queues: new Set(queues.keys()),
  log: new Set(log.keys()),
})
