import type { Advanced, ClockChange } from '../../generated/control-api.js'
import { routes } from '../../generated/routes.js'
import { type ActionInput, type ActionName, type ActionOutput, type Api, ApiError } from './api.js'
import { createLive, MAX_PAUSE_MS } from './live.js'
import { createValue } from './observable.js'
import type { Router } from './router.js'
import type { Store } from './store.js'

type AccountEntry = ActionOutput<'accounts.list'>['items'][number]

/** What is known of the emulator and its accounts, and what the page has to say about them. */
interface SessionState {
  readonly accounts: readonly AccountEntry[]
  /** The account that is shown, or undefined where there is none yet, or it is gone. */
  readonly account: AccountEntry | undefined
  /** Tag in the address of the page of an account that does not exist; empty: none. */
  readonly missing: string
  readonly version: string
  /** Setting of the emulator, or undefined where it has not said yet. */
  readonly seed: number | undefined
}

/** The latest move of the clock by this page. */
interface ClockMove {
  readonly from: string
  readonly advanced: Advanced
}

interface SessionParts {
  readonly api: Api
  readonly store: Store
  readonly router: Router
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Called when the server is of another version than the page. */
  readonly reloadPage: () => void
  /** Called when another process than before answers. */
  readonly onRestart?: () => void
  /** Called with an error that nothing else shows. */
  readonly onError: (error: unknown) => void
}

/** Records of the first page of each list, which is drawn at once. */
const FIRST_PAGE_SIZE = 250
/** Records of a later page: so few that it and what is drawn of it hold up nothing. */
const PAGE_SIZE = 500
const MAX_LOADED = 20_000
/** Key of the account that calls open where there is none. */
export const DEFAULT_KEY = 'default'

