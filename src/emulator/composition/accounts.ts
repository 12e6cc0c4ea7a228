import type { EventEmitter } from 'node:events'
import type { ClockScheduler } from '../accounts/clock.js'
import { JournalStore } from '../accounts/journals.js'
import { readNote } from '../accounts/notes.js'
import type { Persistence } from '../accounts/persistence/port.js'
import { copyAccount } from '../accounts/persistence/resume-account.js'
import type { SharedPersistence } from '../accounts/persistence/shared-log.js'
import { AccountStore, type Store, type StoreParts } from '../accounts/store.js'
import type { CallbackDispatcher } from '../callbacks/dispatcher.js'
import type { Inbox } from '../callbacks/inbox.js'
import { openAccount, openingClock } from '../core/account/account.js'
import { defaultDelivery } from '../core/callback/delivery.js'
import type { Events } from '../core/events.js'
import { initialStateOf } from '../core/journal/entry.js'
import { type Account, type AccountEvent, shownCallback } from '../core/model/account.js'
import { AccountQuotas, withoutTotals } from '../core/quotas.js'
import type { Settings } from '../core/settings.js'
import type { Registry } from '../families/registry.js'
import type { Uploads } from '../media/uploads/uploads.js'
import type { ProfileInForce } from '../profile/in-force.js'
import { createScenarios, type Scenarios } from '../scenarios/library.js'
import type { Base } from './base.js'
import type { EmulatorDependencies } from './dependencies.js'

/** Parts that hear of accounts. They use the store, so that they are made after it. */
interface Listeners {
  readonly clock: ClockScheduler
  readonly dispatcher: CallbackDispatcher
  readonly inbox: Inbox
  readonly uploads: Uploads
}

/** The accounts of an emulator, with their journals, quotas and scenarios. */
export interface Accounts {
  readonly store: Store
  readonly journals: JournalStore
  readonly scenarios: Scenarios
  readonly accountQuotas: AccountQuotas
  /** Tells the parts that are made after the store what happens to accounts. It comes before the first call. */
  connect(listeners: Listeners): void
  /** Forgets what the parts beside the store know of an account. */
  forgetOutsideStore(key: string): void
}

export const createAccounts = (base: Base, injected: EmulatorDependencies): Accounts => {
  const { settings, registry, events, quotas, persistence, onInternalError } = base
  const replicas = persistence?.shared
  const accountQuotas = new AccountQuotas(replicas === undefined ? settings : withoutTotals(settings), quotas)
  const scenarios = createScenarios(injected.scenarios ?? [], registry)
  const journals = new JournalStore({ settings, events, quotas, areReloaded: replicas !== undefined })
  const beginJournal = (account: Account): void =>
    journals.opened(account.key, initialStateOf(account, copyAccount(account)))
  for (const { account } of persistence?.accounts ?? []) beginJournal(account)
  let listeners: Listeners
  const forgetOutsideStore = (key: string): void => {
    listeners.clock.forget(key)
    listeners.dispatcher.forget(key)
    listeners.inbox.forget(key)
    journals.forget(key)
  }
  const storeParts: CommonStoreParts = {
    open: opener(base, scenarios, journals),
    accountQuotas,
    exposureOf: registry.exposureOf.bind(registry),
    onEffects: (key, { events: happened, jobs }) => {
      listeners.clock.observe(key, happened)
      publish(events, key, happened)
      for (const job of jobs) listeners.dispatcher.dispatch(key, job)
    },
    onReplaced: beginJournal,
    onInternalError,
  }
  const store: Store =
    replicas === undefined
      ? new AccountStore({
          ...storeParts,
          systemNow: base.systemNow,
          persistence: persistence as Persistence | undefined,
          onEvicted: ({ key, assets }) => {
            forgetOutsideStore(key)
            void listeners.uploads.unpinAssets(assets.values()).catch(onInternalError)
          },
        })
      : replicas.createStore(sharedParts(base, storeParts, journals, () => listeners))
  return {
    store,
    journals,
    scenarios,
    accountQuotas,
    connect: (parts) => {
      listeners = parts
    },
    forgetOutsideStore,
  }
}

type CommonStoreParts = Omit<StoreParts, 'systemNow' | 'onEvicted'>

/** Opens the account of a new key, and its journal. */
const opener =
  ({ settings, profile, systemNow }: Base, scenarios: Scenarios, journals: JournalStore) =>
  (key: string): Account => {
    const clock = openingClock(settings, systemNow())
    const account = openAccount(key, openingSettings(settings, profile), clock, scenarios.given)
    journals.opened(key, initialStateOf(account))
    return account
  }

/** Parts of a store that other processes change too: what they have noted goes into the journals and inboxes of this one. */
const sharedParts = (
  { settings, registry, events }: Base,
  storeParts: CommonStoreParts,
  journals: JournalStore,
  listeners: () => Listeners,
): Parameters<SharedPersistence['shared']['createStore']>[0] => {
  const applyNotes = (key: string, notes: readonly string[]): void => {
    for (const text of notes) {
      const note = readNote(text)
      if ('call' in note) journals.addCall(key, note.call, 2 * text.length)
      if ('control' in note) journals.controlled(key, { ...note.control, sequence: journals.nextSequence() })
      if ('inbox' in note) listeners().inbox.keep(key, note.inbox)
    }
  }
  return {
    ...storeParts,
    maxCallbacks: settings.callbackLogEntries,
    maxAccounts: settings.maxAccounts,
    attemptMs: longestAttemptMs(registry) * settings.callbackTimeoutScale,
    onLoaded: (account, rebuild) =>
      journals.opened(account.key, {
        ...initialStateOf(account),
        // Only recordings look at it, and a copy of many tasks takes long.
        get restored() {
          return rebuild()
        },
      }),
    onNotes: (key, notes) => {
      journals.clear(key)
      listeners().inbox.forget(key)
      applyNotes(key, notes)
    },
    onAppended: (key, happened, notes) => {
      applyNotes(key, notes)
      listeners().clock.observe(key, happened)
      publish(events, key, happened)
    },
    onUnloaded: (key) => {
      listeners().inbox.forget(key)
      journals.forget(key)
    },
  }
}

/** Settings with which accounts open. */
const openingSettings = (settings: Settings, profile: ProfileInForce | undefined): Settings =>
  profile === undefined ? settings : profile.settingsFor(settings)

/** The longest that a receiver has to answer, of all families. */
const longestAttemptMs = ({ taskFamilies }: Registry): number =>
  Math.max(
    ...taskFamilies.flatMap(({ callback }) =>
      Object.values(callback?.delivery?.timeoutMs ?? defaultDelivery.timeoutMs),
    ),
  )

const publish = (emitter: EventEmitter<Events>, account: string, happened: readonly AccountEvent[]): void => {
  for (const event of happened) {
    if (emitter.listenerCount('happening') > 0) emitter.emit('happening', { account, ...event })
    if (event.callback !== undefined) emitter.emit('callback', { ...shownCallback(event.callback), account })
  }
}
