import {
  createWakeTimer,
  logGap,
  type SharedLog,
  type SharedStoreParts,
  type WakeTimer,
} from '../emulator/surface/persistence.js'
import { createMutex, type Effects, type Instant, type Semaphore } from '../emulator/surface/records.js'
import { type AccountReader, type CachedAccount, createAccountReader } from './account-reader.js'

/** One transaction or read. It runs as often as it takes until the log has what it changed. */
export interface Operation {
  /** What is applied first: the new entries of the log, or those and the notes of the account, or undefined where nothing. */
  readonly needs: 'entries' | 'notes' | undefined
  /** Runs on the account, and returns a function that hands out the outcome. */
  run(cached: CachedAccount, systemNow: Instant, effects: Required<Effects>): () => void
  reject(error: unknown): void
}

/** Slot of a key: its account once it is loaded, and what waits to be done. */
export interface Slot {
  readonly key: string
  cached: CachedAccount | undefined
  /** Held by the group of operations or the replacement that runs; others wait for it. */
  readonly mutex: Semaphore
  /** The last group that waits, which further operations join, or undefined where they begin another one. */
  group: Operation[] | undefined
}

/** Slots of the accounts that are in memory, with LRU eviction: the slot that was used last comes last. */
export class AccountSlots {
  readonly timer: WakeTimer
  readonly #log: SharedLog
  readonly #parts: SharedStoreParts
  readonly #reader: AccountReader
  readonly #slots = new Map<string, Slot>()

  /** @param onDue called with the key of an account in memory, one of whose moments has come */
  constructor(log: SharedLog, parts: SharedStoreParts, onDue: (key: string) => void) {
    this.#log = log
    this.#parts = parts
    this.#reader = createAccountReader(log, parts)
    this.timer = createWakeTimer(log.now, (keys) => {
      for (const key of keys) if (this.#slots.has(key)) onDue(key)
    })
  }

  /** The slot of a key, which is made where there is none. */
  of(key: string): Slot {
    const known = this.#slots.get(key)
    if (known === undefined) this.#unloadOldest()
    const slot = known ?? { key, cached: undefined, mutex: createMutex(), group: undefined }
    this.#slots.delete(key)
    this.#slots.set(key, slot)
    return slot
  }

  keys(): readonly string[] {
    return [...this.#slots.keys()]
  }

  /** Whether operations of a key run or wait now. */
  isBusy(key: string): boolean {
    return (this.#slots.get(key)?.mutex.held ?? 0) > 0
  }

  /**
   * Loads the account of a slot where it is not in memory, and applies what operations need.
   * @param refused mark of the entry after which the log has refused another one, or undefined where it has refused none
   * @throws EmulatorError `store-gap`
   */
  async ensureCurrent(slot: Slot, needs: Operation['needs'], refused?: string): Promise<CachedAccount> {
    const known = slot.cached
    if (known !== undefined && (needs !== undefined || known.generation !== this.#log.generation))
      await this.#catchUp(slot, known)
    const cached = slot.cached ?? (await this.load(slot))
    // No other replica was faster, so that the log would refuse every further attempt: it has lost its epoch, or entries.
    if (cached.latest.mark === refused) throw logGap(slot.key)
    if (needs === 'notes' && !cached.hasNotes) {
      this.#parts.onNotes(slot.key, await this.#log.notes(slot.key, cached.latest.position))
      cached.hasNotes = true
    }
    return cached
  }

  async load(slot: Slot): Promise<CachedAccount> {
    slot.cached = await this.#reader.load(slot.key)
    this.#parts.accountQuotas.enter(slot.cached.tracked.account)
    return slot.cached
  }

  unload(slot: Slot): void {
    if (slot.cached === undefined) return
    slot.cached = undefined
    this.#parts.accountQuotas.leave(slot.key)
    this.timer.forget(slot.key)
    this.#parts.onUnloaded(slot.key)
  }

  /** Applies the new entries of the log to an account in memory, or unloads it where they cannot be applied. */
  async #catchUp(slot: Slot, cached: CachedAccount): Promise<void> {
    const { latest } = cached
    const isCaughtUp = await this.#reader.catchUp(cached)
    if (cached.latest !== latest) this.timer.forget(slot.key)
    if (!isCaughtUp) this.unload(slot)
  }

  /** Unloads accounts until there is room for one more. Those that were busy before are unloaded later. */
  #unloadOldest(): void {
    for (const slot of this.#slots.values()) {
      if (this.#slots.size < this.#parts.maxAccounts) return
      if (slot.mutex.held > 0 || this.#isSending(slot)) continue
      this.unload(slot)
      this.#slots.delete(slot.key)
    }
  }

  // The outcome of a callback in flight has still to be recorded.
  #isSending({ cached }: Slot): boolean {
    return [...(cached?.inFlight.values() ?? [])].some(({ writer }) => writer === this.#log.replica)
  }
}
