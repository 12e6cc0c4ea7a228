import { createValue, type Observable } from './observable.js'

/** A place in the page: a view, what is open in it, and its filters. */
export interface Place {
  /** `timeline`, `requests` … */
  readonly view: string
  /** The id of what is open in the view; empty: nothing. */
  readonly id: string
  /** Filters of the view, and `account` with the tag of the account. */
  readonly query: Readonly<Record<string, string>>
}

/** What of the browser's history the router uses. */
export interface BrowserHistory {
  /** The current path and query. */
  readonly current: () => string
  readonly push: (url: string) => void
  readonly replace: (url: string) => void
  readonly onPop: (listener: () => void) => void
}

export interface Router extends Observable<Place> {
  /** Goes to another place; `account` stays unless it is named. */
  go(place: PlaceChange): void
  /** Goes to an address of the page. */
  visit(url: string): void
  /** Opens something in the current view, with its filters kept; empty: closes it. */
  open(id: string): void
  /** As `open`, without a new entry in the history. */
  replace(id: string): void
  /** Changes filters without a new entry in the history; undefined or empty removes one. */
  filter(query: Readonly<Record<string, string | undefined>>): void
  /** The address of a place, for links. */
  href(place: PlaceChange): string
}

export interface PlaceChange {
  readonly view?: string
  readonly id?: string
  readonly query?: Readonly<Record<string, string | undefined>>
}

export const BASE = '/_backlot/ui/'

/** Reads a place from a path with its query. */
export const placeOf = (url: string, firstView: string): Place => {
  const { pathname, searchParams } = new URL(url, 'http://page')
  const [view = '', ...id] = pathname.slice(BASE.length).split('/')
  return {
    view: view === '' ? firstView : view,
    id: id.map(decode).join('/'),
    query: Object.fromEntries(searchParams),
  }
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Writes the address of a place. */
export const urlOf = ({ view, id, query }: Place): string => {
  const text = new URLSearchParams(query).toString()
  const path = id === '' ? view : `${view}/${encodeURIComponent(id)}`
  return `${BASE}${path}${text === '' ? '' : `?${text}`}`
}

/** Router: the place in the address of the page. Going somewhere makes an entry in the history; filters replace it. */
export const createRouter = (history: BrowserHistory, firstView: string): Router => {
  const place = createValue(placeOf(history.current(), firstView))
  history.onPop(() => place.set(placeOf(history.current(), firstView)))

  // Another view begins without the filters of this one.
  const changed = ({ view, id = '', query = {} }: PlaceChange): Place => {
    const { view: currentView, query: current } = place.get()
    const { account } = current
    return {
      view: view ?? currentView,
      id,
      query: withoutEmpty({ ...(account === undefined ? {} : { account }), ...query }),
    }
  }
  const enter = (next: Place): void => {
    if (urlOf(next) === urlOf(place.get())) return
    history.push(urlOf(next))
    place.set(next)
  }
  const replace = (next: Place): void => {
    history.replace(urlOf(next))
    place.set(next)
  }
  return {
    get: place.get,
    subscribe: place.subscribe,
    href: (to) => urlOf(changed(to)),
    go: (to) => enter(changed(to)),
    visit: (url) => enter(placeOf(url, firstView)),
    open: (id) => enter({ ...place.get(), id }),
    replace: (id) => replace({ ...place.get(), id }),
    filter: (query) => {
      const { query: current } = place.get()
      replace({ ...place.get(), query: withoutEmpty({ ...current, ...query }) })
    },
  }
}

const withoutEmpty = (query: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== ''),
  )
