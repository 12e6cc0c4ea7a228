import type { ExposureOf, OnTaskChange } from '../core/account/task-table.js'
import type { Account } from '../core/model/account.js'
import type { Task } from '../core/model/task.js'
import type { Scenario } from '../core/scenario/schema.js'
import type { Instant } from '../core/schedule/time.js'
import type { ChangeSet } from './persistence/port.js'

/** Status of an account in the log; `unlogged`: its next batch is everything that it holds; `no-log`: nothing is persistent. */
export type LogStatus = 'logged' | 'unlogged' | 'no-log'

type TrackedIds = Record<keyof ChangeSet['ids'], Set<string>>

/** Changes since the latest batch. */
interface Changes {
  readonly ids: TrackedIds
  /** By id, as they were in that batch. */
  readonly replacedTasks: Map<string, Task>
  isHeadChanged: boolean
}

/** Transaction of an account. */
interface Transaction {
  /** The inverse of each change, oldest first, or undefined where none runs. */
  undo: (() => void)[] | undefined
}

/**
 * Map that tracks its changes. The inverse of a deletion restores the position of the key, unless that is `unordered`: to
 * find a position costs a walk over the keys before it.
 */
class TrackedMap<V> extends Map<string, V> {
  readonly #transaction: Transaction
  readonly #note: (key: string) => void
  readonly #isOrdered: boolean

  constructor(
    entries: Iterable<readonly [string, V]>,
    transaction: Transaction,
    note: (key: string) => void = () => {},
    order: 'ordered' | 'unordered' = 'ordered',
  ) {
    super()
    for (const [key, value] of entries) super.set(key, value)
    this.#transaction = transaction
    this.#note = note
    this.#isOrdered = order === 'ordered'
  }

  override set(key: string, value: V): this {
    const before = super.get(key)
    this.#note(key)
    this.#transaction.undo?.push(
      before === undefined ? () => void super.delete(key) : () => void super.set(key, before),
    )
    return super.set(key, value)
  }

  override delete(key: string): boolean {
    const before = super.get(key)
    if (before === undefined) return false
    this.#note(key)
    if (this.#transaction.undo !== undefined) {
      const position = this.#isOrdered ? this.#positionOf(key) : this.size - 1
      this.#transaction.undo.push(() => this.#insert(position, key, before))
    }
    return super.delete(key)
  }

  override clear(): void {
    for (const key of [...this.keys()]) this.delete(key)
  }

  #positionOf(key: string): number {
    let position = 0
    for (const earlier of this.keys()) {
      if (earlier === key) break
      position += 1
    }
    return position
  }

  #insert(position: number, key: string, value: V): void {
    const entries = [...this]
    entries.splice(position, 0, [key, value])
    super.clear()
    for (const entry of entries) super.set(...entry)
  }
}

/** Savepoint of a transaction: the account as it was, except for its collections. */
export interface Savepoint {
  /** Length of the undo log at that time. */
  readonly undoLength: number
  readonly fields: Account
  readonly evictedCallbacks: number
  readonly recentCreates: number
  /** Scenarios whose documents the log had: a batch that was taken since may be refused. */
  readonly loggedScenarios: readonly Scenario[]
}

const restore = (account: Account, { fields, evictedCallbacks, recentCreates }: Savepoint): void => {
  Object.assign(account, fields)
  account.callbacks.evicted = evictedCallbacks
  account.recentCreates.length = recentCreates
}

const isHeadChanged = (account: Account, { fields, recentCreates }: Savepoint): boolean =>
  account.recentCreates.length !== recentCreates ||
  (Object.keys(fields) as (keyof Account)[]).some((name) => fields[name] !== account[name])

/** Tracked account: records its changes, for the rollback of a transaction and for the batch of the log. */
export class TrackedAccount {
  readonly account: Account
  readonly #transaction: Transaction = { undo: undefined }
  /** Kept from one transaction to the next: a new array each time would be a pointer into young memory for scavenges to visit. */
  readonly #undo: (() => void)[] = []
  #depth = 0
  /** Whether the latest transaction has changed the collections of the account. */
  hasChanged = false
  readonly #onChange: () => void
  /** Undefined where nothing is persistent. */
  #changes: Changes | undefined
  #loggedScenarios: readonly Scenario[]
  /** Entries of the callback log are also evicted outside transactions, for other accounts. */
  #loggedEvictedCallbacks: number

