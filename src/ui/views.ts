import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { callbacks, requests, route } from './app.js'
import { lazyView } from './parts/lazy-view.js'
import { isProblem, isUndelivered, problemKind, undeliveredKind } from './state/request-rows.js'

/** A view: what an item of the menu shows. */
export interface View {
  /** The first segment of its path. */
  readonly id: string
  readonly label: string
  /** The letter after `g`, which no other view has. */
  readonly letter: string
  readonly component: ComponentType
  /** Whether it shows the request to paste where an account has no traffic. */
  readonly needsTraffic?: true
  /** Problems in it that were not looked at, or undefined where it has none to count. */
  readonly unseen?: ReadonlySignal<Unseen>
}

/** Problems that were not looked at. One mistake that a client repeats is of one kind. */
interface Unseen {
  readonly problems: number
  readonly kinds: number
}

/** Counts problems that have come since the view was last open. */
const unseenIn = <T extends { readonly id: string }>(
  view: string,
  list: () => readonly T[],
  kindOf: (problem: T) => string,
): ReadonlySignal<Unseen> => {
  const problems = computed(list)
  const seen = signal<ReadonlySet<string>>(new Set())
  const isOpen = computed(() => route.value.view === view)
  effect(() => {
    // Those that are gone are forgotten: an account that was reset gives their ids again.
    const ids = problems.value.map(({ id }) => id)
    seen.value = new Set(ids.filter((id) => isOpen.value || seen.peek().has(id)))
  })
  return computed(() => {
    const unseen = problems.value.filter(({ id }) => !isOpen.value && !seen.value.has(id))
    return { problems: unseen.length, kinds: new Set(unseen.map(kindOf)).size }
  })
}

/** The views in the order of the menu. */
export const views: readonly View[] = [
  {
    id: 'timeline',
    label: 'Timeline',
    letter: 't',
    component: lazyView(async () => (await import('./views/timeline.js')).TimelineView),
    needsTraffic: true,
  },
  {
    id: 'requests',
    label: 'Requests',
    letter: 'r',
    component: lazyView(async () => (await import('./views/requests.js')).RequestsView),
    needsTraffic: true,
    unseen: unseenIn('requests', () => requests.value.filter(isProblem), problemKind),
  },
  {
    id: 'results',
    label: 'Results',
    letter: 'e',
    component: lazyView(async () => (await import('./views/results.js')).ResultsView),
    needsTraffic: true,
  },
  {
    id: 'callbacks',
    label: 'Callbacks',
    letter: 'b',
    component: lazyView(async () => (await import('./views/callbacks.js')).CallbacksView),
    needsTraffic: true,
    unseen: unseenIn('callbacks', () => callbacks.value.filter(isUndelivered), undeliveredKind),
  },
  {
    id: 'scenarios',
    label: 'Scenarios',
    letter: 's',
    component: lazyView(async () => (await import('./views/scenarios.js')).ScenariosView),
  },
  {
    id: 'console',
    label: 'Console',
    letter: 'c',
    component: lazyView(async () => (await import('./views/console.js')).ConsoleView),
  },
  {
    id: 'account',
    label: 'Account',
    letter: 'a',
    component: lazyView(async () => (await import('./views/account.js')).AccountView),
  },
  {
    id: 'gaps',
    label: 'Gaps',
    letter: 'p',
    component: lazyView(async () => (await import('./views/gaps.js')).GapsView),
  },
]
