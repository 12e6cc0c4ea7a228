import { ClockScheduler } from '../accounts/clock.js'
import type { Store } from '../accounts/store.js'
import { createCallbackBodyOf, createCallbackHeadersOf } from '../callbacks/body.js'
import { CallbackDispatcher, type Callbacks, createCallbacks } from '../callbacks/dispatcher.js'
import {
  type CallbackHttpClient,
  callbackHostsOf,
  createCallbackHttpClient,
} from '../callbacks/http-client.js'
import { Inbox } from '../callbacks/inbox.js'
import { isKnownKey } from '../core/account/account.js'
import type { Registry } from '../families/registry.js'
import type { ProfileInForce } from '../profile/in-force.js'
import { type Base, policyOf } from './base.js'
import type { EmulatorDependencies } from './dependencies.js'

/** Callbacks, the clocks that make them due, and the built-in receiver. */
export interface CallbackParts {
  readonly httpClient: CallbackHttpClient
  readonly dispatcher: CallbackDispatcher
  readonly clock: ClockScheduler
  readonly callbacks: Callbacks
  readonly inbox: Inbox
}

export const createCallbackParts = (
  base: Base,
  store: Store,
  injected: EmulatorDependencies,
): CallbackParts => {
  const { settings, registry, profile, secret, systemNow, events, quotas, onInternalError } = base
  const ofProfile = profilePartsOf(profile, registry, systemNow)
  const httpClient = injected.post ?? createCallbackHttpClient(callbackHostsOf(settings))
  const dispatcher = new CallbackDispatcher({
    store,
    bodyOf: createCallbackBodyOf({ registry, profile, settings, secret }),
    policyOf: (family) => policyOf(registry, family),
    headersOf: ofProfile.headersOf,
    httpClient,
    timeoutScale: settings.callbackTimeoutScale,
    maxInFlight: settings.callbacksAtOnce,
    quotas,
    onInternalError,
  })
  return {
    httpClient,
    dispatcher,
    clock: new ClockScheduler(store, dispatcher, systemNow),
    callbacks: createCallbacks(store, dispatcher),
    inbox: new Inbox({
      taskIdPaths: registry.callbackTaskIdPaths,
      isKnownKey: (key) => isKnownKey(key, settings),
      store,
      max: settings.callbackLogEntries,
      maxBytes: settings.inboxBytes,
      quotas,
      signatureOf: ofProfile.signatureOf,
      onKept: (account, name) => events.emit('inbox', { account, name }),
    }),
  }
}

/** What callbacks and the built-in receiver have of a profile; nothing where there is none. */
const profilePartsOf = (profile: ProfileInForce | undefined, registry: Registry, systemNow: () => number) =>
  profile === undefined
    ? {}
    : {
        headersOf: createCallbackHeadersOf(registry, profile, systemNow),
        signatureOf: (family: string) => policyOf(registry, family).signature,
      }
