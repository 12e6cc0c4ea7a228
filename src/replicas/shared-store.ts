import { randomUUID } from 'node:crypto'
import {
  type Batch,
  batchOf,
  createWakeTimer,
  type EntryHead,
  jobsSince,
  type LogEntry,
  logGap,
  runDue,
  type Savepoint,
  type SharedAccess,
  type SharedLog,
  type SharedStoreParts,
  TrackedAccount,
  wakeTimeOf,
} from '../emulator/surface/persistence.js'
import {
  type Account,
  clearInterval,
  createMutex,
  type Effects,
  EmulatorError,
  type Instant,
  readClock,
  type Semaphore,
  type Store,
  setInterval,
} from '../emulator/surface/records.js'
import {
  type CachedAccount,
  createAccountReader,
  headOf,
  type InFlight,
  inFlightAfter,
  storedEvent,
} from './account-reader.js'
import { createTakeover } from './takeover.js'

/** One transaction or read. It runs as often as it takes until the log has what it changed. */
interface Operation {
  /** What is applied first: the new entries of the log, or those and the notes of the account; undefined: nothing. */
  readonly needs: 'entries' | 'notes' | undefined
  /** Runs on the account, and returns a function that hands out the outcome. */
  run(cached: CachedAccount, systemNow: Instant, effects: Required<Effects>): () => void
  reject(error: unknown): void
}

/** Slot of a key: its account once it is loaded, and what waits to be done. */
interface Slot {
  readonly key: string
  cached: CachedAccount | undefined
  /** Held by the group of operations or the replacement that runs; others wait for it. */
  readonly mutex: Semaphore
  /** The last group that waits, which further operations join; undefined: they begin another one. */
  group: Operation[] | undefined
}

/** Maximum number of operations that share an entry of the log. */
const MAX_GROUP = 100

/** Interval at which the entries of other replicas are applied while a call waits for them. */
const FOLLOW_INTERVAL_MS = 100

/**
 * Store over a shared log. The operations of an account run one after the other, those that wait at the same time as one
 * group: reads after the new entries of the log were applied, transactions at once. The changes of a group are one entry,
 * which is appended with the position that it must have (optimistic concurrency). Where the log refuses it, the changes are
 * rolled back, the new entries are applied, and the group runs again. No outcome is handed out before the log has the entry.
 */
