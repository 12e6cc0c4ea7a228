import type { Account } from '../account/account.js'
import type { CallbackQueue } from '../callback/book.js'
import type { Callback } from '../callback/callback.js'
import { readClock } from '../time/clock.js'
import type { Instant } from '../time/timeline.js'
import type { StoredCallback, StoredHead, StoredQueue } from './saved.js'
import { storedRun } from './scenarios.js'

/** An account without what it holds, when the wall stands at `wall`. */
export const storedHead = (account: Account, wall: Instant): StoredHead => ({
  clock: account.clock,
  settledTo: readClock(account.clock, wall),
  ordinal: account.ordinal,
  requests: account.requests,
  credit: account.credit,
  spent: account.spent,
  agreementAccepted: account.agreementAccepted,
  limits: account.limits,
  // Without a limit nothing counts them, and they would be written every time; they are made again from what was made.
  recentCreates: account.limits.requestsPerMinute === null ? [] : account.recentCreates,
  imagesMade: account.imagesMade,
  callbacksEvicted: account.callbacks.evicted,
  playing: account.playing.map(storedRun),
})

// A callback has the task as it was, which is nearly always the one that stands in the account.
export const storedCallback = (account: Account, { task, ...callback }: Callback): StoredCallback =>
  account.tasks.get(task.id) === task ? callback : { ...callback, task }

export const storedQueue = (
  account: Account,
  { guest, waiting, held, ...correspondence }: CallbackQueue,
): StoredQueue => ({
  ...correspondence,
  waiting: waiting.map((callback) => storedCallback(account, callback)),
  held: held.map((callback) => storedCallback(account, callback)),
  ...(guest === undefined ? {} : { guest: storedRun(guest) }),
})
