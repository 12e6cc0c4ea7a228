import { EmulatorError } from '../errors.js'
import type { Account } from '../model/account.js'
import type { Callback } from '../model/callback.js'
import type { ScenarioRun } from '../model/scenario-run.js'
import type { CallbackAddress, Task } from '../model/task.js'
import { matchCallback } from '../scenario/apply.js'
import type { AccountEvent } from '../schedule/run-due.js'
import type { ScheduledEvent } from '../schedule/schedule.js'
import type { Instant } from '../schedule/timeline.js'
import { isFinal } from '../task/timeline.js'

/** All that one task has to report, in order. Plain data. */
export interface CallbackQueue {
  readonly taskId: string
  /** `closed`: the challenge failed, so that nothing is sent (gap F9). */
  way: 'challenged' | 'open' | 'closed'
  /** Why the way is closed, in a sentence; left out where the challenge was not answered as it must be. */
  closedFor?: string
  /** What is still to be sent, the first in turn first. */
  waiting: Callback[]
  /** What a scenario has overtaken by the next one of the task. */
  held: Callback[]
  /** The scenario that the create was called with, and that plays for this task alone; left out where there is none. */
  readonly guest?: ScenarioRun
  /** When the first in turn is to be sent; null while it is on its way, and where nothing waits. */
  dueAt: Instant | null
  /** The number of the agenda entry that holds; those before it do not any more. */
  entry: number
  /** Whether the task has ended, so that nothing more will come. */
  isOver: boolean
}

/** The callbacks of an account: what is under way, by task, and the log. */
export interface CallbackLog {
  readonly correspondences: Map<string, CallbackQueue>
  /** By id, oldest first, at most `most`. */
  readonly log: Map<string, Callback>
  readonly most: number
  /** How many had to go to keep the bound. */
  evicted: number
}

export const createCallbackLog = (most: number): CallbackLog => ({
  correspondences: new Map(),
  log: new Map(),
  most,
  evicted: 0,
})

/**
 * Writes a new callback into the log. Where there is no room the oldest goes that has met its fate, or the oldest where
 * none has for long; one that still waits is sent all the same.
 */
const enter = (book: CallbackLog, callback: Callback): void => {
  if (book.log.size >= book.most) {
    book.log.delete(leaverOf(book.log) ?? '')
    book.evicted += 1
  }
  book.log.set(callback.id, callback)
}

// Where very many wait, looking through all of them each time would hold everybody up.
const MOST_LOOKS = 100

const leaverOf = (log: ReadonlyMap<string, Callback>): string | undefined => {
  let oldest: string | undefined
  let looks = 0
  for (const [id, { state }] of log) {
    if (state !== 'waiting') return id
    oldest ??= id
    looks += 1
    if (looks === MOST_LOOKS) break
  }
  return oldest
}

/** Writes what became of a callback, where it still stands in the log. */
export const update = (book: CallbackLog, callback: Callback): void => {
  if (book.log.has(callback.id)) book.log.set(callback.id, callback)
}

/** What became of a callback, in a word: `passed` is a challenge's, `retrying` has another attempt to come. */
type CallbackDetail = 'passed' | 'delivered' | 'retrying' | 'failed' | 'skipped'

export const happened = (callback: Callback, at: Instant, detail: CallbackDetail): AccountEvent => ({
  at,
  kind: 'callback',
  id: callback.id,
  detail,
  callback,
})

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
  const came = task.timeline[moment]
  if (correspondence === undefined || came === undefined || task.callback === undefined) return []
  if (isFinal(came.value)) correspondence.isOver = true
  if (task.timeline[moment - 1]?.value.state === came.value.state) return []
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
  status: kind === 'challenge' ? null : (task.timeline[moment]?.value.state ?? null),
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
  const callback = matchCallback(account, correspondence, blank, at)
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
  fault?.afterNext === true && task.timeline[moment + 1] !== undefined

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

/** A callback that is to be sent now. */
export interface DeliveryJob {
  readonly callback: Callback
  readonly at: Instant
  /** Sent again because somebody asked, out of turn and once. */
  readonly isExtra: boolean
}

/** Whether an entry of the agenda still stands for something that is to be sent. */
export const isStillDue = (account: Account, due: ScheduledEvent): boolean =>
  queueDue(account, due) !== undefined

const queueDue = (account: Account, { id, index, at }: ScheduledEvent): CallbackQueue | undefined => {
  const correspondence = account.callbacks.correspondences.get(id)
  return correspondence?.entry === index && correspondence.dueAt === at ? correspondence : undefined
}

/** Takes the first in turn out of the agenda and on its way. Whoever settles hands it to the courier. */
export const takeDeliveryJob = (account: Account, due: ScheduledEvent): AccountEvent[] => {
  const correspondence = queueDue(account, due)
  const callback = correspondence?.waiting[0]
  if (correspondence === undefined || callback === undefined) return []
  correspondence.dueAt = null
  if (!isOfDeleted(account, callback)) return [sending({ callback, at: due.at, isExtra: false })]
  const done = skipped(callback, 'The task was deleted before this was sent.')
  moveOn(account, correspondence, done, due.at)
  return [happened(done, due.at, 'skipped')]
}

// Only a scenario keeps a callback back for so long that its task can be deleted meanwhile.
const isOfDeleted = (account: Account, { fault, taskId }: Callback): boolean =>
  fault?.late !== undefined && fault.evenIfDeleted !== true && !account.tasks.has(taskId)

/** A posting on its way from the agenda to the courier; not yet something that has happened. */
const sending = (posting: DeliveryJob): AccountEvent => ({
  at: posting.at,
  kind: 'callback',
  id: posting.callback.id,
  detail: 'sending',
  posting,
})

/**
 * Sends a callback of the log again now. One that waits for its next attempt has it now instead.
 * @throws EmulatorError `unknown-callback` or `callback-waiting`
 */
export const resend = (account: Account, id: string, now: Instant): AccountEvent[] => {
  const callback = account.callbacks.log.get(id)
  if (callback === undefined) throw unknownCallback(id)
  if (callback.state !== 'waiting') return [sending({ callback, at: now, isExtra: true })]
  const correspondence = account.callbacks.correspondences.get(callback.taskId)
  if (correspondence?.waiting[0]?.id !== id || correspondence.dueAt === null) throw stillWaiting(id)
  schedule(account, correspondence, now)
  return []
}

export const unknownCallback = (id: string): EmulatorError =>
  new EmulatorError(`The callback log of this account has no callback ${id}.`, {
    code: 'unknown-callback',
    hint: 'The log lists those it has; old ones are evicted (setting callbackLogEntries).',
  })

const stillWaiting = (id: string): EmulatorError =>
  new EmulatorError(`The callback ${id} has not been sent yet: it is on its way, or waits for its turn.`, {
    code: 'callback-waiting',
    hint: 'Callbacks of a task are sent in order; wait until the ones before it have been answered or given up.',
  })