export const createSharedStore = (log: SharedLog, parts: SharedStoreParts): Store => {
  const { accountQuotas, exposureOf, maxAccounts, attemptMs } = parts
  const { onNotes, onUnloaded, onEffects, onInternalError } = parts
  /** LRU order: the slot that was used last comes last. */
  const slots = new Map<string, Slot>()
  const reader = createAccountReader(log, parts)
  const timer = createWakeTimer(log.now, (keys) => {
    for (const key of keys) if (slots.has(key)) void transact(key, () => {}).catch(onInternalError)
  })

  const slotOf = (key: string): Slot => {
    const known = slots.get(key)
    if (known === undefined) unloadOldest()
    const slot = known ?? { key, cached: undefined, mutex: createMutex(), group: undefined }
    slots.delete(key)
    slots.set(key, slot)
    return slot
  }

  /** Unloads accounts until there is room for one more. Those that were busy before are unloaded later. */
  const unloadOldest = (): void => {
    for (const slot of slots.values()) {
      if (slots.size < maxAccounts) return
      if (slot.mutex.held > 0 || isSending(slot)) continue
      unload(slot)
      slots.delete(slot.key)
    }
  }

  // The outcome of a callback in flight has still to be recorded.
  const isSending = ({ cached }: Slot): boolean =>
    [...(cached?.inFlight.values() ?? [])].some(({ writer }) => writer === log.replica)

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

  /**
   * Loads the account of a slot where it is not in memory, and applies what operations need.
   * @param refused mark of the entry after which the log has refused another one; undefined: it has refused none
   * @throws EmulatorError `store-gap`
   */
  const ensureCurrent = async (
    slot: Slot,
    needs: Operation['needs'],
    refused?: string,
  ): Promise<CachedAccount> => {
    const known = slot.cached
    if (known !== undefined && (needs !== undefined || known.generation !== log.generation))
      await catchUp(slot, known)
    const cached = slot.cached ?? (await load(slot))
    // No other replica was faster, so that the log would refuse every further attempt: it has lost its epoch, or entries.
    if (cached.latest.mark === refused) throw logGap(slot.key)
    if (needs === 'notes' && !cached.hasNotes) {
      onNotes(slot.key, await log.notes(slot.key, cached.latest.position))
      cached.hasNotes = true
    }
    return cached
  }

  /** Applies the new entries of the log to an account in memory, or unloads it where they cannot be applied. */
  const catchUp = async (slot: Slot, cached: CachedAccount): Promise<void> => {
    const { latest } = cached
    const isCaughtUp = await reader.catchUp(cached)
    if (cached.latest !== latest) timer.forget(slot.key)
    if (!isCaughtUp) unload(slot)
  }

  /** Adds an operation to the group that waits last. */
  const enqueue = (slot: Slot, operation: Operation): void => {
    if (slot.group !== undefined && slot.group.length < MAX_GROUP) {
      slot.group.push(operation)
      return
    }
    const group = [operation]
    slot.group = group
    void slot.mutex.run(async () => {
      if (slot.group === group) slot.group = undefined
      await perform(slot, group).catch((error) => {
        for (const { reject } of group) reject(error)
      })
    })
  }

  /** Runs a group of operations until the log has what they change. */
  const perform = async (slot: Slot, operations: readonly Operation[]): Promise<void> => {
    let needs = needsOf(operations)
    let refused: string | undefined
    for (;;) {
      const cached = await ensureCurrent(slot, needs, refused)
      if (await attempt(slot, cached, operations)) return
      refused = cached.latest.mark
      needs ??= 'entries'
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
    const effects: Required<Effects> = { events: [], jobs: [], notes: [] }
    const savepoint = tracked.begin()
    const outcomes = operations.map((operation) => operation.run(cached, systemNow, effects))
    accountQuotas.count(account, log.now)
    const change = tracked.takeChanges(systemNow)
    const { notes } = effects
    if (change !== undefined || notes.length > 0) {
      const batch = change === undefined ? [] : batchOf(change)
      const events = effects.events.map(storedEvent)
      const entry = entryAfter(cached.latest, log, { at: systemNow, batch, events, notes })
      if (!(await append(slot, cached, savepoint, entry, jobsSince(account, jobsBefore)))) return false
    }
    tracked.commit()
    timer.set(slot.key, wakeTimeOf(account, log.now()))
    for (const handOut of outcomes) handOut()
    return true
  }

  const append = async (
    slot: Slot,
    cached: CachedAccount,
    savepoint: Savepoint,
    entry: LogEntry,
    jobs: readonly string[],
  ): Promise<boolean> => {
    const { tracked } = cached
    const inFlight = inFlightAfter(cached.inFlight, entry)
    const dueAt = takeoverTimeOf(tracked.account, inFlight, entry.at, attemptMs)
    let isAppended = false
    try {
      const changedDueAt = dueAt === cached.dueAt ? undefined : dueAt
      isAppended = await log.append(slot.key, entry, { dueAt: changedDueAt, jobs })
    } finally {
      if (isAppended) Object.assign(cached, { latest: headOf(entry), inFlight, dueAt })
      else {
        // Where the append has failed, the log may contain the entry. It is then applied like any other.
        tracked.rollback(savepoint)
        cached.generation = Number.NaN
        if (cached.latest.position.n === 0) unload(slot)
      }
    }
    return isAppended
  }

  /** Replaces the whole account of a key, and returns the one of before; undefined: it is forgotten. */
  const replace = (key: string, by: Account | undefined): Promise<Account | undefined> => {
    const slot = slotOf(key)
    // Operations that are asked for from now on come after it.
    slot.group = undefined
    return slot.mutex.run(async () => {
      let refused: string | undefined
      let isRestarted = false
      // An account of which the log has lost a part cannot be read, but it can begin anew.
      const restartLog = async (error: unknown): Promise<CachedAccount> => {
        if (!isGap(error) || isRestarted) throw error
        isRestarted = true
        unload(slot)
        await log.restart(key)
        return load(slot)
      }
      for (;;) {
        // An account in memory does not show whether its log can still be loaded, as it has to be afterwards.
        unload(slot)
        const { latest, tracked } = await ensureCurrent(slot, 'entries', refused).catch(restartLog)
        if (await appendReplacement(slot, latest, by)) return tracked.account
        refused = latest.mark
      }
    })
  }

  /** Appends an entry that replaces the whole account, and unloads the one of before. False: the log has refused it. */
  const appendReplacement = async (
    slot: Slot,
    latest: EntryHead,
    by: Account | undefined,
  ): Promise<boolean> => {
    const at = log.now()
    const change = by && new TrackedAccount(by, 'unlogged', exposureOf).takeChanges(at)
    const batch: Batch = [['account', '', null], ...(change === undefined ? [] : batchOf(change))]
    const entry = entryAfter(latest, log, { at, batch, events: [], notes: [] })
    const isGone = by === undefined
    const dueAt = isGone ? null : takeoverTimeOf(by, new Map(), at, attemptMs)
    const jobs = [...(by?.jobs.keys() ?? [])]
    const isAppended = await log.append(slot.key, entry, { dueAt, jobs, isNew: !isGone, isGone })
    unload(slot)
    if (isAppended && dueAt !== null) timer.set(slot.key, dueAt)
    return isAppended
  }

  /** Enqueues an operation. `work` returns what makes its result, once the log has what it changed. */
  const operate = <T>(
    key: string,
    needs: Operation['needs'],
    work: (...args: Parameters<Operation['run']>) => () => T,
  ): Promise<T> =>
    new Promise((resolve, reject) => {
      const run: Operation['run'] = (...args) => {
        try {
          const resultOf = work(...args)
          return () => resolve(resultOf())
        } catch (error) {
          return () => reject(error)
        }
      }
      enqueue(slotOf(key), { needs, run, reject })
    })

  const transact: Store['transact'] = (key, change) =>
    operate(key, undefined, ({ tracked }, systemNow, { events, notes }) => {
      const { account } = tracked
      const effects: Required<Effects> = { events: [], jobs: [], notes: [] }
      const result = tracked.transact(() => {
        const now = readClock(account.clock, systemNow)
        runDue(account, now, effects)
        const changed = change(account, now, effects)
        runDue(account, readClock(account.clock, systemNow), effects)
        return changed
      })
      events.push(...effects.events)
      notes.push(...effects.notes)
      return () => {
        onEffects(key, effects)
        return result
      }
    })

  const readCached = <T>(
    key: string,
    look: (cached: CachedAccount, systemNow: Instant) => T,
    needs: 'entries' | 'notes' = 'entries',
  ): Promise<T> =>
    operate(key, needs, (cached, systemNow) => {
      const result = look(cached, systemNow)
      return () => result
    })

  const read: Store['read'] = (key, look) =>
    readCached(key, ({ tracked: { account } }, systemNow) =>
      look(account, readClock(account.clock, systemNow)),
    )

  const catchUpWithNotes = (key: string): Promise<void> => readCached(key, () => {}, 'notes')

  const following = createFollowing((followed) => {
    for (const key of followed === undefined ? [...slots.keys()] : [followed])
      if (!slots.get(key)?.mutex.held) void catchUpWithNotes(key).catch(() => {})
  })

  const takeover = createTakeover({
    log,
    attemptMs,
    transact,
    inspect: (key) =>
      readCached(key, ({ tracked: { account }, latest: { writer }, inFlight }, systemNow) => ({
        writer,
        inFlight,
        dueAt: takeoverTimeOf(account, inFlight, systemNow, attemptMs),
      })),
  })

  return {
    transact,
    query: transact,
    read,
    put: (account) => replace(account.key, account),
    keyOfAccountId: log.keyOfAccountId,
    ownerOf: async (jobId, first) => {
      const hasJob = (key: string) => read(key, ({ jobs }) => jobs.has(jobId))
      if (first !== undefined && (await hasJob(first))) return first
      const owner = await log.ownerOf(jobId)
      // The store names it until it expires, also after the account began anew without the job.
      return owner !== undefined && owner !== first && (await hasJob(owner)) ? owner : undefined
    },
    // Each account sees to its own; where two have the same one, the caller's key decides.
    isFree: () => true,
    keys: log.keys,
    forget: (key) => replace(key, undefined),
    wake: takeover.start,
    shared: {
      note: (key, note) =>
        operate(key, undefined, (_, __, { notes }) => {
          notes.push(note)
          return () => {}
        }),
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

/** What a group of operations needs. */
const needsOf = (operations: readonly Operation[]): Operation['needs'] =>
  (['notes', 'entries'] as const).find((need) => operations.some(({ needs }) => needs === need))

/**
 * Polling of followed accounts: an interval that runs as long as there are some.
 * @param poll applies what others have appended to an account; undefined: to all that are in memory
 */
const createFollowing = (poll: (key: string | undefined) => void) => {
  const followers = new Set<{ readonly key: string | undefined }>()
  let interval: NodeJS.Timeout | undefined

  const stop = (): void => {
    clearInterval(interval)
    interval = undefined
  }

  const follow: SharedAccess['follow'] = (key) => {
    const follower = { key }
    followers.add(follower)
    interval ??= setInterval(() => {
      for (const followed of followers) poll(followed.key)
    }, FOLLOW_INTERVAL_MS).unref()
    return () => {
      followers.delete(follower)
      if (followers.size === 0) stop()
    }
  }

  return { follow, stop }
}

/** When other replicas have to take an account over: at its next moment, or at the time limit of an attempt; null: never. */
const takeoverTimeOf = (
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

const isGap = (error: unknown): boolean => error instanceof EmulatorError && error.code === 'store-gap'