/** Session of the page: the account in its address, its lists, and the event stream that keeps them current. */
export const createSession = ({ api, store, router, wait, reloadPage, onError, onRestart }: SessionParts) => {
  const initial = { accounts: [], account: undefined, missing: '', version: '', seed: undefined }
  const state = createValue<SessionState>(initial)
  /** Undefined where this page has moved no clock yet, or the account has begun anew or is another one since. */
  const lastMove = createValue<ClockMove | undefined>(undefined)
  /** Whether the clock is being moved by this page. */
  const isMoving = createValue(false)
  let instance = ''
  /** Instance of the latest hello; empty: there was none. */
  let process = ''
  let journalEntries = 0
  let loads = 0

  /** Invokes an action of the control API for the account that is shown. @throws ApiError */
  const invoke = async <N extends ActionName>(name: N, input: ActionInput<N>): Promise<ActionOutput<N>> => {
    const isRead = readsAccount(name)
    if (isRead && live.get().status !== 'live') await refreshAccounts()
    const { account } = state.get()
    if (isRead && account === undefined)
      throw new ApiError(404, 'There is no account yet.', 'The first call with any API key opens one.')
    return api.invoke(name, input, account?.key ?? DEFAULT_KEY)
  }

  /** Reads the list of accounts again. */
  const refreshAccounts = async (): Promise<void> => {
    const { items } = await api.invoke('accounts.list', {})
    const requested = router.get().query.account
    const { account: shown } = state.get()
    const wanted = requested ?? shown?.tag
    // One that was reset goes on being shown. Another emulator, behind a new connection, does not have it.
    const kept = live.get().status === 'live' && shown?.tag === wanted ? shown : undefined
    const fallback = requested === undefined ? defaultAccount(items) : undefined
    const account = items.find(({ tag }) => tag === wanted) ?? kept ?? fallback
    // A load would go on with the other key. The first message of the next stream has everything read.
    if (account?.tag !== shown?.tag) {
      loads += 1
      instance = ''
    }
    const missing = account === undefined ? (requested ?? '') : ''
    state.set({ ...state.get(), accounts: items, account, missing })
    nameAccount()
  }

  // A reload, or another user, would get the row of another account otherwise.
  const nameAccount = (): void => {
    const { id, query } = router.get()
    const { account } = state.get()
    if (id !== '' && account !== undefined && query.account === undefined)
      router.filter({ account: account.tag })
  }

  /** Pages of a list, one at each call; undefined after the last one. */
  const pagesOf = <N extends 'tasks.list' | 'requests.list' | 'callbacks.list'>(name: N) => {
    let [offset, total] = [0, 1]
    return async (): Promise<ActionOutput<N> | undefined> => {
      if (offset >= Math.min(total, MAX_LOADED)) return undefined
      const limit = offset === 0 ? FIRST_PAGE_SIZE : PAGE_SIZE
      const page = await invoke(name, { limit, offset, brief: true } as ActionInput<N>)
      offset += limit
      total = page.total
      return page
    }
  }

  /** Reads everything of the account again. */
  const reload = async (): Promise<void> => {
    loads += 1
    const thisLoad = loads
    const isCurrent = () => thisLoad === loads
    const { account } = state.get()
    store.reset(account?.tag ?? '', journalEntries)
    if (account === undefined) return store.finishLoading()
    const [clock, record, scenarios] = await Promise.all([
      invoke('clock.read', {}),
      invoke('account.read', {}),
      invoke('scenario.read', {}),
    ])
    if (isCurrent()) store.load({ clock, record, scenarios: scenarios.items })
    const lists = [pagesOf('tasks.list'), pagesOf('requests.list'), pagesOf('callbacks.list')] as const
    const counts = { read: 0, total: 0 }
    while (isCurrent()) {
      const [tasks, requests, callbacks] = await Promise.all([lists[0](), lists[1](), lists[2]()])
      if (!isCurrent()) return
      if (!tasks && !requests && !callbacks) return store.finishLoading()
      const pages = [tasks, requests, callbacks].filter((page) => page !== undefined)
      // The first pages tell how much there is.
      if (counts.read === 0)
        counts.total = pages.reduce((sum, { total }) => sum + Math.min(total, MAX_LOADED), 0)
      counts.read += pages.reduce((sum, { items }) => sum + items.length, 0)
      store.load({ tasks: tasks?.items, requests, callbacks, reading: { ...counts } })
    }
  }

  const reloadAll = (): Promise<void> => refreshAccounts().then(reload).catch(retryLater)

  const reloadAnew = (): void => {
    lastMove.set(undefined)
    void reloadAll()
  }

  // The first message of the next stream has everything read. One that has not ended is opened again.
  const retryLater = async (error: unknown): Promise<void> => {
    onError(error)
    instance = ''
    await wait(MAX_PAUSE_MS, new AbortController().signal)
    if (instance === '' && live.get().status === 'live') live.restart()
  }

  const live = createLive({
    wait,
    open: async (lastEventId, signal) => {
      await refreshAccounts()
      const { account } = state.get()
      // Without an account the page waits for the first one.
      const path = account === undefined ? '/events?all=1' : `/events?account=${account.tag}`
      return api.request(path, account?.key, { signal, headers: { 'last-event-id': lastEventId ?? '' } })
    },
    onHello: (hello) => {
      const { version } = state.get()
      if (version !== '' && version !== hello.version) return reloadPage()
      const isNewInstance = hello.instance !== instance
      if (process !== '' && process !== hello.instance) onRestart?.()
      process = hello.instance
      instance = hello.instance
      journalEntries = hello.journalEntries
      state.set({ ...state.get(), version: hello.version, seed: hello.seed })
      if (isNewInstance || store.get().tag !== (state.get().account?.tag ?? '')) reloadAnew()
    },
    onItems: (items) => {
      if (state.get().account === undefined) return void showFirstAccount()
      store.apply(items)
      if (items.some(({ kind, account }) => kind === 'reset' && account === store.get().tag)) reloadAnew()
    },
    onReload: () => void reloadAll(),
  })

  const showFirstAccount = async (): Promise<void> => {
    // The page has asked for a call of any account, although its address may name one that is gone.
    if (state.get().accounts.length === 0) router.filter({ account: undefined })
    await refreshAccounts().catch(onError)
    if (state.get().account !== undefined) live.restart()
  }

  router.subscribe(() => {
    const { account } = router.get().query
    const { account: current, missing } = state.get()
    const isShown = account === undefined || account === current?.tag || account === missing
    // The first message of the new stream has everything of the account read.
    if (!isShown) return live.restart()
    nameAccount()
  })

  /** The latest move of the clock that was asked for. */
  let latestMove: Promise<void> | undefined

  /** Moves the clock once the moves before have ended: each begins where the one before it has ended. */
  const advance = async (input: ActionInput<'clock.advance'>): Promise<void> => {
    const { account } = state.get()
    const move = (latestMove ?? Promise.resolve())
      .catch(() => undefined)
      .then(async () => {
        // Meanwhile the page may have gone on to another account, whose clock nothing was said of.
        if (account?.tag === state.get().account?.tag) await moveClock(input)
      })
    latestMove = move
    isMoving.set(true)
    try {
      await move
    } finally {
      if (latestMove === move) isMoving.set(false)
    }
  }

  const moveClock = async (input: ActionInput<'clock.advance'>): Promise<void> => {
    const { clock, tag } = store.get()
    // Without an account there is no clock yet: the call would open the account of the default key.
    if (clock === undefined) return
    const advanced = await invoke('clock.advance', input)
    await readClock()
    // Shown together with the buttons that are free again: who has seen the move can press the next one.
    if (isShown(tag)) lastMove.set({ from: clock.now, advanced })
  }

  // The store has the former account until the stream of another one begins, whose key is used as soon as it is chosen.
  const isShown = (tag: string): boolean => tag === store.get().tag && tag === state.get().account?.tag

  const readClock = async (): Promise<void> => {
    const { tag } = store.get()
    const record = await invoke('clock.read', {})
    // An event that has overtaken the answer tells of a later time.
    const isLatest = record.now >= (store.get().clock?.now ?? '')
    if (isShown(tag) && isLatest) store.apply([{ kind: 'clock', account: tag, record }])
  }

  const changeAccount = async (change: ActionInput<'account.change'>): Promise<void> => {
    const record = await invoke('account.change', change)
    store.apply([{ kind: 'account', account: record.tag, record }])
  }

  return {
    state,
    live,
    lastMove,
    isMoving,
    invoke,
    refreshAccounts,
    reload,
    advance,
    changeAccount,
    changeClock: (change: ClockChange) => invoke('clock.change', change).then(readClock),
    // The first message of the stream names an emulator that the page has not seen, and everything is read.
    start: live.start,
  }
}

/** Whether an action reads the account of its key, which opens it. */
const readsAccount = (name: ActionName): boolean =>
  name === 'dry-run' ||
  (routes[name].startsWith('GET') && !/^(operations|fixtures|scenarios|gaps)\./.test(name))

/** The account that is shown where the address names none: the first one with traffic. */
const defaultAccount = (accounts: readonly AccountEntry[]): AccountEntry | undefined =>
  accounts.find(({ tasks, ordinal }) => tasks > 0 || ordinal > 0) ?? accounts[0]
