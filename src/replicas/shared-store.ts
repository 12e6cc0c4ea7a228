import { randomUUID } from 'node:crypto'
import { batchOf } from '../accounts/persistence/batch.js'
import type { Batch } from '../accounts/persistence/records.js'
import type { LogEntry, SharedLog, SharedStoreParts } from '../accounts/persistence/shared-log.js'
import type { SharedAccess, Store } from '../accounts/store.js'
import { TrackedAccount } from '../accounts/tracked.js'
import { createWakeTimer, wakeTimeOf } from '../accounts/wake-timer.js'
import { EmulatorError } from '../core/errors.js'
import type { Account, Effects } from '../core/model/account.js'
import { runDue } from '../core/schedule/run-due.js'
import { type Instant, readClock } from '../core/schedule/time.js'
import {
  type CachedAccount,
  createAccountReader,
  type InFlight,
  inFlightAfter,
  storedEvent,
} from './account-reader.js'
import { createFollowing } from './following.js'
import { createTakeover } from './takeover.js'

/** One transaction or read. It runs as often as it takes until the log has what it changed. */
interface Operation {
  /** Whether the new entries of the log have to be applied first. */
  readonly isRead: boolean
  /** Whether it needs the notes of the account. Default: no. */
  readonly needsNotes?: boolean
  /** Runs on the account, and returns a function that hands out the outcome. */
  run(cached: CachedAccount, systemNow: Instant, effects: Effects): () => void
  reject(error: unknown): void
}

/** Replacement of a whole account; undefined: it is forgotten. */
interface Replacement {
  readonly by: Account | undefined
  resolve(before: Account | undefined): void
  reject(error: unknown): void
}

/** Slot of a key: its account once it is loaded, and what waits to be done. */
interface Slot {
  readonly key: string
  cached: CachedAccount | undefined
  readonly waiting: (Operation | Replacement)[]
  isRunning: boolean
}

/** Maximum number of operations that share an entry of the log. */
const MAX_GROUP = 100

/**
 * Store over a shared log. The operations of an account run one after the other, those that wait at the same time as one
 * group: reads after the new entries of the log were applied, transactions at once. The changes of a group are one entry,
 * which is appended with the position that it must have (optimistic concurrency). Where the log refuses it, the changes are
 * rolled back, the new entries are applied, and the group runs again. No outcome is handed out before the log has the entry.
 */
