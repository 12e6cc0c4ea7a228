import { randomUUID } from 'node:crypto'
import {
  type Batch,
  batchOf,
  type EntryHead,
  jobsSince,
  type LogEntry,
  type Savepoint,
  type SharedLog,
  type SharedStoreParts,
  TrackedAccount,
  wakeTimeOf,
} from '../emulator/surface/persistence.js'
import type { Account, Effects, Instant } from '../emulator/surface/records.js'
import { type CachedAccount, headOf, type InFlight, inFlightAfter, storedEvent } from './account-reader.js'
import type { AccountSlots, Operation, Slot } from './slots.js'

/** Maximum number of operations that share an entry of the log. */
const MAX_GROUP = 100

/**
 * Group commit on a shared log, with optimistic concurrency. The operations of an account that wait at the same time are one
 * group: reads run after the new entries of the log were applied, transactions at once. The changes of a group are one entry,
 * which is appended with the position that it must have. Where the log refuses it, the changes are rolled back, the new
 * entries are applied, and the group runs again. No outcome is handed out before the log has the entry.
 */
export class GroupCommit {
  readonly #log: SharedLog
  readonly #parts: SharedStoreParts
  readonly #slots: AccountSlots

  constructor(log: SharedLog, parts: SharedStoreParts, slots: AccountSlots) {
    this.#log = log
    this.#parts = parts
    this.#slots = slots
  }

  /** Adds an operation to the group of its account that waits last. */
  enqueue(slot: Slot, operation: Operation): void {
    if (slot.group !== undefined && slot.group.length < MAX_GROUP) {
      slot.group.push(operation)
      return
    }
    const group = [operation]
    slot.group = group
    void slot.mutex.run(async () => {
      if (slot.group === group) slot.group = undefined
      await this.#perform(slot, group).catch((error) => {
        for (const { reject } of group) reject(error)
      })
    })
  }

  /** Appends an entry that replaces the whole account, and unloads the one of before. False: the log has refused it. */
  async appendReplacement(slot: Slot, latest: EntryHead, by: Account | undefined): Promise<boolean> {
    const { exposureOf, attemptMs } = this.#parts
    const at = this.#log.now()
    const change = by && new TrackedAccount(by, 'unlogged', exposureOf).takeChanges(at)
    const batch: Batch = [['account', '', null], ...(change === undefined ? [] : batchOf(change))]
    const entry = entryAfter(latest, this.#log, { at, batch, events: [], notes: [] })
    const isGone = by === undefined
    const dueAt = isGone ? null : takeoverTimeOf(by, new Map(), at, attemptMs)
    const jobs = [...(by?.jobs.keys() ?? [])]
    const isAppended = await this.#log.append(slot.key, entry, { dueAt, jobs, isNew: !isGone, isGone })
    this.#slots.unload(slot)
    if (isAppended && dueAt !== null) this.#slots.timer.set(slot.key, dueAt)
    return isAppended
  }

  /** Runs a group of operations until the log has what they change. */
  async #perform(slot: Slot, operations: readonly Operation[]): Promise<void> {
    let needs = needsOf(operations)
    let refused: string | undefined
    for (;;) {
      const cached = await this.#slots.ensureCurrent(slot, needs, refused)
      if (await this.#attempt(slot, cached, operations)) return
      refused = cached.latest.mark
      needs ??= 'entries'
    }
  }

  /** Runs operations once. False: the log has refused their entry, and their changes are rolled back. */
  async #attempt(slot: Slot, cached: CachedAccount, operations: readonly Operation[]): Promise<boolean> {
    const { tracked } = cached
    const { account } = tracked
    const systemNow = this.#log.now()
    const jobsBefore = account.jobs.size
    const effects: Required<Effects> = { events: [], jobs: [], notes: [] }
    const savepoint = tracked.begin()
    const outcomes = operations.map((operation) => operation.run(cached, systemNow, effects))
    this.#parts.accountQuotas.count(account, this.#log.now)
    const change = tracked.takeChanges(systemNow)
    const { notes } = effects
    if (change !== undefined || notes.length > 0) {
      const batch = change === undefined ? [] : batchOf(change)
      const events = effects.events.map(storedEvent)
      const entry = entryAfter(cached.latest, this.#log, { at: systemNow, batch, events, notes })
      if (!(await this.#append(slot, cached, savepoint, entry, jobsSince(account, jobsBefore)))) return false
    }
    tracked.commit()
    this.#slots.timer.set(slot.key, wakeTimeOf(account, this.#log.now()))
    for (const handOut of outcomes) handOut()
    return true
  }

  async #append(
    slot: Slot,
    cached: CachedAccount,
    savepoint: Savepoint,
    entry: LogEntry,
    jobs: readonly string[],
  ): Promise<boolean> {
    const { tracked } = cached
    const inFlight = inFlightAfter(cached.inFlight, entry)
    const dueAt = takeoverTimeOf(tracked.account, inFlight, entry.at, this.#parts.attemptMs)
    let isAppended = false
    try {
      const changedDueAt = dueAt === cached.dueAt ? undefined : dueAt
      isAppended = await this.#log.append(slot.key, entry, { dueAt: changedDueAt, jobs })
    } finally {
      if (isAppended) Object.assign(cached, { latest: headOf(entry), inFlight, dueAt })
      else {
        // Where the append has failed, the log may contain the entry. It is then applied like any other.
        tracked.rollback(savepoint)
        cached.generation = Number.NaN
        if (cached.latest.position.n === 0) this.#slots.unload(slot)
      }
    }
    return isAppended
  }
}

/** What a group of operations needs. */
const needsOf = (operations: readonly Operation[]): Operation['needs'] =>
  (['notes', 'entries'] as const).find((need) => operations.some(({ needs }) => needs === need))

/** When other replicas have to take an account over: at its next moment, or at the time limit of an attempt; null: never. */
export const takeoverTimeOf = (
  account: Account,
  inFlight: InFlight,
  systemNow: Instant,
  attemptMs: number,
): number | null => {
  const limits = Array.from(inFlight.values(), ({ since }) => since + attemptMs)
  const time = Math.min(wakeTimeOf(account, systemNow), ...limits)
  return Number.isFinite(time) ? time : null
}

const entryAfter = (
  { position: { epoch, n }, mark: previous }: EntryHead,
  { replica: writer }: SharedLog,
  content: Pick<LogEntry, 'at' | 'batch' | 'events' | 'notes'>,
): LogEntry => ({
  position: { epoch, n: n + 1 },
  mark: randomUUID().slice(0, 8),
  previous,
  writer,
  ...content,
})
