import { EmulatorError } from '../errors.js'
import type {
  Account,
  AccountEvent,
  Callback,
  CallbackLog,
  CallbackQueue,
  Effects,
  ScenarioRun,
} from '../model/account.js'
import { type CallbackAddress, isFinal, type Task } from '../model/task.js'
import { matchCallback } from '../scenario/apply.js'
import type { ScheduledEvent } from '../schedule/schedule.js'
import type { Instant } from '../schedule/time.js'

/**
 * Opens the outbox of a new task, its callback queue: the challenge, if there is one, and the first status (gap Z16). Returns
 * events of callbacks that are skipped.
 * @param run of a scenario that applies to this task alone
 */
export const openCallbackQueue = (
  account: Account,
  task: Task,
  address: CallbackAddress,
  run?: ScenarioRun,
): AccountEvent[] => {
  const queue: CallbackQueue = {
    taskId: task.id,
    verification: address.challenge === undefined ? 'open' : 'challenged',
    waiting: [],
    held: [],
    dueAt: null,
    entry: 0,
    isOver: false,
    ...(run === undefined ? {} : { requestRun: run }),
  }
  save(account, queue)
  if (address.verified !== undefined)
    return [...logVerified(account, task, address.url, address.verified), ...reportStatus(account, task, 0)]
  const ofChallenge =
    address.challenge === undefined
      ? []
      : enqueue(account, queue, newCallback(task, address.url, 'challenge', 0), task.createdAt)
  return [...ofChallenge, ...reportStatus(account, task, 0)]
}

/** Logs a challenge that was passed before the task was made. */
const logVerified = (
  { callbacks }: Account,
  task: Task,
  url: string,
  { challenge, attempt }: NonNullable<CallbackAddress['verified']>,
): AccountEvent[] => {
  const passed: Callback = {
    ...newCallback(task, url, 'challenge', 0),
    body: { challenge },
    attempts: [attempt],
    state: 'delivered',
  }
  addToLog(callbacks, passed)
  return [callbackEvent(passed, task.createdAt, 'passed')]
}

/**
 * Enqueues the callback of a task's moment, if its status is another than before. Returns events of callbacks that are
 * skipped; the others bring events when they have been tried.
 */
export const reportStatus = (account: Account, task: Task, moment: number): AccountEvent[] => {
  const open = account.callbacks.queues.get(task.id)
  const reached = task.timeline[moment]
  if (open === undefined || reached === undefined || task.callback === undefined) return []
  const queue = isFinal(reached.value) ? { ...open, isOver: true } : open
  if (task.timeline[moment - 1]?.value.state === reached.value.state) {
    save(account, queue)
    return []
  }
  const callback = newCallback(task, task.callback.url, 'delivery', moment)
  if (queue.verification !== 'closed') return enqueue(account, queue, callback, reached.at)
  const unsent = skipped(callback, queue.closedFor)
  addToLog(account.callbacks, unsent)
  save(account, queue)
  return [callbackEvent(unsent, reached.at, 'skipped')]
}

/** Delivery id of the challenge of a task. */
export const challengeId = (task: string): string => `${task}-0`