export const createSharedStore = (log: SharedLog, parts: SharedStoreParts): Store => {
  const { accountQuotas, exposureOf, maxAccounts, attemptMs } = parts
  const { onNotes, onUnloaded, onEffects, onInternalError } = parts
  const slots = new Map<string, Slot>()
  const reader = createAccountReader(log, parts)
  const timer = createWakeTimer(log.now, (keys) => {
    for (const key of keys) if (slots.has(key)) void transact(key, () => {}).catch(onInternalError)
  })

  // LRU order: the slot that was used last comes last.
  const slotOf = (key: string): Slot => {
    const slot = slots.get(key) ?? { key, cached: undefined, waiting: [], isRunning: false }
    slots.delete(key)
    slots.set(key, slot)
    if (slots.size > maxAccounts) unloadOldest()
    return slot
  }

  const unloadOldest = (): void => {
    for (const slot of slots.values()) {
      // The outcome of a callback in flight has still to be recorded.
      const isSending = [...(slot.cached?.inFlight.values() ?? [])].some(
        ({ writer }) => writer === log.replica,
      )
      if (slot.isRunning || isSending) continue
      unload(slot)
      slots.delete(slot.key)
      return
    }
  }

  const unload = (slot: Slot): void => {
    if (slot.cached === undefined) return
    slot.cached = undefined
    accountQuotas.leave(slot.key)
    timer.forget(slot.key)
    onUnloaded(slot.key)
  }

  const load = async (slot: Slot): Promise<CachedAccount> => {
    slot.cached = await reader.load(slot.key)
    accountQuotas.enter(slot.cached.tracked.account)
    return slot.cached
  }

  const ensureCurrent = async (
    slot: Slot,
    { mustRead }: { readonly mustRead: boolean },
  ): Promise<CachedAccount> => {
    const { cached } = slot
    if (cached === undefined) return load(slot)
    if (!mustRead && cached.generation === log.generation) return cached
    const { position } = cached
    const isCaughtUp = await reader.catchUp(cached)
    if (cached.position !== position) timer.forget(slot.key)
    if (isCaughtUp) return cached
    unload(slot)
    return load(slot)
  }

  /** Runs a group of operations until the log has what they change. */
  const perform = async (slot: Slot, operations: readonly Operation[]): Promise<void> => {
    const needsNotes = operations.some((operation) => operation.needsNotes)
    let mustRead = operations.some(({ isRead }) => isRead)
    for (let isDone = false; !isDone; mustRead = true) {
      const cached = await ensureCurrent(slot, { mustRead })
      if (needsNotes && !cached.hasNotes) {
        onNotes(slot.key, await log.notes(slot.key, cached.position))
        cached.hasNotes = true
      }
      isDone = await attempt(slot, cached, operations)
    }
  }

  /** Runs operations once. False: the log has refused their entry, and their changes are rolled back. */
  const attempt = async (
    slot: Slot,
    cached: CachedAccount,
    operations: readonly Operation[],
  ): Promise<boolean> => {
    const { tracked } = cached
    const { account } = tracked
    const systemNow = log.now()
    const jobsBefore = account.jobs.size
    const effects: Effects = { events: [], jobs: [], notes: [] }
    tracked.begin()
    const outcomes = operations.map((operation) => operation.run(cached, systemNow, effects))
    accountQuotas.count(account)
    const change = tracked.takeChanges(systemNow)
    const { notes = [] } = effects
    if (change !== undefined || notes.length > 0) {
      const batch = change === undefined ? [] : batchOf(change)
      const events = effects.events.map(storedEvent)
      const jobs = account.jobs.size > jobsBefore ? [...account.jobs.keys()].slice(jobsBefore) : []
      if (!(await append(slot, cached, { at: systemNow, batch, events, notes }, jobs))) return false
    }
    tracked.commit()
    setTimer(cached)
    for (const outcome of outcomes) outcome()
    return true
  }

  const append = async (
    slot: Slot,
    cached: CachedAccount,
    fields: Pick<LogEntry, 'at' | 'batch' | 'events' | 'notes'>,
    jobs: readonly string[],
  ): Promise<boolean> => {
    const entry = entryAfter(cached, { writer: log.replica, ...fields })
    const { position, mark, writer, at, batch } = entry
    const inFlight = inFlightAfter(cached.inFlight, batch, writer, at)
    const dueAt = dueOf(cached.tracked.account, inFlight, at)
    let isAppended = false
    try {
      isAppended = await log.append(slot.key, entry, {
        dueAt: dueAt === cached.dueAt ? undefined : dueAt,
        jobs,
      })
    } finally {
      if (isAppended) Object.assign(cached, { position, mark, writer, at, inFlight, dueAt })
      // Where the append has failed, the log may contain the entry. It is then applied like any other.
      else unapply(slot, cached)
    }
    return isAppended
  }

  const unapply = (slot: Slot, cached: CachedAccount): void => {
    cached.tracked.rollback()
    cached.generation = Number.NaN
    if (cached.position.n === 0) unload(slot)
  }

  /** When other replicas have to take over: at the next moment of a live clock, and at the time limit of an attempt. */
  const dueOf = (account: Account, inFlight: InFlight, systemNow: Instant): number | null => {
    const oldest = Math.min(...[...inFlight.values()].map(({ since }) => since))
    const due = Math.min(wakeTimeOf(account, systemNow), oldest + attemptMs)
    return Number.isFinite(due) ? due : null
  }

  const setTimer = ({ tracked: { account } }: CachedAccount): void => {
    timer.set(account.key, wakeTimeOf(account, log.now()))
  }

  const replace = async (slot: Slot, { by, resolve }: Replacement): Promise<void> => {
    for (let isAppended = false; !isAppended; ) {
      const cached = await ensureCurrent(slot, { mustRead: true }).catch((error) => restartLog(slot, error))
      const systemNow = log.now()
      const change =
        by === undefined ? undefined : new TrackedAccount(by, 'unlogged', exposureOf).takeChanges(systemNow)
      const batch: Batch = [['account', '', null], ...(change === undefined ? [] : batchOf(change))]
      const entry = entryAfter(cached, { writer: log.replica, at: systemNow, batch, events: [], notes: [] })
      isAppended = await log.append(slot.key, entry, { dueAt: null, isNew: true })
      unload(slot)
      if (!isAppended) continue
      const { account } = cached.tracked
      if (by === undefined) await log.close(slot.key, account.id)
      resolve(account)
    }
  }

  /** Restarts the log of an account where it has a gap: the account cannot be read, but it can begin anew. */
  const restartLog = async (slot: Slot, error: unknown): Promise<CachedAccount> => {
    if (!isGap(error)) throw error
    await log.restart(slot.key)
    return load(slot)
  }

  const runWaiting = async (slot: Slot): Promise<void> => {
    while (slot.waiting.length > 0) {
      const end = slot.waiting.findIndex((one) => 'by' in one)
      const group = slot.waiting.splice(0, Math.min(end < 0 ? MAX_GROUP : Math.max(end, 1), MAX_GROUP))
      const [first] = group
      try {
        if (first !== undefined && 'by' in first) await replace(slot, first)
        else await perform(slot, group as Operation[])
      } catch (error) {
        for (const one of group) one.reject(error)
      }
    }
    slot.isRunning = false
  }

  const enqueue = (key: string, one: Operation | Replacement): void => {
    const slot = slotOf(key)
    slot.waiting.push(one)
    if (slot.isRunning) return
    slot.isRunning = true
    void runWaiting(slot)
  }

  /** Enqueues an operation. `work` returns what makes its result, once the log has what it changed. */
  const operate = <T>(
    key: string,
    how: Pick<Operation, 'isRead' | 'needsNotes'>,
    work: (cached: CachedAccount, systemNow: Instant, effects: Effects) => () => T,
  ): Promise<T> =>
    new Promise((resolve, reject) => {
      const run: Operation['run'] = (...given) => {
        try {
          const resultOf = work(...given)
          return () => resolve(resultOf())
        } catch (error) {
          return () => reject(error)
        }
      }
      enqueue(key, { ...how, run, reject })
    })

  const transact: Store['transact'] = (key, change) =>
    operate(key, { isRead: false }, ({ tracked }, systemNow, { events, notes }) => {
      const { account } = tracked
      const effects: Effects = { events: [], jobs: [], notes: [] }
      tracked.begin()
      try {
        const { clock } = account
        const now = readClock(clock, systemNow)
        runDue(account, now, effects)
        const result = change(account, now, effects)
        runDue(account, account.clock === clock ? now : readClock(account.clock, systemNow), effects)
        tracked.commit()
        events.push(...effects.events)
        notes?.push(...(effects.notes ?? []))
        return () => {
          onEffects(key, effects)
          return result
        }
      } catch (error) {
        tracked.rollback()
        throw error
      }
    })

  const readCached = <T>(
    key: string,
    inspect: (cached: CachedAccount, systemNow: Instant) => T,
    options: Pick<Operation, 'needsNotes'> = {},
  ): Promise<T> =>
    operate(key, { isRead: true, ...options }, (cached, systemNow) => {
      const found = inspect(cached, systemNow)
      return () => found
    })

  const catchUpWithNotes = (key: string): Promise<void> => readCached(key, () => {}, { needsNotes: true })

  const read: Store['read'] = (key, inspect) =>
    readCached(key, ({ tracked: { account } }, systemNow) =>
      inspect(account, readClock(account.clock, systemNow)),
    )

  const note: SharedAccess['note'] = (key, text) =>
    operate(key, { isRead: false }, (_, __, { notes }) => {
      notes?.push(text)
      return () => {}
    })

  const following = createFollowing((followed) => {
    for (const key of followed ?? [...slots.keys()])
      if (slots.get(key)?.isRunning !== true) void catchUpWithNotes(key).catch(() => {})
  })

  const takeover = createTakeover({
    log,
    attemptMs,
    transact,
    attemptsOf: (key) => readCached(key, ({ writer, inFlight }) => ({ writer, inFlight })),
    dueOf: (key) =>
      readCached(key, ({ tracked, inFlight }, systemNow) => dueOf(tracked.account, inFlight, systemNow)),
  })

  return {
    transact,
    read,
    put: (by) => new Promise((resolve, reject) => enqueue(by.key, { by, resolve, reject })),
    keyOfAccountId: log.keyOfAccountId,
    ownerOf: async (jobId, first) => {
      if (first !== undefined && (await read(first, ({ jobs }) => jobs.has(jobId)))) return first
      return log.ownerOf(jobId)
    },
    // Each account sees to its own; where two have the same one, the caller's key decides.
    isFree: () => true,
    keys: log.keys,
    forget: (key) => new Promise((resolve, reject) => enqueue(key, { by: undefined, resolve, reject })),
    wake: takeover.start,
    shared: {
      note,
      catchUp: (key) =>
        catchUpWithNotes(key).catch((error) => {
          if (!isGap(error)) throw error
        }),
      follow: following.follow,
    },
    stop: () => {
      following.stop()
      takeover.stop()
      timer.stop()
    },
  }
}

const entryAfter = (
  { position: { epoch, n }, mark: previous }: CachedAccount,
  rest: Omit<LogEntry, 'position' | 'mark' | 'previous'>,
): LogEntry => ({
  position: { epoch, n: n + 1 },
  mark: randomUUID().slice(0, 8),
  previous,
  ...rest,
})

const isGap = (error: unknown): boolean => error instanceof EmulatorError && error.code === 'store-gap'
