import type { Settings } from '../core/settings.js'
import { taskFamilies } from '../families/index.js'
import { createCallbacks } from '../server/callbacks/callbacks.js'
import { createCourier } from '../server/callbacks/courier.js'
import { createInbox } from '../server/callbacks/inbox.js'
import { createMessageOf } from '../server/callbacks/message.js'
import { createPost } from '../server/callbacks/post.js'
import { createClockDriver } from '../server/clock/driver.js'
import type { Store } from '../server/store/store.js'
import type { Ground } from './ground.js'
import type { Outside } from './outside.js'

/** What follows accounts through time: their clocks, the callbacks that fall due, and the inbox that takes some in. */
export const createFollowers = (ground: Ground, outside: Outside, store: Store) => {
  const { settings, secret, events, bounds, wall, onBug } = ground
  const courier = createCourier({
    store,
    messageOf: createMessageOf({ families: taskFamilies, settings, secret }),
    post: outside.post ?? createPost({ callbackHosts: callbackHostsOf(settings) }),
    timeoutScale: settings.callbackTimeoutScale,
    atOnce: settings.callbacksAtOnce,
    bounds,
    onBug,
  })
  const clock = createClockDriver({ store, events, courier, wall, onBug })
  const inbox = createInbox({
    store,
    wall,
    most: settings.callbackLogEntries,
    mostBytes: settings.inboxBytes,
    bounds,
    onKept: (account) => events.emit('inbox', { account }),
  })
  return { clock, callbacks: createCallbacks({ store, clock, courier, wall }), inbox }
}

// The emulator's own inbox is reached under the public URL.
const callbackHostsOf = ({ callbackHosts, publicUrl }: Settings): readonly string[] =>
  publicUrl === undefined ? callbackHosts : [...callbackHosts, new URL(publicUrl).hostname]
