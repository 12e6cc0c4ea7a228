import {
  applyBatch,
  type EntryHead,
  type LogEntry,
  loadAccount,
  type Scenarios,
  type SharedLog,
  type SharedStoreParts,
  type StoredEvent,
  TrackedAccount,
} from '../emulator/surface/persistence.js'
import type { Account, AccountEvent } from '../emulator/surface/records.js'

/** Cached account: the state that the log has at its latest entry. */
export interface CachedAccount {
  readonly tracked: TrackedAccount
  readonly scenarios: Scenarios
  inFlight: InFlight
  /** Entry up to which the account is current. */
  latest: EntryHead
  /** Whether the notes of the account are in memory. They are read when they are needed first. */
  hasNotes: boolean
  /** Generation of the connection in which the store was seen to have that entry. */
  generation: number
  /** When other replicas have to take it over, as the store has it, or undefined where that is unknown. */
  dueAt: number | null | undefined
}

/** Head of an entry alone, so that its batch does not stay in memory. */
export const headOf = ({ position, mark, writer, at }: EntryHead): EntryHead => ({
  position,
  mark,
  writer,
  at,
})

type ReaderParts = Pick<
  SharedStoreParts,
  'open' | 'exposureOf' | 'maxCallbacks' | 'onLoaded' | 'onAppended' | 'onLost'
>

/** Account reader: loads accounts from a shared log, and detects where the store has lost a part of it. */
export interface AccountReader {
  /** Loads an account, which is opened where the store has none. @throws EmulatorError `store-gap` */
  load(key: string): Promise<CachedAccount>
  /** Applies the new entries of the log. False: the account has to be loaded again. */
  catchUp(cached: CachedAccount): Promise<boolean>
}

export const createAccountReader = (log: SharedLog, parts: ReaderParts): AccountReader => {
  const { open, exposureOf, maxCallbacks, onLoaded, onAppended, onLost } = parts

  const load = async (key: string): Promise<CachedAccount> => {
    const { generation } = log
    const { latest, batches } = await log.load(key)
    const now = log.now()
    const build = () => loadAccount(key, batches, { maxCallbacks, now })
    const { account: stored, scenarios } = build()
    if (stored !== undefined) onLoaded(stored, () => build().account ?? stored)
    const account = stored ?? open(key)
    const epoch = stored === undefined ? await log.open(key) : 0
    return {
      tracked: new TrackedAccount(account, stored === undefined ? 'unlogged' : 'logged', exposureOf),
      scenarios,
      inFlight: batches.map(withLiveWriter).reduce(inFlightAfter, new Map()),
      generation,
      latest: headOf(latest ?? { position: { epoch, n: 0 }, mark: '', writer: '', at: now }),
      hasNotes: stored === undefined,
      dueAt: undefined,
    }
  }

  // An attempt of this replica whose append was not confirmed is in flight nowhere.
  const withLiveWriter = <E extends Pick<LogEntry, 'writer'>>(entry: E): E =>
    entry.writer === log.replica ? { ...entry, writer: '' } : entry

  const catchUp = async (cached: CachedAccount): Promise<boolean> => {
    const { generation } = log
    const { latest } = cached
    const { key } = cached.tracked.account
    const isUnseen = cached.generation !== generation && latest.position.n > 0
    const mark = isUnseen ? latest.mark : undefined
    const entries = await log.readAfter(key, latest.position, { mark, hasNotes: cached.hasNotes })
    if (entries === 'replaced') onLost()
    if (entries === 'gap' && isUnseen) await checkTail(key, latest)
    if (entries === 'gap' || entries === 'replaced') return false
    cached.generation = generation
    return entries.every((entry) => applyEntry(cached, entry))
  }

  // A log that was trimmed, or has expired, is no loss; one that ends before the cached position is.
  const checkTail = async (key: string, { position: { epoch, n }, at }: EntryHead): Promise<void> => {
    const { latest } = await log.load(key)
    if (latest === undefined && log.canHaveExpired(at)) return
    const { position } = latest ?? {}
    if (position === undefined || position.epoch < epoch || (position.epoch === epoch && position.n < n))
      onLost()
  }

  /** Applies one entry. False: it does not follow the latest one, or cannot be applied. */
  const applyEntry = (cached: CachedAccount, entry: LogEntry): boolean => {
    const { tracked, scenarios, latest } = cached
    const { account } = tracked
    if (entry.previous !== latest.mark) {
      onLost()
      return false
    }
    if (!applyBatch(account, entry.batch, scenarios)) return false
    tracked.takeChanges(entry.at)
    const inFlight = inFlightAfter(cached.inFlight, withLiveWriter(entry))
    Object.assign(cached, { latest: headOf(entry), inFlight, dueAt: undefined })
    const events = entry.events.map((event) => eventOf(account, event))
    onAppended(account.key, events, entry.notes)
    return true
  }

  return { load, catchUp }
}

/** Event as an entry holds it. Its task or callback is the account's own once the batch is applied. */
export const storedEvent = ({ at, kind, id, detail }: AccountEvent): StoredEvent => [at, kind, id, detail]

const eventOf = ({ tasks, callbacks }: Account, [at, kind, id, detail]: StoredEvent): AccountEvent => {
  const task = kind === 'task' ? tasks.get(id) : undefined
  const callback = kind === 'callback' ? callbacks.log.get(id) : undefined
  return { at, kind, id, detail, task, callback }
}

/** Attempt to deliver a callback whose result is not in the log. */
interface PendingAttempt {
  /** Entry of the queue under which it was taken. */
  readonly entry: number
  /** Id of the replica that sends it; empty: no replica knows of it. */
  readonly writer: string
  /** When it was appended, by the store's time. */
  readonly since: number
}

/** Attempts of an account that are in flight, by task id. */
export type InFlight = ReadonlyMap<string, PendingAttempt>

/** Attempts in flight after a batch: the first callback of a queue is being sent where the queue is due at no instant. */
export const inFlightAfter = (
  before: InFlight,
  { batch, writer, at: since }: Pick<LogEntry, 'batch' | 'writer' | 'at'>,
): InFlight => {
  const queues = batch.filter((record) => record[0] === 'correspondence')
  if (queues.length === 0) return before
  const after = new Map(before)
  for (const [, taskId, queue] of queues) {
    if (queue === null || queue.dueAt !== null || queue.waiting.length === 0) after.delete(taskId)
    else if (after.get(taskId)?.entry !== queue.entry)
      after.set(taskId, { entry: queue.entry, writer, since })
  }
  return after
}
