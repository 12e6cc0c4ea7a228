import { runDue, type SharedLog, type SharedStoreParts } from '../emulator/surface/persistence.js'
import {
  type Account,
  clearInterval,
  type Effects,
  EmulatorError,
  type Instant,
  readClock,
  type Store,
  setInterval,
} from '../emulator/surface/records.js'
import type { CachedAccount } from './account-reader.js'
import { GroupCommit, takeoverTimeOf } from './group-commit.js'
import { AccountSlots, type Operation, type Slot } from './slots.js'
import { createTakeover, type Takeover } from './takeover.js'

/**
 * Store over a shared log. The operations of an account run one after the other, those that wait at the same time as one
 * group commit. Its public methods are fields, so that a copy of it with another method works as it does.
 */
export class SharedStore implements Store {
  readonly #log: SharedLog
  readonly #parts: SharedStoreParts
  readonly #slots: AccountSlots
  readonly #commit: GroupCommit
  readonly #takeover: Takeover
  readonly #polling = new Polling((key) => {
    for (const followed of key === undefined ? this.#slots.keys() : [key])
      if (!this.#slots.isBusy(followed)) void this.#catchUpWithNotes(followed).catch(() => {})
  })

  constructor(log: SharedLog, parts: SharedStoreParts) {
    this.#log = log
    this.#parts = parts
    this.#slots = new AccountSlots(
      log,
      parts,
      (key) => void this.transact(key, () => {}).catch(parts.onInternalError),
    )
    this.#commit = new GroupCommit(log, parts, this.#slots)
    const { attemptMs } = parts
    this.#takeover = createTakeover({
      log,
      attemptMs,
      transact: this.transact,
      inspect: (key) =>
        this.#readCached(key, ({ tracked: { account }, latest: { writer }, inFlight }, systemNow) => ({
          writer,
          inFlight,
          dueAt: takeoverTimeOf(account, inFlight, systemNow, attemptMs),
        })),
    })
  }

  readonly transact: Store['transact'] = (key, change) =>
    this.#operate(key, undefined, ({ tracked }, systemNow, { events, notes }) => {
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
        this.#parts.onEffects(key, effects)
        return result
      }
    })

  readonly query: Store['query'] = this.transact

  readonly read: Store['read'] = (key, look) =>
    this.#readCached(key, ({ tracked: { account } }, systemNow) =>
      look(account, readClock(account.clock, systemNow)),
    )

  readonly put: Store['put'] = async (account) => {
    const before = await this.#replace(account.key, account)
    this.#parts.onReplaced?.(account)
    return before
  }

  readonly forget: Store['forget'] = (key) => this.#replace(key, undefined)

  readonly keyOfAccountId: Store['keyOfAccountId'] = (accountId) => this.#log.keyOfAccountId(accountId)

  readonly ownerOf: Store['ownerOf'] = async (jobId, first) => {
    const hasJob = (key: string) => this.read(key, ({ jobs }) => jobs.has(jobId))
    if (first !== undefined && (await hasJob(first))) return first
    const owner = await this.#log.ownerOf(jobId)
    // The store names it until it expires, also after the account began anew without the job.
    return owner !== undefined && owner !== first && (await hasJob(owner)) ? owner : undefined
  }

  // Each account sees to its own; where two have the same one, the caller's key decides.
  readonly isFree: Store['isFree'] = () => true

  readonly keys: Store['keys'] = () => this.#log.keys()

  readonly note: Store['note'] = (key, textOf) =>
    this.#operate(key, undefined, (_, __, { notes }) => {
      notes.push(textOf())
      return () => {}
    })

  readonly catchUp: Store['catchUp'] = (key) =>
    this.#catchUpWithNotes(key).catch((error) => {
      if (!isGap(error)) throw error
    })

  readonly follow: Store['follow'] = (key) => this.#polling.follow(key)

  readonly wake: Store['wake'] = () => this.#takeover.start()

  readonly stop: Store['stop'] = () => {
    this.#polling.stop()
    this.#takeover.stop()
    this.#slots.timer.stop()
  }

  /** Enqueues an operation. `work` returns what makes its result, once the log has what it changed. */
  #operate<T>(
    key: string,
    needs: Operation['needs'],
    work: (...args: Parameters<Operation['run']>) => () => T,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const run: Operation['run'] = (...args) => {
        try {
          const resultOf = work(...args)
          return () => resolve(resultOf())
        } catch (error) {
          return () => reject(error)
        }
      }
      this.#commit.enqueue(this.#slots.of(key), { needs, run, reject })
    })
  }

  #readCached<T>(
    key: string,
    look: (cached: CachedAccount, systemNow: Instant) => T,
    needs: 'entries' | 'notes' = 'entries',
  ): Promise<T> {
    return this.#operate(key, needs, (cached, systemNow) => {
      const result = look(cached, systemNow)
      return () => result
    })
  }

  #catchUpWithNotes(key: string): Promise<void> {
    return this.#readCached(key, () => {}, 'notes')
  }

  /** Replaces the whole account of a key, and returns the one of before, or undefined where it is forgotten. */
  #replace(key: string, by: Account | undefined): Promise<Account | undefined> {
    const slot = this.#slots.of(key)
    // Operations that are asked for from now on come after it.
    slot.group = undefined
    return slot.mutex.run(async () => {
      let refused: string | undefined
      let isRestarted = false
      // An account of which the log has lost a part cannot be read, but it can begin anew.
      const restartLog = (error: unknown): Promise<CachedAccount> => {
        if (!isGap(error) || isRestarted) throw error
        isRestarted = true
        return this.#restartLog(slot)
      }
      for (;;) {
        // An account in memory does not show whether its log can still be loaded, as it has to be afterwards.
        this.#slots.unload(slot)
        const { latest, tracked } = await this.#slots
          .ensureCurrent(slot, 'entries', refused)
          .catch(restartLog)
        if (await this.#commit.appendReplacement(slot, latest, by)) return tracked.account
        refused = latest.mark
      }
    })
  }

  async #restartLog(slot: Slot): Promise<CachedAccount> {
    this.#slots.unload(slot)
    await this.#log.restart(slot.key)
    return this.#slots.load(slot)
  }
}

/** Interval at which the entries of other replicas are applied while a call waits for them. */
const FOLLOW_INTERVAL_MS = 100

/** Polling of followed accounts: an interval that runs as long as there are some. */
class Polling {
  readonly #poll: (key: string | undefined) => void
  readonly #followers = new Set<{ readonly key: string | undefined }>()
  #interval: NodeJS.Timeout | undefined

  /** @param poll applies what others have appended to an account, or, where its key is undefined, to all that are in memory */
  constructor(poll: (key: string | undefined) => void) {
    this.#poll = poll
  }

  follow(key: string | undefined): () => void {
    const follower = { key }
    this.#followers.add(follower)
    this.#interval ??= setInterval(() => {
      for (const followed of this.#followers) this.#poll(followed.key)
    }, FOLLOW_INTERVAL_MS).unref()
    return () => {
      this.#followers.delete(follower)
      if (this.#followers.size === 0) this.stop()
    }
  }

  stop(): void {
    clearInterval(this.#interval)
    this.#interval = undefined
  }
}

const isGap = (error: unknown): boolean => error instanceof EmulatorError && error.code === 'store-gap'
