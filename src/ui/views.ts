import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { callbacks, requests, route } from './app.js'
import { isProblem } from './state/request-rows.js'
import { AccountView } from './views/account.js'
import { CallbacksView, isUndelivered } from './views/callbacks.js'
import { ConsoleView } from './views/console.js'
import { GapsView } from './views/gaps.js'
import { RequestsView } from './views/requests.js'
import { ResultsView } from './views/results.js'
import { ScenariosView } from './views/scenarios.js'
import { TimelineView } from './views/timeline.js'

/** A view: what an item of the menu shows. */
export interface View {
  /** The first segment of its path. */
  readonly id: string
  readonly label: string
  /** The letter after `g`. */
  readonly letter: string
  readonly component: ComponentType
  /** Whether it shows the request to paste where an account has no traffic. */
  readonly needsTraffic?: true
  /** Problems in it that were not looked at; undefined: it has none to count. */
  readonly unseen?: ReadonlySignal<number>
}

/** Counts problems that have come since the view was last open. */
const unseenIn = (view: string, count: () => number): ReadonlySignal<number> => {
  const problems = computed(count)
  const seen = signal(0)
  const isOpen = computed(() => route.value.view === view)
  effect(() => {
    // Fewer than before: the oldest calls were evicted, the account was reset, or is another one.
    seen.value = isOpen.value ? problems.value : Math.min(seen.peek(), problems.value)
  })
  return computed(() => (isOpen.value ? 0 : Math.max(0, problems.value - seen.value)))
}

/** The views in the order of the menu. */
export const views: readonly View[] = [
  { id: 'timeline', label: 'Timeline', letter: 't', component: TimelineView, needsTraffic: true },
  {
    id: 'requests',
    label: 'Requests',
    letter: 'r',
    component: RequestsView,
    needsTraffic: true,
    unseen: unseenIn('requests', () => requests.value.filter(isProblem).length),
  },
  { id: 'results', label: 'Results', letter: 'e', component: ResultsView, needsTraffic: true },
  {
    id: 'callbacks',
    label: 'Callbacks',
    letter: 'b',
    component: CallbacksView,
    needsTraffic: true,
    unseen: unseenIn('callbacks', () => callbacks.value.filter(isUndelivered).length),
  },
  { id: 'scenarios', label: 'Scenarios', letter: 's', component: ScenariosView },
  { id: 'console', label: 'Console', letter: 'c', component: ConsoleView },
  { id: 'account', label: 'Account', letter: 'a', component: AccountView },
  { id: 'gaps', label: 'Gaps', letter: 'p', component: GapsView },
]
