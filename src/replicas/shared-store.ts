import { randomUUID } from 'node:crypto'
import { batchOf } from '../accounts/persistence/batch.js'
import type { SharedStoreParts } from '../accounts/persistence/shared.js'
import type { LogEntry, Position, SharedLog, StoredEvent } from '../accounts/persistence/shared-log.js'
import type { SharedAccess, Store } from '../accounts/store.js'
import { type TrackedAccount, trackAccount } from '../accounts/tracked.js'
import { createWakeTimer } from '../accounts/wake-timer.js'
import { EmulatorError } from '../core/errors.js'
import type { Account, AccountEvent, Effects } from '../core/model/account.js'
import { FOR_EVER } from '../core/model/task.js'
import { readClock, realMsUntil } from '../core/schedule/clock.js'
import { nextDue, runDue } from '../core/schedule/run-due.js'
import type { Instant } from '../core/schedule/timeline.js'
import { applyBatch } from './apply-batch.js'
import { type InFlight, inFlightAfter, oldestOf } from './in-flight.js'
import { loadAccount, type Scenarios } from './load-account.js'
import { createTakeover } from './takeover.js'

/** An account in memory, which is what the log says up to a position. */
interface Held {
  readonly tracked: TrackedAccount
  readonly scenarios: Scenarios
  inFlight: InFlight
  position: Position
  /** Of the entry at the position. */
  mark: string
  writer: string
  /** When it was appended, by the store's time. */
  at: number
  /** Whether what is noted of the account is in memory. It is read when somebody looks at it. */
  hasNotes: boolean
  /** Generation of the connection in which the store was seen to have that entry. */
  generation: number
  /** When others have to look after it, as the store has it; undefined: unknown. */
  dueAt: number | null | undefined
}

/** One transaction or read. It runs as often as it takes until the log has what it changed. */
interface Operation {
  /** Whether it has to see first how far the log reaches. */
  readonly isRead: boolean
  /** Whether it looks at what is noted of the account. Default: no. */
  readonly needsNotes?: boolean
  /** Runs on the account, and returns what hands out its outcome. */
  run(held: Held, systemNow: Instant, effects: Effects): () => void
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
  held: Held | undefined
  readonly waiting: (Operation | Replacement)[]
  isRunning: boolean
}

/** How many operations share an entry of the log. */
const MAX_GROUP = 100
/** How often what others append is applied while a call waits for it. */
const FOLLOW_MS = 100

/**
 * Store over a shared log. The operations of an account run one after the other, those that wait at the same time as one
 * group: reads once it was seen how far the log reaches, transactions at once. What a group changes is one entry, which is
 * appended with the position that it must have. Where the log refuses it, everything is taken back, what is new is
 * applied, and the group runs again. Nothing is handed out before the log has the entry.
 */
