import { percentDecoded } from '../../emulator/surface/paths.js'
import { createValue } from './observable.js'

/** Route: a view, what is open in it, and its filters. */
interface Route {
  /** `timeline`, `requests` … */
  readonly view: string
  /** The id of what is open in the view; empty: nothing. */
  readonly id: string
  /** Filters of the view, and `account` with the tag of the account. */
  readonly query: Readonly<Record<string, string>>
}

/** What of the browser's history the router uses. */
interface BrowserHistory {
  /** The current path and query. */
  readonly current: () => string
  readonly push: (url: string) => void
  readonly replace: (url: string) => void
  readonly onPop: (listener: () => void) => void
}

export type Router = ReturnType<typeof createRouter>

type QueryChange = Readonly<Record<string, string | undefined>>

export interface RouteChange {
  readonly view?: string
  readonly id?: string
  readonly query?: QueryChange
}

const BASE = '/_backlot/ui/'

/** Parses a path with its query. */
const parseUrl = (url: string, firstView: string): Route => {
  const { pathname, searchParams } = new URL(url, 'http://page')
  const [view = '', ...id] = pathname.slice(BASE.length).split('/')
  return {
    view: view === '' ? firstView : view,
    id: id.map(percentDecoded).join('/'),
    query: Object.fromEntries(searchParams),
  }
}

/** The address of a route. */
const urlOf = ({ view, id, query }: Route): string => {
  const text = new URLSearchParams(query).toString()
  const path = id === '' ? view : `${view}/${encodeURIComponent(id)}`
  return `${BASE}${path}${text === '' ? '' : `?${text}`}`
}

/** Router: the route in the address of the page. Going somewhere makes an entry in the history; filters replace it. */
export const createRouter = (history: BrowserHistory, firstView: string) => {
  const route = createValue(parseUrl(history.current(), firstView))
  history.onPop(() => route.set(parseUrl(history.current(), firstView)))

  // Another view begins without the filters of this one.
  const changed = ({ view, id = '', query = {} }: RouteChange): Route => {
    const shown = route.get()
    return { view: view ?? shown.view, id, query: withoutEmpty({ account: shown.query.account, ...query }) }
  }
  const push = (next: Route): void => {
    if (urlOf(next) === urlOf(route.get())) return
    history.push(urlOf(next))
    route.set(next)
  }
  const replace = (next: Route): void => {
    history.replace(urlOf(next))
    route.set(next)
  }
  return {
    get: route.get,
    subscribe: route.subscribe,
    /** The address of a route, for links. */
    href: (to: RouteChange) => urlOf(changed(to)),
    /** Goes to another route; `account` stays unless it is named. */
    go: (to: RouteChange) => push(changed(to)),
    /** Opens something in the current view, with its filters kept; empty: closes it. */
    open: (id: string) => push({ ...route.get(), id }),
    /** As `open`, without a new entry in the history. */
    replace: (id: string) => replace({ ...route.get(), id }),
    /** Changes filters without a new entry in the history; undefined or empty removes one. */
    filter: (query: QueryChange) =>
      replace({ ...route.get(), query: withoutEmpty({ ...route.get().query, ...query }) }),
  }
}

export const withoutEmpty = (query: QueryChange): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1])))
