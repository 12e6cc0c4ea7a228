import { percentDecoded } from '../../emulator/surface/paths.js'
import { createValue, type Observable } from './observable.js'

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

type QueryChange = Readonly<Record<string, string | undefined>>

export interface RouteChange {
  readonly view?: string
  readonly id?: string
  readonly query?: QueryChange
}

/** Router: the route in the address of the page. Going somewhere makes an entry in the history; filters replace it. */
export interface Router extends Observable<Route> {
  /** The address of a route, for links. */
  href(to: RouteChange): string
  /** Goes to another route; `account` stays unless it is named. */
  go(to: RouteChange): void
  /** Opens something in the current view, with its filters kept; empty: closes it. */
  open(id: string): void
  /** As `open`, without a new entry in the history. */
  replace(id: string): void
  /** Changes filters without a new entry in the history; undefined or empty removes one. */
  filter(query: QueryChange): void
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

/** Router of the page in a browser. */
export const createRouter = (history: BrowserHistory, firstView: string): Router => {
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
    href: (to) => urlOf(changed(to)),
    go: (to) => push(changed(to)),
    open: (id) => push({ ...route.get(), id }),
    replace: (id) => replace({ ...route.get(), id }),
    filter: (query) => replace({ ...route.get(), query: withoutEmpty({ ...route.get().query, ...query }) }),
  }
}

export const withoutEmpty = (query: QueryChange): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1])))
