import type { Advanced, ClockChange } from '../../generated/control-api.js'
import { type ActionInput, type ActionName, type ActionOutput, type Api, ApiError } from './api.js'
import { createLive, type Live } from './live.js'
import { createValue, type Observable } from './observable.js'
import type { Router } from './router.js'
import type { Store } from './store.js'

export type AccountEntry = ActionOutput<'accounts.list'>['items'][number]

/** What is known of the emulator and its accounts, and what the page has to say about them. */
export interface SessionState {
  readonly accounts: readonly AccountEntry[]
  /** The account that is shown; undefined: there is none yet, or it is gone. */
  readonly account: AccountEntry | undefined
  /** Tag in the address of the page of an account that does not exist; empty: none. */
  readonly missing: string
  readonly version: string
  /** Setting of the emulator; undefined: it has not said yet. */
  readonly seed: number | undefined
}

/** The latest move of the clock by this page. */
export interface ClockMove {
  readonly from: string
  readonly advanced: Advanced
}

export interface Session {
  readonly state: Observable<SessionState>
  readonly live: Live
  /** Undefined: this page has moved no clock yet, or another account is shown since. */
  readonly lastMove: Observable<ClockMove | undefined>
  /** Whether the clock is being moved by this page. */
  readonly isMoving: Observable<boolean>
  start(): void
  /** Shows an account. */
  choose(tag: string): void
  /** Reads the list of accounts again. */
  refreshAccounts(): Promise<void>
  /** Reads everything of the account again. */
  reload(): Promise<void>
  /** Does an action of the control API for the account that is shown. @throws ApiError */
  invoke<N extends ActionName>(name: N, input: ActionInput<N>): Promise<ActionOutput<N>>
  advance(how: ActionInput<'clock.advance'>): Promise<void>
  changeClock(change: ClockChange): Promise<void>
}

interface SessionParts {
  readonly api: Api
  readonly store: Store
  readonly router: Router
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Called when the server is of another version than the page. */
  readonly reloadPage: () => void
  /** Called with an error that nothing else shows. */
  readonly report: (error: unknown) => void
}

/** Small, so that a page and what is drawn of it hold up nothing. */
const PAGE_SIZE = 250
const MAX_LOADED = 20_000
/** Of an emulator without accounts. */
const DEFAULT_KEY = 'default'

/** Session of the page: the account in its address, its lists, and the event stream that keeps them current. */
export const createSession = ({ api, store, router, wait, reloadPage, report }: SessionParts): Session => {
  const nothing = { accounts: [], account: undefined, missing: '', version: '', seed: undefined }
  const state = createValue<SessionState>(nothing)
  const lastMove = createValue<ClockMove | undefined>(undefined)
  const isMoving = createValue(false)
  let instance = ''
  let loading = 0

  const key = (): string => state.get().account?.key ?? DEFAULT_KEY
  const invoke = <N extends ActionName>(name: N, input: ActionInput<N>): Promise<ActionOutput<N>> =>
    api.invoke(name, input, key())

  const refreshAccounts = async (): Promise<void> => {
    const { items } = await api.invoke('accounts.list', {}, undefined)
    const wanted = router.get().query.account
    const found = items.find(({ tag }) => tag === wanted)
    const account = wanted === undefined ? (state.get().account ?? firstOf(items)) : found
    const missing = wanted !== undefined && found === undefined ? wanted : ''
    state.set({ ...state.get(), accounts: items, account, missing })
  }

  /** Pages of a list, one at each call; undefined after the last one. */
  const pagesOf = <N extends 'tasks.list' | 'requests.list' | 'callbacks.list'>(name: N) => {
    let [offset, total] = [0, 1]
    return async (): Promise<ActionOutput<N> | undefined> => {
      if (offset >= Math.min(total, MAX_LOADED)) return undefined
      const page = await invoke(name, { limit: PAGE_SIZE, offset } as ActionInput<N>)
      offset += PAGE_SIZE
      total = page.total
      return page
    }
  }

  const reload = async (): Promise<void> => {
    loading += 1
    const mine = loading
    const isCurrent = () => mine === loading
    const { account } = state.get()
    store.begin(account?.tag ?? '')
    if (account === undefined) return store.loaded()
    const [clock, record, scenarios] = await Promise.all([
      invoke('clock.read', {}),
      invoke('account.read', {}),
      invoke('scenario.read', {}),
    ])
    if (isCurrent()) store.load({ clock, record, scenarios: scenarios.items })
    const lists = [pagesOf('tasks.list'), pagesOf('requests.list'), pagesOf('callbacks.list')] as const
    while (isCurrent()) {
      const [tasks, requests, callbacks] = await Promise.all([lists[0](), lists[1](), lists[2]()])
      if (!isCurrent()) return
      if (!tasks && !requests && !callbacks) return store.loaded()
      store.load({ tasks: tasks?.items, requests, callbacks })
    }
  }

  const show = (): Promise<void> => refreshAccounts().then(reload).catch(report)

  const live = createLive({
    wait,
    open: (lastEventId, signal) => {
      const { account } = state.get()
      // Without an account the page waits for the first one.
      const path = account === undefined ? '/events?all=1' : `/events?account=${account.tag}`
      const headers: Record<string, string> =
        lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
      return api.request(path, account?.key, { signal, headers })
    },
    onHello: (hello) => {
      const { version } = state.get()
      if (version !== '' && version !== hello.version) return reloadPage()
      const isOther = hello.instance !== instance
      instance = hello.instance
      state.set({ ...state.get(), version: hello.version, seed: hello.seed })
      if (isOther) void show()
    },
    onItems: (items) => {
      if (state.get().account === undefined) return void followFirst()
      store.apply(items)
      if (items.some(({ kind, account }) => kind === 'reset' && account === store.get().account)) void show()
    },
    onReload: () => void show(),
  })

  const connect = async (): Promise<void> => {
    lastMove.set(undefined)
    await show()
    live.restart()
  }

  const followFirst = async (): Promise<void> => {
    await refreshAccounts().catch(report)
    if (state.get().account !== undefined) await connect()
  }

  router.subscribe(() => {
    const { account } = router.get().query
    const { account: current, missing } = state.get()
    if (account !== undefined && account !== current?.tag && account !== missing) void connect()
  })

  const advance: Session['advance'] = async (how) => {
    const from = store.get().clock?.now
    // Without an account there is no clock yet: the call would open the account of the default key.
    if (from === undefined) return
    isMoving.set(true)
    try {
      const advanced = await invoke('clock.advance', how)
      lastMove.set({ from, advanced })
      await readClock()
    } finally {
      isMoving.set(false)
    }
  }

  const readClock = async (): Promise<void> => {
    const tag = store.get().account
    store.apply([{ kind: 'clock', account: tag, record: await invoke('clock.read', {}) }])
  }

  return {
    state,
    live,
    lastMove,
    isMoving,
    invoke,
    refreshAccounts,
    reload,
    choose: (tag) => (tag === state.get().account?.tag ? undefined : router.go({ query: { account: tag } })),
    advance,
    changeClock: async (change) => {
      await invoke('clock.change', change)
      await readClock()
    },
    // The first message of the stream names an emulator that the page has not seen, and everything is read.
    start: () =>
      void refreshAccounts()
        .catch((error) => (error instanceof ApiError && error.status === 0 ? undefined : report(error)))
        .then(live.start),
  }
}

/** The account that is shown where the address names none: the first one with traffic. */
const firstOf = (accounts: readonly AccountEntry[]): AccountEntry | undefined =>
  accounts.find(({ tasks, ordinal }) => tasks > 0 || ordinal > 0) ?? accounts[0]
