import { computed, effect, signal } from '@preact/signals'
import { toSignal } from './signals.js'
import { ApiError, createApi } from './state/api.js'
import { createKeys } from './state/keys.js'
import { createRouter } from './state/router.js'
import { createSession } from './state/session.js'
import { createStore } from './state/store.js'

/** The parts of the page, made once, and their values as signals. Views import what they need from here. */

const TOKEN_KEY = 'backlot-token'

// Read once and kept for the tab, so that it does not stand in the address, the history or a copied link.
const tokenInHash = (): string | null => new URLSearchParams(location.hash.slice(1)).get('token')
const givenToken = tokenInHash()
if (givenToken !== null) {
  sessionStorage.setItem(TOKEN_KEY, givenToken)
  history.replaceState(null, '', location.pathname + location.search)
}
addEventListener('hashchange', () => tokenInHash() !== null && reloadPage())

export const setToken = (token: string): void => {
  sessionStorage.setItem(TOKEN_KEY, token)
  reloadPage()
}

const reloadPage = (): void => location.reload()

const wait = (ms: number, abortSignal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    abortSignal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

export const api = createApi({
  origin: location.origin,
  fetch: (...request) => fetch(...request),
  // One with letters that no header can have is wrong, and the page asks for another one.
  token: () => (sessionStorage.getItem(TOKEN_KEY) ?? '').replace(/[^\x20-\xff]/g, '?'),
})

export const router = createRouter(
  {
    current: () => location.pathname + location.search,
    push: (url) => history.pushState(null, '', url),
    replace: (url) => history.replaceState(null, '', url),
    onPop: (listener) => addEventListener('popstate', listener),
  },
  'timeline',
)

const store = createStore({ now: Date.now })

/** A sentence at the foot of the page: what an action has done, or why it could not. */
interface Notice {
  readonly text: string
  readonly hint: string
  /** Undefined where it is no error. */
  readonly error?: unknown
}

export const notice = signal<Notice | undefined>(undefined)

export const showNotice = (text: string, hint = '') => (notice.value = { text, hint })

/** Shows an error where nothing else does. */
export const showError = (error: unknown): void => {
  const hint = error instanceof ApiError ? error.hint : ''
  notice.value = { text: error instanceof Error ? error.message : String(error), hint, error }
}

const onRestart = () =>
  showNotice('The emulator was started again.', 'The page shows what it has now; the rest is gone.')

export const session = createSession({ api, store, router, wait, onError: showError, reloadPage, onRestart })

export const keys = createKeys()

export const route = toSignal(router)
/** Everything known of the account that is shown. */
export const account = toSignal(store)
export const requests = computed(() => account.value.requests)
export const tasks = computed(() => account.value.tasks)
export const callbacks = computed(() => account.value.callbacks)
export const scenarios = computed(() => account.value.scenarios)
export const clock = computed(() => account.value.clock)
export const sessionState = toSignal(session.state)
export const live = toSignal(session.live)
effect(() => {
  const error = notice.peek()?.error
  if (live.value.status === 'live' && error instanceof ApiError && error.status === 0)
    notice.value = undefined
})
export const lastMove = toSignal(session.lastMove)
export const isMoving = toSignal(session.isMoving)

/** Invokes an action of the control API for the account that is shown. @throws ApiError */
export const { invoke } = session

/** Runs what the user has asked for. Its error is shown at the foot of the page, in place of an earlier notice. */
export const runAction = (run: () => Promise<unknown>): void => {
  notice.value = undefined
  void run().catch(showError)
}

/** The time of this machine, to the second, for texts that grow old. */
export const systemNow = signal(Date.now())
setInterval(() => (systemNow.value = Date.now()), 1_000)

/** Whether the emulator does not answer any more. */
export const isLost = computed(() => live.value.status === 'lost' && live.value.failures >= 2)
/** When the emulator was found to be lost, or undefined where it answers. */
const lostAt = signal<number | undefined>(undefined)
effect(() => {
  if (!isLost.value) lostAt.value = undefined
  else lostAt.value ??= Date.now()
})

/** What the account's clock says now, in milliseconds; a live clock runs between two readings, while the emulator answers. */
export const accountNow = (): number => {
  const reading = clock.value
  if (reading === undefined) return systemNow.value
  const now = Date.parse(reading.now)
  if (reading.mode !== 'live') return now
  return now + Math.max(0, (lostAt.value ?? systemNow.value) - reading.receivedAt) * reading.speed
}