export const createSharedStore = (log: SharedLog, parts: SharedStoreParts): Store => {
  const { open, accountQuotas, exposureOf = () => FOR_EVER, maxCallbacks, maxAccounts, attemptMs } = parts
  const { onLoaded, onNotes, onAppended, onUnloaded, onLost } = parts
  const { onEffects = () => {}, onInternalError = () => {} } = parts
  const slots = new Map<string, Slot>()
  const timer = createWakeTimer(log.now, (keys) => {
    for (const key of keys) if (slots.has(key)) void transact(key, () => {}).catch(onInternalError)
  })

  // The order of the map is that of use.
  const slotOf = (key: string): Slot => {
    const slot = slots.get(key) ?? { key, held: undefined, waiting: [], isRunning: false }
    slots.delete(key)
    slots.set(key, slot)
    if (slots.size > maxAccounts) unloadOldest()
    return slot
  }

  const unloadOldest = (): void => {
    for (const slot of slots.values()) {
      // What it sends has still to be recorded.
      const isSending = [...(slot.held?.inFlight.values() ?? [])].some(({ writer }) => writer === log.replica)
      if (slot.isRunning || isSending) continue
      unload(slot)
      slots.delete(slot.key)
      return
    }
  }

  const unload = (slot: Slot): void => {
    if (slot.held === undefined) return
    slot.held = undefined
    accountQuotas.leave(slot.key)
    timer.forget(slot.key)
    onUnloaded(slot.key)
  }

  const load = async (slot: Slot): Promise<Held> => {
    const { generation } = log
    const loaded = await log.load(slot.key)
    const batches = loaded.batches.map(({ batch }) => batch)
    const now = log.now()
    const build = () => loadAccount(slot.key, batches, { maxCallbacks, now })
    const found = build()
    const { account: stored } = found
    if (stored !== undefined) onLoaded(stored, () => build().account ?? stored)
    const account = found.account ?? open(slot.key)
    const epoch = found.account === undefined ? await log.open(slot.key, account.tag) : 0
    let inFlight: InFlight = new Map()
    for (const one of loaded.batches) inFlight = inFlightAfter(inFlight, one.batch, writerOf(one), one.at)
    const tracked = trackAccount(account, found.account !== undefined, exposureOf)
    accountQuotas.enter(tracked.account)
    slot.held = {
      ...{ tracked, scenarios: found.scenarios, inFlight, generation },
      ...{ position: loaded.position ?? { epoch, n: 0 }, mark: loaded.mark, writer: loaded.writer },
      at: loaded.batches.at(-1)?.at ?? log.now(),
      ...{ hasNotes: found.account === undefined, dueAt: undefined },
    }
    return slot.held
  }

  // What this replica has appended without having got the answer is under way nowhere.
  const writerOf = ({ writer }: { readonly writer: string }): string => (writer === log.replica ? '' : writer)

  /** Applies what is new in the log. Undefined: the account has to be loaded. */
  const catchUp = async (slot: Slot, held: Held): Promise<Held | undefined> => {
    const { generation } = log
    const isUnseen = held.generation !== generation && held.position.n > 0
    const { hasNotes } = held
    const entries = await log.readAfter(slot.key, held.position, {
      mark: isUnseen ? held.mark : undefined,
      hasNotes,
    })
    if (entries === 'replaced') onLost()
    if (entries === 'gap' && isUnseen) await checkTail(slot.key, held)
    if (entries === 'gap' || entries === 'replaced') return undefined
    held.generation = generation
    for (const entry of entries) {
      if (entry.previous !== held.mark) {
        onLost()
        return undefined
      }
      if (!applyEntry(held, entry)) return undefined
    }
    return held
  }

  // A log that was trimmed meanwhile is no loss: it reaches further than what is held. Nor is one that has expired.
  const checkTail = async (key: string, { position: { epoch, n }, at }: Held): Promise<void> => {
    const { position } = await log.load(key)
    if (position === undefined && log.canHaveExpired(at)) return
    if (position === undefined || position.epoch < epoch || (position.epoch === epoch && position.n < n))
      onLost()
  }

  const applyEntry = (held: Held, entry: LogEntry): boolean => {
    const { tracked, scenarios } = held
    const { account } = tracked
    if (!applyBatch(account, entry.batch, scenarios)) return false
    tracked.takeChanges(entry.at)
    const { position, mark, writer, at } = entry
    const inFlight = inFlightAfter(held.inFlight, entry.batch, writerOf(entry), at)
    Object.assign(held, { position, mark, writer, at, inFlight, dueAt: undefined })
    timer.forget(account.key)
    const events = entry.events.map((event) => eventOf(account, event))
    onAppended(account.key, events, entry.notes)
    return true
  }

  const current = async (slot: Slot, mustRead: boolean): Promise<Held> => {
    const { held } = slot
    if (held === undefined) return load(slot)
    if (!mustRead && held.generation === log.generation) return held
    const caughtUp = await catchUp(slot, held)
    if (caughtUp !== undefined) return caughtUp
    unload(slot)
    return load(slot)
  }

  /** Runs a group of operations until the log has what they change. */
  const perform = async (slot: Slot, operations: readonly Operation[]): Promise<void> => {
    let mustRead = operations.some(({ isRead }) => isRead)
    const needsNotes = operations.some((operation) => operation.needsNotes)
    for (let outcome: (() => void) | undefined; outcome === undefined; mustRead = true) {
      const held = await current(slot, mustRead)
      if (needsNotes && !held.hasNotes) await readNotes(slot, held)
      outcome = await attempt(slot, held, operations)
      outcome?.()
    }
  }

  const readNotes = async ({ key }: Slot, held: Held): Promise<void> => {
    onNotes(key, await log.notes(key, held.position))
    held.hasNotes = true
  }

  /** Undefined: the log has refused the entry, and everything is taken back. */
  const attempt = async (
    slot: Slot,
    held: Held,
    operations: readonly Operation[],
  ): Promise<(() => void) | undefined> => {
    const { tracked, position, mark } = held
    const { account } = tracked
    const systemNow = log.now()
    const jobsBefore = account.jobs.size
    const effects: Effects = { events: [], jobs: [], notes: [] }
    tracked.begin()
    const outcomes = operations.map((operation) => operation.run(held, systemNow, effects))
    accountQuotas.count(account)
    const change = tracked.takeChanges(systemNow)
    const finish = () => {
      for (const outcome of outcomes) outcome()
    }
    const { notes = [] } = effects
    if (change === undefined && notes.length === 0) {
      tracked.commit()
      setTimer(held)
      return finish
    }
    const batch = change === undefined ? [] : batchOf(change)
    const entry: LogEntry = {
      position: { epoch: position.epoch, n: position.n + 1 },
      ...{ mark: randomUUID().slice(0, 8), previous: mark, writer: log.replica, at: systemNow },
      ...{ batch, events: effects.events.map(storedEvent), notes },
    }
    const inFlight = inFlightAfter(held.inFlight, batch, log.replica, systemNow)
    const dueAt = dueOf(account, inFlight, systemNow)
    const jobs = account.jobs.size > jobsBefore ? [...account.jobs.keys()].slice(jobsBefore) : []
    const isAppended = await log
      .append(slot.key, entry, { dueAt: dueAt === held.dueAt ? undefined : dueAt, jobs })
      .catch((error) => {
        tracked.rollback()
        // The log may contain the entry. It is then applied like any other.
        held.generation = Number.NaN
        if (position.n === 0) unload(slot)
        throw error
      })
    if (!isAppended) {
      tracked.rollback()
      held.generation = Number.NaN
      if (position.n === 0) unload(slot)
      return undefined
    }
    tracked.commit()
    const { position: reached, mark: its, writer, at } = entry
    Object.assign(held, { position: reached, mark: its, writer, at, inFlight, dueAt })
    setTimer(held)
    return finish
  }

  /** When others have to look: at the next moment of a live clock, and when an attempt has taken too long. */
  const dueOf = (account: Account, inFlight: InFlight, systemNow: Instant): number | null => {
    const next = account.clock.mode === 'live' ? nextDue(account) : undefined
    const at =
      next === undefined ? Number.POSITIVE_INFINITY : systemNow + realMsUntil(account.clock, next, systemNow)
    const due = Math.min(at, oldestOf(inFlight) + attemptMs)
    return Number.isFinite(due) ? due : null
  }

  const setTimer = ({ tracked: { account } }: Held): void => {
    const next = account.clock.mode === 'live' ? nextDue(account) : undefined
    const now = log.now()
    if (next !== undefined) timer.set(account.key, now + realMsUntil(account.clock, next, now))
  }

  const replace = async (slot: Slot, { by, resolve }: Replacement): Promise<void> => {
    for (let isAppended = false; !isAppended; ) {
      const { position, mark, tracked } = await current(slot, true).catch((error) => afresh(slot, error))
      const systemNow = log.now()
      const change = by === undefined ? undefined : trackAccount(by, false, exposureOf).takeChanges(systemNow)
      const entry: LogEntry = {
        position: { epoch: position.epoch, n: position.n + 1 },
        ...{ mark: randomUUID().slice(0, 8), previous: mark, writer: log.replica, at: systemNow },
        batch: [['account', '', null], ...(change === undefined ? [] : batchOf(change))],
        ...{ events: [], notes: [] },
      }
      isAppended = await log.append(slot.key, entry, { dueAt: null, isNew: true })
      unload(slot)
      if (!isAppended) continue
      if (by === undefined) await log.close(slot.key, tracked.account.tag)
      resolve(tracked.account)
    }
  }

  /** An account whose log has a gap cannot be read, but begin anew. */
  const afresh = async (slot: Slot, error: unknown): Promise<Held> => {
    if (!isGap(error)) throw error
    await log.restart(slot.key)
    return load(slot)
  }

  const work = async (slot: Slot): Promise<void> => {
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
    void work(slot)
  }

  const transact: Store['transact'] = (key, change) =>
    new Promise((resolve, reject) => {
      const run: Operation['run'] = ({ tracked }, systemNow, { events, notes }) => {
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
            resolve(result)
          }
        } catch (error) {
          tracked.rollback()
          return () => reject(error)
        }
      }
      enqueue(key, { isRead: false, run, reject })
    })

  const look = <T>(
    key: string,
    inspect: (held: Held, systemNow: Instant) => T,
    needsNotes = false,
  ): Promise<T> =>
    new Promise((resolve, reject) => {
      const run: Operation['run'] = (held, systemNow) => {
        try {
          const found = inspect(held, systemNow)
          return () => resolve(found)
        } catch (error) {
          return () => reject(error)
        }
      }
      enqueue(key, { isRead: true, needsNotes, run, reject })
    })

  const lookWithNotes = (key: string): Promise<void> => look(key, () => {}, true)

  const read: Store['read'] = (key, inspect) =>
    look(key, ({ tracked: { account } }, systemNow) => inspect(account, readClock(account.clock, systemNow)))

  const note: SharedAccess['note'] = (key, text) =>
    new Promise((resolve, reject) => {
      const run: Operation['run'] = (_, __, { notes }) => {
        notes?.push(text)
        return resolve
      }
      enqueue(key, { isRead: false, run, reject })
    })

  const followed = new Map<string | undefined, number>()
  let following: NodeJS.Timeout | undefined

  const followAll = (): void => {
    const keys = followed.has(undefined) ? slots.keys() : followed.keys()
    for (const key of [...keys])
      if (key !== undefined && slots.get(key)?.isRunning !== true) void lookWithNotes(key).catch(() => {})
  }

  const follow: SharedAccess['follow'] = (key) => {
    followed.set(key, (followed.get(key) ?? 0) + 1)
    following ??= setInterval(followAll, FOLLOW_MS).unref()
    return () => {
      const left = (followed.get(key) ?? 1) - 1
      if (left > 0) followed.set(key, left)
      else followed.delete(key)
      if (followed.size > 0) return
      clearInterval(following)
      following = undefined
    }
  }

  const takeover = createTakeover({
    log,
    attemptMs,
    transact,
    attemptsOf: (key) => look(key, ({ writer, inFlight }) => ({ writer, inFlight })),
    dueOf: (key) =>
      look(key, ({ tracked, inFlight }, systemNow) => dueOf(tracked.account, inFlight, systemNow)),
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
        lookWithNotes(key).catch((error) => {
          if (!isGap(error)) throw error
        }),
      follow,
    },
    stop: () => {
      clearInterval(following)
      takeover.stop()
      timer.stop()
    },
  }
}

const isGap = (error: unknown): boolean => error instanceof EmulatorError && error.code === 'store-gap'

// The task or callback of an event is the account's own once the batch is applied.
const storedEvent = ({ at, kind, id, detail }: AccountEvent): StoredEvent => [at, kind, id, detail]

const eventOf = ({ tasks, callbacks }: Account, [at, kind, id, detail]: StoredEvent): AccountEvent => {
  const task = kind === 'task' ? tasks.get(id) : undefined
  const callback = kind === 'callback' ? callbacks.log.get(id) : undefined
  return {
    ...{ at, kind, id, detail },
    ...(task === undefined ? {} : { task }),
    ...(callback === undefined ? {} : { callback }),
  }
}
