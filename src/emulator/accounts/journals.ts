import type { EventEmitter } from 'node:events'
import type { Events } from '../core/events.js'
import type { ControlRecord, InitialState, JournalEntry } from '../core/journal/entry.js'
import { createCallList, createJournal, factsOf, type Journal, JournalItem } from '../core/journal/journal.js'
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

type CallList<T extends JournalItem> = ReturnType<typeof createCallList<T>>

export type JournalStore = ReturnType<typeof createJournalStore>

/**
 * Journals of all accounts, with an eviction queue that they share: the oldest call or control record of an account goes
 * when it has too many, and the oldest of all when they take too many bytes.
 */
export const createJournalStore = (
  { journalEntries, journalBytes, journalBodyBytes }: Settings,
  events: EventEmitter<Events>,
  quotas: QuotaReporter,
) => {
  const accounts = new Map<string, AccountJournal>()
  const initialStates = new Map<string, InitialState>()
  const followers = new Set<JournalListener>()
  const queue = createCallList<QueuedRecord>()
  let bytes = 0
  let sequence = 0
  quotas.measure({
    'journal-bytes': () => bytes,
    'journal-entries': () =>
      [...accounts.values()].reduce((size, { calls }) => Math.max(size, calls.size), 0),
  })

  const accountOf = (key: string): AccountJournal => {
    const known = accounts.get(key)
    if (known !== undefined) return known
    const account: AccountJournal = { calls: createCallList(), controls: createCallList(), evictedCalls: 0 }
    accounts.set(key, account)
    return account
  }

  const removeFromQueue = ({ queued }: ListedRecord): void => {
    queue.remove(queued)
    bytes -= queued.bytes
  }

  /** Evicts the oldest call or control record of an account. */
  const evictOldest = (account: AccountJournal, isCall: boolean): void => {
    const list = isCall ? account.calls : account.controls
    const oldest = list.first as ListedRecord
    list.remove(oldest)
    removeFromQueue(oldest)
    if (isCall) account.evictedCalls += 1
  }

  const append = (
    key: string,
    { entry, control }: { readonly entry?: JournalEntry; readonly control?: ControlRecord },
    recordBytes: number,
  ): void => {
    const account = accountOf(key)
    const list = control === undefined ? account.calls : account.controls
    const facts = entry === undefined ? undefined : factsOf(entry)
    if (list.size >= journalEntries) {
      if (control === undefined) quotas.hit('journal-entries')
      evictOldest(account, control === undefined)
    }
    const queued = queue.add(new QueuedRecord(entry, control, account, recordBytes), facts)
    list.add(new ListedRecord(queued), facts)
    bytes += recordBytes
    // The oldest record of all is the oldest of its kind in its account.
    for (let oldest = queue.first; bytes > journalBytes && oldest !== undefined; oldest = queue.first) {
      quotas.hit('journal-bytes')
      evictOldest(oldest.account, oldest.control === undefined)
    }
  }

  /** Removes the calls and control records of an account. */
  const clear = (key: string): void => {
    const { calls, controls } = accountOf(key)
    for (const listed of [...calls.values(), ...controls.values()]) removeFromQueue(listed)
    accounts.delete(key)
  }

  const nextSequence = (): number => {
    sequence += 1
    return sequence
  }

  return {
    /**
     * Numbers what is done to any account. The number is taken within the transaction: an answer, and the end of an action, can
     * come after those of later ones.
     */
    nextSequence,
    /**
     * Records a call. A journal that was begun anew since the decision has no calls of the account of before.
     * @param initialState with which it had begun; undefined: that does not matter
     * @param wholeEntry makes the entry with its whole body, for listeners
     */
    record: (
      entry: JournalEntry,
      initialState: InitialState | undefined,
      wholeEntry: () => JournalEntry,
    ): void => {
      if (initialState !== undefined && initialStates.get(entry.account) !== initialState) return
      append(entry.account, { entry }, sizeOf(entry, journalBodyBytes))
      events.emit('request', entry)
      if (followers.size === 0) return
      const whole = wholeEntry()
      for (const follower of followers) follower.call(whole)
    },
    /** The entry of a call as text, for other replicas. */
    textOf: textOfEntry,
    /** Adds the entry of a call that another replica has answered. */
    addText: (key: string, text: string): void => {
      const entry: JournalEntry = { ...entryOfText(text), sequence: nextSequence() }
      append(key, { entry }, 2 * text.length)
      events.emit('request', entry)
    },
    /** An account has been opened. */
    opened: (key: string, initialState: InitialState): void => {
      initialStates.set(key, initialState)
      events.emit('account', { account: key })
      for (const follower of followers) follower.opened(key, initialState)
    },
    /** Something has been done to an account. */
    controlled: (key: string, control: ControlRecord): void => {
      append(key, { control }, CONTROL_BYTES + estimateBytes(control.input))
      for (const follower of followers) follower.controlled(key, control)
    },
    journalOf: (key: string): Journal => {
      const account = accounts.get(key)
      return createJournal(account?.calls, account?.evictedCalls)
    },
    /** A page of the calls of all accounts. */
    page: createJournal(queue).page,
    /** Initial state of an account; undefined: it is not open. */
    initialStateOf: (key: string): InitialState | undefined => initialStates.get(key),
    /** Oldest first; at most as many as the journal keeps calls. */
    controlsOf: (key: string): readonly ControlRecord[] =>
      [...(accounts.get(key)?.controls.values() ?? [])].flatMap(({ queued }) => queued.control ?? []),
    clear,
    forget: (key: string): void => {
      clear(key)
      const wasOpen = initialStates.delete(key)
      events.emit('account', { account: key })
      if (wasOpen) for (const follower of followers) follower.forgotten(key)
    },
    /** Subscribes a listener to everything from now on; returns what ends the subscription. */
    follow: (follower: JournalListener): (() => void) => {
      followers.add(follower)
      return () => void followers.delete(follower)
    },
  }
}

// JSON has no maps. Only the resolved media of a call are one: a replacer that looks at each value takes most of the time.
const textOfEntry = (entry: JournalEntry): string => {
  const { sent } = entry
  return JSON.stringify(sent === undefined ? entry : { ...entry, sent: { ...sent, found: [...sent.found] } })
}

const entryOfText = (text: string): JournalEntry => {
  const entry = JSON.parse(text)
  const { sent } = entry
  return sent === undefined ? entry : { ...entry, sent: { ...sent, found: new Map(sent.found) } }
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
