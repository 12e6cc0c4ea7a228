import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { callbacks, requests, route } from './app.js'
import { lazyView } from './parts/lazy-view.js'
import { isProblem, isUndelivered } from './state/request-rows.js'

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
  readonly unseen?: ReadonlySignal<number>
}

/** Counts problems that have come since the view was last open. */
const unseenIn = (view: string, list: () => readonly { readonly id: string }[]): ReadonlySignal<number> => {
  const problems = computed(() => list().map(({ id }) => id))
  const seen = signal<ReadonlySet<string>>(new Set())
  const isOpen = computed(() => route.value.view === view)
  effect(() => {
    // Those that are gone are forgotten: an account that was reset gives their ids again.
    seen.value = new Set(problems.value.filter((id) => isOpen.value || seen.peek().has(id)))
  })
  return computed(() => problems.value.filter((id) => !isOpen.value && !seen.value.has(id)).length)
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
    unseen: unseenIn('requests', () => requests.value.filter(isProblem)),
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
    unseen: unseenIn('callbacks', () => callbacks.value.filter(isUndelivered)),
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
