import type { Account } from '../account/account.js'
import type { Happening } from '../account/settle.js'
import { isFinal } from '../task/phase.js'
import type { Task } from '../task/task.js'
import type { Instant } from '../time/timeline.js'
import { type Correspondence, enter } from './book.js'
import type { Callback, CallbackAddress } from './callback.js'
import { happened } from './happened.js'

/** A task with a callback address was created: the challenge, where there is one, and its first status (defaults Z16). */
export const openCorrespondence = (account: Account, task: Task, address: CallbackAddress): void => {
  const correspondence: Correspondence = {
    taskId: task.id,
    way: address.challenge === undefined ? 'open' : 'challenged',
    waiting: [],
    dueAt: null,
    entry: 0,
    isOver: false,
  }
  account.callbacks.correspondences.set(task.id, correspondence)
  if (address.challenge !== undefined)
    add(account, correspondence, blank(task, address, 'challenge', 0), task.createdAt)
  reportMoment(account, task, 0)
}

/**
 * A moment of a task's life has come: its status is to be sent, after whatever waits before it. Returns the callbacks
 * that were skipped, since they have no further fate; those that wait are heard of when they have been tried.
 */
export const reportMoment = (account: Account, task: Task, moment: number): Happening[] => {
  const correspondence = account.callbacks.correspondences.get(task.id)
  const came = task.life[moment]
  if (correspondence === undefined || came === undefined || task.callback === undefined) return []
  if (isFinal(came.value)) correspondence.isOver = true
  if (task.life[moment - 1]?.value.state === came.value.state) return []
  const callback = blank(task, task.callback, 'delivery', moment)
  if (correspondence.way !== 'closed') {
    add(account, correspondence, callback, came.at)
    return []
  }
  enter(account.callbacks, skipped(callback))
  closeIfOver(account, correspondence)
  return [happened(skipped(callback), came.at, 'skipped')]
}

const blank = (task: Task, { url }: CallbackAddress, kind: Callback['kind'], moment: number): Callback => ({
  id: `${task.id}-${kind === 'challenge' ? 0 : moment + 1}`,
  taskId: task.id,
  kind,
  status: kind === 'challenge' ? null : (task.life[moment]?.value.state ?? null),
  url,
  body: null,
  attempts: [],
  state: 'waiting',
  task,
  moment,
})

export const skipped = (callback: Callback): Callback => ({
  ...callback,
  state: 'skipped',
  reason: 'The challenge was not answered as it must be, so that nothing is sent for this task.',
})

const add = (account: Account, correspondence: Correspondence, callback: Callback, at: Instant): void => {
  enter(account.callbacks, callback)
  correspondence.waiting.push(callback)
  if (correspondence.waiting.length === 1) schedule(account, correspondence, at)
}

/** Writes down when the first in turn is to be sent; an entry that was written down before no longer holds. */
export const schedule = (account: Account, correspondence: Correspondence, at: Instant): void => {
  correspondence.entry += 1
  correspondence.dueAt = at
  account.agenda.add({ at, kind: 'callback', id: correspondence.taskId, index: correspondence.entry })
}

/** Forgets a correspondence in which nothing more will be said. */
export const closeIfOver = (account: Account, correspondence: Correspondence): void => {
  if (correspondence.isOver && correspondence.waiting.length === 0)
    account.callbacks.correspondences.delete(correspondence.taskId)
}

/**
 * Writes everything that waits into the agenda again: for an account that was read from somewhere. What was on its
 * way when it was kept is sent again, under the same delivery id.
 */
export const resumeCallbacks = (account: Account, now: Instant): void => {
  for (const correspondence of account.callbacks.correspondences.values())
    if (correspondence.waiting.length > 0) schedule(account, correspondence, correspondence.dueAt ?? now)
}
