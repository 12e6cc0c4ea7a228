import type { EventEmitter } from 'node:events'
import type { Events } from '../core/events.js'
import type { ControlRecord, InitialState, JournalEntry } from '../core/journal/entry.js'
import {
  type CallList,
  createCallList,
  createJournal,
  factsOf,
  type Journal,
  JournalItem,
} from '../core/journal/journal.js'
import type { QuotaReporter } from '../core/quotas.js'
import type { Settings } from '../core/settings.js'

// Headers, the call and its answer around their bodies; a body as an object takes about twice what it took as text.
const ENTRY_BYTES = 4_000

/** About how much memory an entry takes. */
const sizeOf = ({ requestBytes, responseBody }: JournalEntry, maxBytes: number): number =>
  ENTRY_BYTES + 2 * Math.min(requestBytes, maxBytes) + estimateBytes(responseBody)

/** Journal listener: is told of everything that a recording holds, as it happens. Calls have their whole bodies. */
interface JournalListener {
  opened(accountKey: string, initialState: InitialState): void
  call(entry: JournalEntry): void
  controlled(accountKey: string, control: ControlRecord): void
  forgotten(accountKey: string): void
}

/** Journal of one account, whose first records are the oldest. */
interface AccountJournal {
  readonly calls: CallList<ListedRecord>
  readonly controls: CallList<ListedRecord>
  evictedCalls: number
}

/** A call, or a control record between the calls, in the queue of all accounts. */
class QueuedRecord extends JournalItem {
  /** @param bytes approximate memory */
  constructor(
    entry: JournalEntry | undefined,
    readonly control: ControlRecord | undefined,
    readonly account: AccountJournal,
    readonly bytes: number,
  ) {
    super(entry)
  }
}

/** The same in the list of its account. */
class ListedRecord extends JournalItem {
  constructor(readonly queued: QueuedRecord) {
    super(queued.entry)
  }
}

interface JournalStoreParts {
  readonly settings: Pick<Settings, 'journalEntries' | 'journalBytes' | 'journalBodyBytes'>
  readonly events: EventEmitter<Events>
  readonly quotas: QuotaReporter
  /** Whether accounts leave the memory and come back, so that a new initial state is no sign of a reset. */
  readonly areReloaded: boolean
}

/**
 * Journals of all accounts, with an eviction queue that they share: the oldest call or control record of an account goes
 * when it has too many, and the oldest of all when they take too many bytes.
 */
export class JournalStore {
  readonly #parts: JournalStoreParts
  readonly #accounts = new Map<string, AccountJournal>()
  readonly #initialStates = new Map<string, InitialState>()
  readonly #listeners = new Set<JournalListener>()
  readonly #queue = createCallList<QueuedRecord>()
  readonly #allCalls = createJournal(this.#queue)
  #bytes = 0
  #sequence = 0

