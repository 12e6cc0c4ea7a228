import type { Account } from '../account/account.js'
import type { AccountEvent } from '../account/settle.js'
import { matchCallback } from '../scenario/cued-callback.js'
import type { ScenarioRun } from '../scenario/playing.js'
import { isFinal } from '../task/phase.js'
import type { Task } from '../task/task.js'
import type { Instant } from '../time/timeline.js'
import { type CallbackQueue, enter, update } from './book.js'
import type { Callback, CallbackAddress } from './callback.js'
import { happened } from './happened.js'

/**
 * A task with a callback address was created: the challenge, where there is one, and its first status (gap Z16).
 * `guest` is a scenario that plays for this task alone.
 */
export const openCallbackQueue = (
  account: Account,
  task: Task,
  address: CallbackAddress,
  guest?: ScenarioRun,
): void => {
  const correspondence: CallbackQueue = {
    taskId: task.id,
    way: address.challenge === undefined ? 'open' : 'challenged',
    waiting: [],
    held: [],
    dueAt: null,
    entry: 0,
    isOver: false,
    ...(guest === undefined ? {} : { guest }),
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
export const reportMoment = (account: Account, task: Task, moment: number): AccountEvent[] => {
  const correspondence = account.callbacks.correspondences.get(task.id)
  const came = task.life[moment]
  if (correspondence === undefined || came === undefined || task.callback === undefined) return []
  if (isFinal(came.value)) correspondence.isOver = true
  if (task.life[moment - 1]?.value.state === came.value.state) return []
  const callback = blank(task, task.callback, 'delivery', moment)
  if (correspondence.way !== 'closed') return add(account, correspondence, callback, came.at)
  const unsent = skipped(callback, correspondence.closedFor)
  enter(account.callbacks, unsent)
  closeIfOver(account, correspondence)
  return [happened(unsent, came.at, 'skipped')]
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

const CHALLENGE_FAILED =
  'The challenge was not answered as it must be, so that nothing is sent for this task.'

export const skipped = (callback: Callback, reason = CHALLENGE_FAILED): Callback => ({
  ...callback,
  state: 'skipped',
  reason,
})

/** Puts a message in its turn, as a scenario has it. Returns it when it will never be sent. */
const add = (
  account: Account,
  correspondence: CallbackQueue,
  blank: Callback,
  at: Instant,
): AccountEvent[] => {
  const callback = matchCallback(account, correspondence.guest, blank, at)
  if (isOvertaken(callback)) {
    enter(account.callbacks, callback)
    correspondence.held.push(callback)
    return []
  }
  const isNeverSent = callback.fault?.never === true
  enter(account.callbacks, isNeverSent ? skipped(callback, NEVER_SENT) : callback)
  // Without a challenge there is no verified address.
  if (isNeverSent && callback.kind === 'challenge') close(correspondence, NEVER_CHALLENGED)
  const overtaken = correspondence.held.splice(0).reverse()
  queue(account, correspondence, [...(isNeverSent ? [] : [callback]), ...overtaken], at)
  closeIfOver(account, correspondence)
  return isNeverSent ? [happened(skipped(callback, NEVER_SENT), at, 'skipped')] : []
}

const NEVER_SENT = 'A scenario has it that this is never sent.'
const NEVER_CHALLENGED =
  'A scenario has it that the challenge is never sent, so that nothing is sent for this task.'

/** Nothing more is sent for the task; the reason is left out where the challenge was not answered as it must be. */
export const close = (correspondence: CallbackQueue, reason?: string): void => {
  correspondence.way = 'closed'
  if (reason !== undefined) correspondence.closedFor = reason
}

const isOvertaken = ({ fault, task, moment }: Callback): boolean =>
  fault?.afterNext === true && task.life[moment + 1] !== undefined

const queue = (
  account: Account,
  correspondence: CallbackQueue,
  callbacks: readonly Callback[],
  at: Instant,
): void => {
  const wasEmpty = correspondence.waiting.length === 0
  correspondence.waiting.push(...callbacks)
  if (wasEmpty) scheduleNext(account, correspondence, at)
}

/** Has the first in turn sent, now or when it may be; nothing where none waits. */
const scheduleNext = (account: Account, correspondence: CallbackQueue, at: Instant): void => {
  const [first] = correspondence.waiting
  if (first !== undefined) schedule(account, correspondence, Math.max(at, first.notBefore ?? at))
}

/** A callback has met its fate: it is written down, and the next in turn is sent. */
export const moveOn = (
  account: Account,
  correspondence: CallbackQueue,
  done: Callback,
  now: Instant,
): void => {
  update(account.callbacks, done)
  correspondence.waiting.shift()
  scheduleNext(account, correspondence, now)
  closeIfOver(account, correspondence)
}

/** Writes down when the first in turn is to be sent; an entry that was written down before no longer holds. */
export const schedule = (account: Account, correspondence: CallbackQueue, at: Instant): void => {
  correspondence.entry += 1
  correspondence.dueAt = at
  account.agenda.add({ at, kind: 'callback', id: correspondence.taskId, index: correspondence.entry })
}

/** Forgets a correspondence in which nothing more will be said. */
const closeIfOver = (account: Account, correspondence: CallbackQueue): void => {
  if (correspondence.isOver && correspondence.waiting.length === 0 && correspondence.held.length === 0)
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