const newCallback = (task: Task, url: string, kind: Callback['kind'], moment: number): Callback => ({
  id: kind === 'challenge' ? challengeId(task.id) : `${task.id}-${moment + 1}`,
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

/** Adds a callback to the queue, as scenarios change it. Returns an event if it is never sent. */
const enqueue = (account: Account, queue: CallbackQueue, message: Callback, at: Instant): AccountEvent[] => {
  const current = { ...queue }
  const callback = matchCallback(account, current, message, at)
  if (isReordered(callback)) {
    addToLog(account.callbacks, callback)
    save(account, { ...current, held: [...current.held, callback] })
    return []
  }
  const isNeverSent = callback.fault?.never === true
  const logged = isNeverSent ? skipped(callback, NEVER_SENT) : callback
  addToLog(account.callbacks, logged)
  const added = [...(isNeverSent ? [] : [callback]), ...current.held.toReversed()]
  const next: CallbackQueue = {
    ...current,
    // Without a challenge there is no verified address.
    ...(isNeverSent && callback.kind === 'challenge' ? closed(CHALLENGE_NEVER_SENT) : {}),
    waiting: [...current.waiting, ...added],
    held: [],
  }
  save(account, current.waiting.length === 0 ? scheduleFirst(account, next, at) : next)
  return isNeverSent ? [callbackEvent(logged, at, 'skipped')] : []
}

const NEVER_SENT = 'Dropped by a scenario step (`callback.never`).'
const CHALLENGE_NEVER_SENT =
  'The challenge was dropped by a scenario step (`callback.never`), so that nothing is sent for this task.'
const CHALLENGE_FAILED =
  'The challenge was not answered as it must be, so that nothing is sent for this task.'

const isReordered = ({ fault, task, moment }: Callback): boolean =>
  fault?.afterNext === true && task.timeline[moment + 1] !== undefined

/** A callback that is never sent, with the reason. */
const skipped = (callback: Callback, reason = CHALLENGE_FAILED): Callback => ({
  ...callback,
  state: 'skipped',
  reason,
})

/** Fields of a queue that sends nothing more. `reason`: default: the challenge was not returned. */
const closed = (reason?: string): Pick<CallbackQueue, 'verification' | 'closedFor'> => ({
  verification: 'closed',
  ...(reason === undefined ? {} : { closedFor: reason }),
})

/** Schedules the first waiting callback, now or when a scenario allows it; does nothing if none waits. */
const scheduleFirst = (account: Account, queue: CallbackQueue, at: Instant): CallbackQueue => {
  const [first] = queue.waiting
  return first === undefined ? queue : scheduledAt(account, queue, Math.max(at, first.notBefore ?? at))
}

/** Schedules the first waiting callback at an instant; an entry of before becomes stale. */
export const scheduledAt = (account: Account, queue: CallbackQueue, at: Instant): CallbackQueue => {
  const entry = queue.entry + 1
  account.schedule.set({ at, kind: 'callback', id: queue.taskId, index: entry })
  return { ...queue, entry, dueAt: at }
}

/** Saves a queue, or deletes it when nothing more will be sent. */
export const save = ({ callbacks: { queues }, tasks }: Account, queue: CallbackQueue): void => {
  const isDone = queue.isOver && queue.waiting.length === 0 && queue.held.length === 0
  if (isDone) queues.delete(queue.taskId)
  else queues.set(queue.taskId, queue)
  tasks.setReporting(queue.taskId, !isDone)
}

/** Dequeues the first callback, which is done, and schedules the next. */
export const dequeue = (account: Account, queue: CallbackQueue, done: Callback, now: Instant): void => {
  updateLog(account.callbacks, done)
  save(account, scheduleFirst(account, { ...queue, waiting: queue.waiting.slice(1) }, now))
}

/**
 * Dequeues a challenge that was not returned, and skips what waits behind it.
 * @param reason default: the challenge was not answered as it must be
 */
export const closeQueue = (
  account: Account,
  queue: CallbackQueue,
  challenge: Callback,
  now: Instant,
  reason?: string,
): AccountEvent[] => {
  const unsent = [...queue.waiting.slice(1), ...queue.held].map((callback) => skipped(callback, reason))
  for (const callback of unsent) updateLog(account.callbacks, callback)
  const first = queue.waiting.slice(0, 1)
  dequeue(account, { ...queue, ...closed(reason), waiting: first, held: [] }, challenge, now)
  return unsent.map((callback) => callbackEvent(callback, now, 'skipped'))
}

/** Schedules what waits in an account that was stored or copied. What was in flight is sent again, with the same delivery id. */
export const resumeCallbacks = (account: Account, now: Instant): void => {
  for (const queue of account.callbacks.queues.values())
    if (queue.waiting.length > 0) save(account, scheduledAt(account, queue, queue.dueAt ?? now))
}

/** Takes the delivery job of a schedule entry that is due. A callback of a deleted task is not sent. */
export const takeDeliveryJob = (account: Account, due: ScheduledEvent, { events, jobs }: Effects): void => {
  const queue = account.callbacks.queues.get(due.id)
  const callback = queue?.waiting[0]
  if (queue === undefined || callback === undefined) return
  if (queue.entry !== due.index || queue.dueAt !== due.at) return
  const inFlight = { ...queue, dueAt: null }
  if (isOfDeletedTask(account, callback)) {
    const done = endedByDeletion(asLogged(account.callbacks, callback))
    events.push(callbackEvent(done, due.at, done.state === 'skipped' ? 'skipped' : 'failed'))
    // Without a challenge there is no verified address.
    if (done.kind === 'challenge') events.push(...closeQueue(account, inFlight, done, due.at, done.reason))
    else dequeue(account, inFlight, done, due.at)
    return
  }
  save(account, inFlight)
  jobs.push({ callback, at: due.at, isResend: false, entry: queue.entry })
  const { atOnce, copies = 1 } = callback.fault ?? {}
  // Out of turn, so that none waits for the answer to another. A retry is sent alone.
  if (atOnce && callback.attempts.length === 0)
    for (let left = copies - 1; left > 0; left -= 1) jobs.push({ callback, at: due.at, isResend: true })
}

// Only a scenario keeps a callback back for so long that its task can be deleted meanwhile.
const isOfDeletedTask = (account: Account, { fault, notBefore, taskId }: Callback): boolean =>
  notBefore !== undefined && fault?.evenIfDeleted !== true && !account.tasks.has(taskId)

// What has arrived once stays delivered.
const endedByDeletion = (callback: Callback): Callback => {
  if (callback.attempts.length === 0) return skipped(callback, 'The task was deleted before this was sent.')
  if (callback.state === 'delivered') return callback
  return { ...callback, state: 'failed', reason: 'The task was deleted before this was tried again.' }
}

/** First callback of a queue with the attempts and the state of the log, where copies that are sent at once are recorded too. */
export const asLogged = ({ log }: CallbackLog, first: Callback): Callback => {
  const { attempts, state } = log.get(first.id) ?? first
  return { ...first, attempts, state }
}

/**
 * Resends a callback of the log now. One that waits for its next attempt is tried now instead.
 * @throws EmulatorError `unknown-callback` or `callback-waiting`
 */
export const resend = (account: Account, id: string, now: Instant, { jobs }: Effects): void => {
  const callback = account.callbacks.log.get(id)
  if (callback === undefined) throw unknownCallback(id)
  if (callback.state !== 'waiting') {
    jobs.push({ callback, at: now, isResend: true })
    return
  }
  const queue = account.callbacks.queues.get(callback.taskId)
  if (queue?.waiting[0]?.id !== id || queue.dueAt === null) throw stillWaiting(id)
  save(account, scheduledAt(account, queue, now))
}

/** Error about an id that the callback log does not have. */
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

/**
 * Adds a callback to the log. Eviction, once it is full: the oldest finished entry goes, or the oldest of all where the first
 * 100 are pending. An evicted callback is sent all the same.
 */
const addToLog = (callbacks: CallbackLog, callback: Callback): void => {
  if (callbacks.log.size >= callbacks.max) {
    callbacks.log.delete(evictionCandidate(callbacks.log) ?? '')
    callbacks.evicted += 1
  }
  callbacks.log.set(callback.id, callback)
}

const MAX_SCANNED = 100

const evictionCandidate = (log: ReadonlyMap<string, Callback>): string | undefined => {
  let oldest: string | undefined
  let scanned = 0
  for (const [id, { state }] of log) {
    if (state !== 'waiting') return id
    oldest ??= id
    scanned += 1
    if (scanned === MAX_SCANNED) break
  }
  return oldest
}

/** Updates a callback in the log, unless it was evicted. */
export const updateLog = ({ log }: CallbackLog, callback: Callback): void => {
  if (log.has(callback.id)) log.set(callback.id, callback)
}

/** What became of a callback: `passed` is a challenge's, `retrying` means that another attempt follows. */
type CallbackDetail = 'passed' | 'delivered' | 'retrying' | 'failed' | 'skipped'

/** Account event of a callback that has got a new state. */
export const callbackEvent = (callback: Callback, at: Instant, detail: CallbackDetail): AccountEvent => ({
  at,
  kind: 'callback',
  id: callback.id,
  detail,
  callback,
})