  constructor(parts: JournalStoreParts) {
    this.#parts = parts
    parts.quotas.measure({
      'journal-bytes': () => this.#bytes,
      'journal-entries': () =>
        [...this.#accounts.values()].reduce((size, { calls }) => Math.max(size, calls.size), 0),
    })
  }

  /**
   * Numbers what is done to any account. The number is taken within the transaction: an answer, and the end of an action, can
   * come after those of later ones.
   */
  nextSequence(): number {
    this.#sequence += 1
    return this.#sequence
  }

  /**
   * Records a call. A journal that was begun anew since the decision has no calls of the account of before.
   * @param initialState with which it had begun, or undefined where that does not matter
   * @param wholeEntry makes the entry with its whole body, for listeners
   */
  record(entry: JournalEntry, initialState: InitialState | undefined, wholeEntry: () => JournalEntry): void {
    if (initialState !== undefined && this.hasBegunAnew(entry.account, initialState)) return
    const { events, settings } = this.#parts
    this.#append(entry.account, { entry }, sizeOf(entry, settings.journalBodyBytes))
    events.emit('request', entry)
    if (this.#listeners.size === 0) return
    const whole = wholeEntry()
    for (const listener of this.#listeners) listener.call(whole)
  }

  /**
   * Adds a call that another process has answered.
   * @param bytes approximate memory
   */
  addCall(key: string, call: JournalEntry, bytes: number): void {
    const entry: JournalEntry = { ...call, sequence: this.nextSequence() }
    this.#append(key, { entry }, bytes)
    this.#parts.events.emit('request', entry)
  }

  /** An account has been opened. */
  opened(key: string, initialState: InitialState): void {
    this.#initialStates.set(key, initialState)
    this.#parts.events.emit('account', { account: key })
    for (const listener of this.#listeners) listener.opened(key, initialState)
  }

  /** Something has been done to an account. */
  controlled(key: string, control: ControlRecord): void {
    this.#append(key, { control }, CONTROL_BYTES + estimateBytes(control.input))
    for (const listener of this.#listeners) listener.controlled(key, control)
  }

  journalOf(key: string): Journal {
    const account = this.#accounts.get(key)
    return createJournal(account?.calls, account?.evictedCalls)
  }

  /** A page of the calls of all accounts. */
  page(...args: Parameters<Journal['page']>): ReturnType<Journal['page']> {
    return this.#allCalls.page(...args)
  }

  /** Initial state of an account, or undefined where it is not open. */
  initialStateOf(key: string): InitialState | undefined {
    return this.#initialStates.get(key)
  }

  /** Whether the account of a key was reset or forgotten since its journal had begun with an initial state. */
  hasBegunAnew(key: string, initialState: InitialState | undefined): boolean {
    return !this.#parts.areReloaded && this.#initialStates.get(key) !== initialState
  }

  /** Oldest first; at most as many as the journal keeps calls. */
  controlsOf(key: string): readonly ControlRecord[] {
    const controls = this.#accounts.get(key)?.controls.values() ?? []
    return [...controls].flatMap(({ queued }) => queued.control ?? [])
  }

  /** Removes the calls and control records of an account. */
  clear(key: string): void {
    const account = this.#accounts.get(key)
    if (account === undefined) return
    for (const listed of [...account.calls.values(), ...account.controls.values()])
      this.#removeFromQueue(listed)
    this.#accounts.delete(key)
  }

  forget(key: string): void {
    this.clear(key)
    const wasOpen = this.#initialStates.delete(key)
    this.#parts.events.emit('account', { account: key })
    if (wasOpen) for (const listener of this.#listeners) listener.forgotten(key)
  }

  /** Subscribes a listener to everything from now on; returns what ends the subscription. */
  follow(listener: JournalListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #append(
    key: string,
    { entry, control }: { readonly entry?: JournalEntry; readonly control?: ControlRecord },
    bytes: number,
  ): void {
    const { settings, quotas } = this.#parts
    const account = this.#accountOf(key)
    const list = control === undefined ? account.calls : account.controls
    const facts = entry === undefined ? undefined : factsOf(entry)
    if (list.size >= settings.journalEntries) {
      if (control === undefined) quotas.hit('journal-entries')
      this.#evictOldest(account, control === undefined)
    }
    const queued = this.#queue.add(new QueuedRecord(entry, control, account, bytes), facts)
    list.add(new ListedRecord(queued), facts)
    this.#bytes += bytes
    // The oldest record of all is the oldest of its kind in its account.
    for (;;) {
      const oldest = this.#queue.first
      if (this.#bytes <= settings.journalBytes || oldest === undefined) return
      quotas.hit('journal-bytes')
      this.#evictOldest(oldest.account, oldest.control === undefined)
    }
  }

  #accountOf(key: string): AccountJournal {
    const known = this.#accounts.get(key)
    if (known !== undefined) return known
    const account: AccountJournal = { calls: createCallList(), controls: createCallList(), evictedCalls: 0 }
    this.#accounts.set(key, account)
    return account
  }

  /** Evicts the oldest call or control record of an account. */
  #evictOldest(account: AccountJournal, isCall: boolean): void {
    const list = isCall ? account.calls : account.controls
    const oldest = list.first as ListedRecord
    list.remove(oldest)
    this.#removeFromQueue(oldest)
    if (isCall) account.evictedCalls += 1
  }

  #removeFromQueue({ queued }: ListedRecord): void {
    this.#queue.remove(queued)
    this.#bytes -= queued.bytes
  }
}

/** Memory estimate of a JSON value, in bytes. It is rough because it runs on every call; eviction needs no better. */
const estimateBytes = (value: unknown): number => {
  if (typeof value === 'string') return 16 + value.length
  if (value === null || typeof value !== 'object') return 8
  let sum = 32
  for (const name in value) {
    const inner = (value as Readonly<Record<string, unknown>>)[name]
    // A call for each number and text would be most of the work.
    if (typeof inner === 'string') sum += 32 + inner.length
    else sum += typeof inner === 'object' ? 16 + estimateBytes(inner) : 24
  }
  return sum
}

// Approximate memory of a control record besides its input.
const CONTROL_BYTES = 500
