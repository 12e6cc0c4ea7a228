import type { Account } from '../account/account.js'
import type { Correspondence } from '../callback/book.js'
import type { Callback } from '../callback/callback.js'
import { readClock } from '../time/clock.js'
import type { Instant } from '../time/timeline.js'
import type { SavedCallback, SavedCorrespondence, SavedHead } from './saved.js'
import { savedPlaying } from './scenarios.js'

/** An account without what it holds, when the wall stands at `wall`. */
export const savedHead = (account: Account, wall: Instant): SavedHead => ({
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
  playing: account.playing.map(savedPlaying),
})

// A callback has the task as it was, which is nearly always the one that stands in the account.
export const savedCallback = (account: Account, { task, ...callback }: Callback): SavedCallback =>
  account.tasks.get(task.id) === task ? callback : { ...callback, task }

export const savedCorrespondence = (
  account: Account,
  { guest, waiting, held, ...correspondence }: Correspondence,
): SavedCorrespondence => ({
  ...correspondence,
  waiting: waiting.map((callback) => savedCallback(account, callback)),
  held: held.map((callback) => savedCallback(account, callback)),
  ...(guest === undefined ? {} : { guest: savedPlaying(guest) }),
})
