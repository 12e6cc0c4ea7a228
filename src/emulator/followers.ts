import type { Settings } from '../core/settings.js'
import { taskFamilies } from '../families/index.js'
import { createCallbacks } from '../server/callbacks/callbacks.js'
import { createCallbackDispatcher } from '../server/callbacks/courier.js'
import { createInbox } from '../server/callbacks/inbox.js'
import { createCallbackBodyOf } from '../server/callbacks/message.js'
import { createCallbackHttpClient } from '../server/callbacks/post.js'
import { createClockScheduler } from '../server/clock/driver.js'
import type { Store } from '../server/store/store.js'
import type { Ground } from './ground.js'
import type { EmulatorDependencies } from './outside.js'

/** What follows accounts through time: their clocks, the callbacks that fall due, and the inbox that takes some in. */
export const createFollowers = (ground: Ground, outside: EmulatorDependencies, store: Store) => {
  const { settings, secret, events, bounds, wall, onInternalError } = ground
  const dispatcher = createCallbackDispatcher({
    store,
    bodyOf: createCallbackBodyOf({ families: taskFamilies, settings, secret }),
    post: outside.post ?? createCallbackHttpClient({ callbackHosts: callbackHostsOf(settings) }),
    timeoutScale: settings.callbackTimeoutScale,
    atOnce: settings.callbacksAtOnce,
    bounds,
    onInternalError,
  })
  const clock = createClockScheduler({ store, events, dispatcher, wall, onInternalError })
  const inbox = createInbox({
    store,
    wall,
    most: settings.callbackLogEntries,
    maxBytes: settings.inboxBytes,
    bounds,
    onKept: (account) => events.emit('inbox', { account }),
  })
  return { clock, callbacks: createCallbacks({ store, clock, dispatcher, wall }), inbox }
}

// The emulator's own inbox is reached under the public URL.
const callbackHostsOf = ({ callbackHosts, publicUrl }: Settings): readonly string[] =>
  publicUrl === undefined ? callbackHosts : [...callbackHosts, new URL(publicUrl).hostname]
