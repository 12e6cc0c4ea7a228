import type {
  AccountRecord,
  CallbackRecord,
  ClockReading,
  PlayingScenario,
  RequestRecord,
  TaskRecord,
} from '../../generated/control-api.js'
import { createCollection } from './collection.js'
import { createListeners, type Observable } from './observable.js'

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
export interface ReceivedClock extends ClockReading {
  readonly receivedAt: number
}

/** What the page knows of the account that it shows. Lists are newest first, and the same array until they change. */
export interface AccountState {
  /** Tag of the account; empty: none is shown yet. */
  readonly account: string
  /** Whether the lists have been read from the server. */
  readonly isLoaded: boolean
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
  /** Counts the messages to boxes of the built-in receiver, and what became of assets. */
  readonly inboxRevision: number
  readonly assetRevision: number
  /** Requests that the server or the page does not hold any more. */
  readonly evictedRequests: number
  readonly evictedCallbacks: number
  /** When a request arrived here, by its id, in milliseconds of this machine; undefined: before the page was opened. */
  readonly arrivedAt: (requestId: string) => number | undefined
}

/** A part of what is read from the server when an account is shown. */
export interface Loaded {
  readonly requests?: { readonly items: readonly RequestRecord[]; readonly evicted: number }
  readonly tasks?: readonly TaskRecord[]
  readonly callbacks?: { readonly items: readonly CallbackRecord[]; readonly evicted: number }
  readonly scenarios?: readonly PlayingScenario[]
  readonly clock?: ClockReading
  readonly record?: AccountRecord
}

export interface Store extends Observable<AccountState> {
  /** Empties the store and shows the account of a tag. */
  begin(account: string): void
  /** Adds what was read from the server; what came by events since is newer and stays. */
  load(loaded: Loaded): void
  /** Says that the lists are whole. */
  loaded(): void
  /** Applies items of the event stream. Those of other accounts are ignored. */
  apply(items: readonly EventItem[]): void
}

interface StoreParts {
  readonly now: () => number
  /** Runs a function soon, after everything that is applied now. */
  readonly schedule?: (run: () => void) => void
  readonly maxRecords?: number
}

/**
 * Store of the page: what it knows of one account, from lists and from events. Listeners are called once for everything
 * that arrives in one go, on a microtask: a tab in the background draws no frames, and would fall behind.
 */
export const createStore = ({ now, schedule = queueMicrotask, maxRecords = 20_000 }: StoreParts): Store => {
  const { notify, subscribe } = createListeners()
  let slots = emptySlots('', maxRecords)
  let state = stateOf(slots)
  let isScheduled = false

  const changed = (): void => {
    // An account that is read again is shown as it was until it is whole.
    if (isScheduled || (!slots.isLoaded && state.isLoaded && state.account === slots.account)) return
    isScheduled = true
    schedule(() => {
      isScheduled = false
      state = stateOf(slots)
      notify()
    })
  }

  const applyItem = (item: EventItem): void => {
    if (item.kind === 'request') slots.requests.put(item.record)
    if (item.kind === 'request') slots.arrivals.set(item.record.id, now())
    if (item.kind === 'task') slots.tasks.put(item.record)
    if (item.kind === 'callback') slots.callbacks.put(item.record)
    if (item.kind === 'clock') slots.clock = { ...item.record, receivedAt: now() }
    if (item.kind === 'account') slots.record = item.record
    if (item.kind === 'scenario') slots.scenarios = item.items
    if (item.kind === 'inbox') slots.inboxRevision += 1
    if (item.kind === 'asset') slots.assetRevision += 1
    if (item.kind === 'gone') slots.tasks.remove(item.id)
  }

  return {
    get: () => state,
    subscribe,
    begin: (account) => {
      slots = emptySlots(account, maxRecords)
      changed()
    },
    load: ({ requests, tasks, callbacks, scenarios, clock, record }) => {
      if (requests !== undefined) slots.requests.load(requests.items)
      if (tasks !== undefined) slots.tasks.load(tasks)
      if (callbacks !== undefined) slots.callbacks.load(callbacks.items)
      slots.evictedRequests = requests?.evicted ?? slots.evictedRequests
      slots.evictedCallbacks = callbacks?.evicted ?? slots.evictedCallbacks
      slots.scenarios = slots.scenarios ?? scenarios
      slots.clock = slots.clock ?? (clock && { ...clock, receivedAt: now() })
      slots.record = slots.record ?? record
      changed()
    },
    loaded: () => {
      slots.isLoaded = true
      changed()
    },
    apply: (items) => {
      const own = items.filter(({ account }) => account === slots.account)
      for (const item of own) applyItem(item)
      if (own.length > 0) changed()
    },
  }
}

/** The changing parts of the store. What is undefined was neither read nor told by an event. */
const emptySlots = (account: string, maxRecords: number) => ({
  account,
  isLoaded: false,
  clock: undefined as ReceivedClock | undefined,
  record: undefined as AccountRecord | undefined,
  scenarios: undefined as readonly PlayingScenario[] | undefined,
  requests: createCollection<RequestRecord>({ idOf, groupOf: taskIn, max: maxRecords }),
  tasks: createCollection<TaskRecord>({ idOf, max: maxRecords }),
  callbacks: createCollection<CallbackRecord>({ idOf, groupOf: ({ taskId }) => taskId, max: maxRecords }),
  arrivals: new Map<string, number>(),
  inboxRevision: 0,
  assetRevision: 0,
  evictedRequests: 0,
  evictedCallbacks: 0,
})

const idOf = ({ id }: { readonly id: string }): string => id

/** The id of the task that a call is about; a call that was refused before its task was looked up ends its path with it. */
export const taskIn = ({ task, path }: RequestRecord): string => task ?? path.slice(path.lastIndexOf('/') + 1)

const NO_SCENARIOS: readonly PlayingScenario[] = []

const stateOf = (slots: ReturnType<typeof emptySlots>): AccountState => ({
  ...slots,
  requests: slots.requests.list(),
  tasks: slots.tasks.list(),
  callbacks: slots.callbacks.list(),
  scenarios: slots.scenarios ?? NO_SCENARIOS,
  evictedRequests: slots.evictedRequests + slots.requests.dropped(),
  evictedCallbacks: slots.evictedCallbacks + slots.callbacks.dropped(),
  hasTask: (id) => slots.tasks.get(id) !== undefined,
  requestsOf: slots.requests.group,
  callbacksOf: slots.callbacks.group,
  arrivedAt: (id) => slots.arrivals.get(id),
})
