import type {
  AccountRecord,
  CallbackRecord,
  ClockReading,
  PlayingScenario,
  RequestRecord,
  TaskRecord,
} from '../../generated/control-api.js'
import { type Collection, createCollection } from './collection.js'
import { createValue, type Observable } from './observable.js'

/** An item of a batch of the event stream. `account` is the tag of an account. */
export type EventItem = { readonly account: string } & (
  | { readonly kind: 'request'; readonly record: RequestRecord }
  | { readonly kind: 'task'; readonly record: TaskRecord }
  | { readonly kind: 'callback'; readonly record: CallbackRecord }
  | { readonly kind: 'clock'; readonly record: ClockReading }
  | { readonly kind: 'account'; readonly record: AccountRecord }
  | { readonly kind: 'scenario'; readonly items: readonly PlayingScenario[] }
  | { readonly kind: 'inbox'; readonly name: string }
  | { readonly kind: 'asset'; readonly id: string; readonly detail: string }
  | { readonly kind: 'gone'; readonly id: string }
  | { readonly kind: 'reset' }
)

/** A clock reading with the time of this machine at which it arrived, so that a live clock can be shown between readings. */
interface ReceivedClock extends ClockReading {
  readonly receivedAt: number
}

/** What the page knows of the account that it shows. Lists are newest first, and the same array until they change. */
export interface AccountState {
  /** Tag of the account; empty: none is shown yet. */
  readonly tag: string
  /** Whether the lists have been read from the server. */
  readonly isLoaded: boolean
  /** Records that were read so far, and how many there are, or undefined where nothing is being read. */
  readonly reading: ReadingProgress | undefined
  readonly clock: ReceivedClock | undefined
  readonly record: AccountRecord | undefined
  readonly requests: readonly RequestRecord[]
  readonly tasks: readonly TaskRecord[]
  readonly callbacks: readonly CallbackRecord[]
  readonly hasTask: (id: string) => boolean
  /** The calls about a task. */
  readonly requestsOf: (taskId: string) => readonly RequestRecord[]
  readonly callbacksOf: (taskId: string) => readonly CallbackRecord[]
  readonly scenarios: readonly PlayingScenario[]
  /** Changes when boxes of the built-in receiver may have changed. */
  readonly inboxRevision: number
  /** Changes when an asset may have changed. */
  readonly assetRevision: number
  /** Requests that the server or the page does not hold any more. */
  readonly evictedRequests: number
  readonly evictedCallbacks: number
  /** When a request arrived here, by its id, in milliseconds of this machine, or undefined where it arrived before the page was opened. */
  readonly arrivedAt: (requestId: string) => number | undefined
}

/** How far the lists of an account have been read. */
interface ReadingProgress {
  readonly read: number
  readonly total: number
}

/** A part of what is read from the server when an account is shown. */
interface LoadedPart {
  readonly requests?: { readonly items: readonly RequestRecord[]; readonly evicted: number }
  readonly tasks?: readonly TaskRecord[]
  readonly callbacks?: { readonly items: readonly CallbackRecord[]; readonly evicted: number }
  readonly scenarios?: readonly PlayingScenario[]
  readonly clock?: ClockReading
  readonly record?: AccountRecord
  readonly reading?: ReadingProgress
}

/**
 * Store of the page: what it knows of one account, from lists and from events. Listeners are called once for everything
 * that arrives in one go, on a microtask: a tab in the background draws no frames, and would fall behind.
 */
export interface Store extends Observable<AccountState> {
  /** Empties the store and shows the account of a tag, whose journal keeps so many calls. */
  reset(tag: string, journalEntries?: number): void
  /** Adds what was read from the server; what came by events since is newer and stays. */
  load(part: LoadedPart): void
  /** Marks the lists as complete. */
  finishLoading(): void
  /** Applies items of the event stream. Those of other accounts are ignored. */
  apply(items: readonly EventItem[]): void
}

interface StoreParts {
  readonly now: () => number
  /** Runs a function soon, after everything that is applied now. */
  readonly schedule?: (run: () => void) => void
  readonly maxRecords?: number
}

