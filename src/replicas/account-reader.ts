import type { Batch } from '../accounts/persistence/records.js'
import type {
  LogEntry,
  Position,
  SharedLog,
  SharedStoreParts,
  StoredEvent,
} from '../accounts/persistence/shared-log.js'
import { TrackedAccount } from '../accounts/tracked.js'
import type { Account, AccountEvent } from '../core/model/account.js'
import { applyBatch, loadAccount, type Scenarios } from './apply-batch.js'

/** Cached account: the state that the log has at a position. */
export interface CachedAccount {
  readonly tracked: TrackedAccount
  readonly scenarios: Scenarios
  inFlight: InFlight
  position: Position
  /** Mark of the entry at the position. */
  mark: string
  writer: string
  /** When it was appended, by the store's time. */
  at: number
  /** Whether the notes of the account are in memory. They are read when they are needed first. */
  hasNotes: boolean
  /** Generation of the connection in which the store was seen to have that entry. */
  generation: number
  /** When other replicas have to take it over, as the store has it; undefined: unknown. */
  dueAt: number | null | undefined
}

type ReaderParts = Pick<
  SharedStoreParts,
  'open' | 'exposureOf' | 'maxCallbacks' | 'onLoaded' | 'onAppended' | 'onLost'
>

/** Account reader: loads accounts from a shared log, and detects where the store has lost a part of it. */
export const createAccountReader = (log: SharedLog, parts: ReaderParts) => {
  const { open, exposureOf, maxCallbacks, onLoaded, onAppended, onLost } = parts

  /** Loads an account, which is opened where the store has none. @throws EmulatorError `store-gap` */
  const load = async (key: string): Promise<CachedAccount> => {
    const { generation } = log
    const loaded = await log.load(key)
    const batches = loaded.batches.map(({ batch }) => batch)
    const now = log.now()
    const build = () => loadAccount(key, batches, { maxCallbacks, now })
    const found = build()
    const { account: stored } = found
    if (stored !== undefined) onLoaded(stored, () => build().account ?? stored)
    const account = found.account ?? open(key)
    const epoch = found.account === undefined ? await log.open(key, account.id) : 0
    let inFlight: InFlight = new Map()
    for (const one of loaded.batches) inFlight = inFlightAfter(inFlight, one.batch, writerOf(one), one.at)
    const tracked = new TrackedAccount(
      account,
      found.account === undefined ? 'unlogged' : 'logged',
      exposureOf,
    )
    return {
      tracked,
      scenarios: found.scenarios,
      inFlight,
      generation,
      position: loaded.position ?? { epoch, n: 0 },
      mark: loaded.mark,
      writer: loaded.writer,
      at: loaded.batches.at(-1)?.at ?? log.now(),
      hasNotes: found.account === undefined,
      dueAt: undefined,
    }
  }

  // An attempt of this replica whose append was not confirmed is in flight nowhere.
  const writerOf = ({ writer }: { readonly writer: string }): string => (writer === log.replica ? '' : writer)

  /** Applies the new entries of the log. False: the account has to be loaded again. */
  const catchUp = async (cached: CachedAccount): Promise<boolean> => {
    const { generation } = log
    const { key } = cached.tracked.account
    const isUnseen = cached.generation !== generation && cached.position.n > 0
    const mark = isUnseen ? cached.mark : undefined
    const entries = await log.readAfter(key, cached.position, { mark, hasNotes: cached.hasNotes })
    if (entries === 'replaced') onLost()
    if (entries === 'gap' && isUnseen) await checkTail(key, cached)
    if (entries === 'gap' || entries === 'replaced') return false
    cached.generation = generation
    for (const entry of entries) {
      if (entry.previous !== cached.mark) {
        onLost()
        return false
      }
      if (!applyEntry(cached, entry)) return false
    }
    return true
  }

  // A log that was trimmed, or has expired, is no loss; one that ends before the cached position is.
  const checkTail = async (key: string, { position: { epoch, n }, at }: CachedAccount): Promise<void> => {
    const { position } = await log.load(key)
    if (position === undefined && log.canHaveExpired(at)) return
    if (position === undefined || position.epoch < epoch || (position.epoch === epoch && position.n < n))
      onLost()
  }

  const applyEntry = (cached: CachedAccount, entry: LogEntry): boolean => {
    const { tracked, scenarios } = cached
    const { account } = tracked
    if (!applyBatch(account, entry.batch, scenarios)) return false
    tracked.takeChanges(entry.at)
    const { position, mark, writer, at } = entry
    const inFlight = inFlightAfter(cached.inFlight, entry.batch, writerOf(entry), at)
    Object.assign(cached, { position, mark, writer, at, inFlight, dueAt: undefined })
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
export const inFlightAfter = (before: InFlight, batch: Batch, writer: string, since: number): InFlight => {
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