  /**
   * The collections of the account are taken over or copied: only the tracked account is used afterwards.
   * @param onChange called when there is something for the next batch
   */
  constructor(source: Account, status: LogStatus, exposureOf: ExposureOf, onChange: () => void = () => {}) {
    const { assets, jobs, callbacks } = source
    const mapOf = <V>(map: Map<string, V>, collection: keyof TrackedIds, order?: 'unordered') =>
      new TrackedMap(map, this.#transaction, (id) => this.#note(collection, id), order)
    this.account = {
      ...source,
      assets: mapOf(assets, 'assets'),
      jobs: new TrackedMap(jobs, this.#transaction),
      callbacks: {
        ...callbacks,
        queues: mapOf(callbacks.queues, 'queues', 'unordered'),
        log: mapOf(callbacks.log, 'log'),
      },
    }
    const noteTask: OnTaskChange = (what, id, before) =>
      this.#note(what, id, what === 'tasks' ? before : undefined)
    this.account.tasks.follow(status === 'no-log' ? undefined : noteTask, exposureOf)
    this.#onChange = onChange
    this.#loggedScenarios = status === 'unlogged' ? [] : scenariosOf(source)
    this.#loggedEvictedCallbacks = callbacks.evicted
    if (status === 'logged') this.#changes = noChanges()
    if (status !== 'unlogged') return
    this.#changes = { ...noChanges(), ids: idsOf(source), isHeadChanged: true }
    onChange()
  }

  #note(collection: keyof TrackedIds, id: string, replaced?: Task): void {
    if (this.#changes === undefined) return
    const { ids, replacedTasks } = this.#changes
    ids[collection].add(id)
    if (replaced !== undefined && !replacedTasks.has(id)) replacedTasks.set(id, replaced)
    this.#onChange()
  }

  /** Begins a transaction, or one around transactions to come. Returns what `rollback` needs. */
  begin(): Savepoint {
    const { account } = this
    this.#depth += 1
    this.#logUndoIn(this.#undo)
    return {
      undoLength: this.#undo.length,
      fields: { ...account },
      evictedCallbacks: account.callbacks.evicted,
      recentCreates: account.recentCreates.length,
      loggedScenarios: this.#loggedScenarios,
    }
  }

  /** Runs a change as a transaction, or as one within that which runs; takes it back if it throws. */
  transact<T>(change: () => T): T {
    const savepoint = this.begin()
    try {
      const result = change()
      this.commit()
      // A head that was noted earlier is still to be taken.
      if (
        this.#changes !== undefined &&
        (this.#changes.isHeadChanged || isHeadChanged(this.account, savepoint))
      )
        this.noteHead()
      return result
    } catch (error) {
      this.rollback(savepoint)
      throw error
    }
  }

  /** Takes back everything since the latest `begin`, which returned the savepoint. */
  rollback(savepoint: Savepoint): void {
    const inverses = this.#undo.splice(savepoint.undoLength).reverse()
    this.#end()
    for (const inverse of inverses) inverse()
    restore(this.account, savepoint)
    this.#loggedScenarios = savepoint.loggedScenarios
  }

  /** Ends the latest `begin` and keeps its changes, which `transact` has noted: they may be in a batch already. */
  commit(): void {
    this.hasChanged = this.#undo.length > 0
    this.#end()
  }

  #end(): void {
    this.#depth -= 1
    if (this.#depth > 0) return
    this.#undo.length = 0
    this.#logUndoIn(undefined)
  }

  /** Notes that fields of the account have changed outside its collections. */
  noteHead(): void {
    if (this.#changes === undefined) return
    this.#changes.isHeadChanged = true
    this.#onChange()
  }

  #logUndoIn(undo: Transaction['undo']): void {
    this.#transaction.undo = undo
    this.account.schedule.undo = undo
    this.account.tasks.undo = undo
  }

  /** What has changed since the last call, or undefined where nothing has, or nothing is persistent. */
  takeChanges(systemNow: Instant): ChangeSet | undefined {
    if (this.#changes === undefined) return undefined
    const { account } = this
    const { ids, replacedTasks, isHeadChanged } = this.#changes
    const scenarios = scenariosOf(account)
    const areRunsReplaced = scenarios.some((scenario) => !this.#loggedScenarios.includes(scenario))
    const { evicted } = account.callbacks
    const hasNewHead = isHeadChanged || areRunsReplaced || evicted !== this.#loggedEvictedCallbacks
    if (!hasNewHead && Object.values(ids).every(({ size }) => size === 0)) return undefined
    this.#changes = noChanges()
    this.#loggedScenarios = scenarios
    this.#loggedEvictedCallbacks = evicted
    return {
      account,
      systemNow,
      // The head holds `settledTo`, which a live clock moves.
      isHeadChanged: hasNewHead || account.clock.mode === 'live',
      areRunsReplaced,
      ids,
      replacedTasks: [...replacedTasks.values()],
    }
  }
}

const scenariosOf = ({ playing }: Account) => playing.map(({ scenario }) => scenario)

const noChanges = (): Changes => ({
  ids: { tasks: new Set(), open: new Set(), assets: new Set(), queues: new Set(), log: new Set() },
  replacedTasks: new Map(),
  isHeadChanged: false,
})

/** The ids of everything that is tracked. */
export const idsOf = ({ tasks, assets, callbacks: { queues, log } }: Account): TrackedIds => ({
  tasks: new Set(tasks.keys()),
  open: new Set(tasks.keysWithNext()),
  assets: new Set(assets.keys()),
  queues: new Set(queues.keys()),
  log: new Set(log.keys()),
})