/** Store that shows no account yet. */
export const createStore = ({ now, schedule = queueMicrotask, maxRecords = 20_000 }: StoreParts): Store => {
  let data = createData('', maxRecords)
  const state = createValue(stateOf(data))
  let isScheduled = false

  const publish = (): void => {
    // An account that is read again is shown as it was until its lists are complete.
    const isReload = !data.isLoaded && state.get().isLoaded && state.get().tag === data.tag
    if (isScheduled || isReload) return
    isScheduled = true
    schedule(() => {
      isScheduled = false
      state.set(stateOf(data))
    })
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    reset: (tag, journalEntries = maxRecords) => {
      const maxRequests = Math.min(maxRecords, journalEntries)
      const { inboxRevision, assetRevision } = data
      data = {
        ...createData(tag, maxRecords, maxRequests),
        inboxRevision: inboxRevision + 1,
        assetRevision: assetRevision + 1,
      }
      publish()
    },
    load: ({ requests, tasks, callbacks, scenarios, clock, record, reading }) => {
      if (requests !== undefined) data.requests.load(requests.items)
      if (tasks !== undefined) data.tasks.load(tasks.filter(({ id }) => !data.gone.has(id)))
      if (callbacks !== undefined) data.callbacks.load(callbacks.items)
      data.evictedRequests = requests?.evicted ?? data.evictedRequests
      data.evictedCallbacks = callbacks?.evicted ?? data.evictedCallbacks
      data.scenarios ??= scenarios
      data.clock ??= clock && { ...clock, receivedAt: now() }
      data.record ??= record
      data.reading = reading ?? data.reading
      publish()
    },
    finishLoading: () => {
      data.isLoaded = true
      data.reading = undefined
      publish()
    },
    apply: (items) => {
      const own = items.filter(({ account }) => account === data.tag)
      for (const item of own) applyItem(data, item, now)
      if (own.length > 0) publish()
    },
  }
}

/** The mutable data of the store. What is undefined was neither read nor told by an event. */
interface Data {
  readonly tag: string
  isLoaded: boolean
  reading: ReadingProgress | undefined
  clock: ReceivedClock | undefined
  record: AccountRecord | undefined
  scenarios: readonly PlayingScenario[] | undefined
  readonly requests: Collection<RequestRecord>
  readonly tasks: Collection<TaskRecord>
  readonly callbacks: Collection<CallbackRecord>
  /** Tasks that were deleted while the lists are read: a page that was answered before still has them. */
  readonly gone: Set<string>
  readonly arrivals: WeakMap<RequestRecord, number>
  inboxRevision: number
  assetRevision: number
  evictedRequests: number
  evictedCallbacks: number
}

const createData = (tag: string, maxRecords: number, maxRequests = maxRecords): Data => ({
  tag,
  isLoaded: false,
  reading: undefined,
  clock: undefined,
  record: undefined,
  scenarios: undefined,
  requests: createCollection<RequestRecord>({ idOf, groupOf: taskIn, max: maxRequests }),
  tasks: createCollection<TaskRecord>({ idOf, max: maxRecords }),
  callbacks: createCollection<CallbackRecord>({ idOf, groupOf: ({ taskId }) => taskId, max: maxRecords }),
  gone: new Set(),
  arrivals: new WeakMap<RequestRecord, number>(),
  inboxRevision: 0,
  assetRevision: 0,
  evictedRequests: 0,
  evictedCallbacks: 0,
})

const applyItem = (data: Data, item: EventItem, now: () => number): void => {
  if (item.kind === 'request') {
    data.requests.put(item.record)
    data.arrivals.set(item.record, now())
  }
  if (item.kind === 'task') data.tasks.put(item.record)
  if (item.kind === 'callback') data.callbacks.put(item.record)
  if (item.kind === 'clock') data.clock = { ...item.record, receivedAt: now() }
  if (item.kind === 'account') data.record = item.record
  if (item.kind === 'scenario') data.scenarios = item.items
  if (item.kind === 'inbox') data.inboxRevision += 1
  if (item.kind === 'asset') data.assetRevision += 1
  if (item.kind === 'gone') {
    data.tasks.remove(item.id)
    if (!data.isLoaded) data.gone.add(item.id)
  }
}

const idOf = ({ id }: { readonly id: string }): string => id

/** The id of the task that a call is about. One that was answered before its task was looked up has it last in its path. */
export const taskIn = ({ task, path }: RequestRecord): string =>
  task ?? path.replace(/\/content$/, '').replace(/^.*\//s, '')

const NO_SCENARIOS: readonly PlayingScenario[] = []

const stateOf = (data: Data): AccountState => ({
  ...data,
  requests: data.requests.list(),
  tasks: data.tasks.list(),
  callbacks: data.callbacks.list(),
  scenarios: data.scenarios ?? NO_SCENARIOS,
  evictedRequests: data.evictedRequests + data.requests.dropped(),
  evictedCallbacks: data.evictedCallbacks + data.callbacks.dropped(),
  hasTask: (id) => data.tasks.get(id) !== undefined,
  requestsOf: data.requests.group,
  callbacksOf: data.callbacks.group,
  arrivedAt: (id) => data.arrivals.get(data.requests.get(id) as RequestRecord),
})
