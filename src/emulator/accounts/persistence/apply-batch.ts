import { recordCreate } from '../../core/account/account.js'
import { putAsset, scheduleNext } from '../../core/account/apply.js'
import type { Asset } from '../../core/asset.js'
import type { Account } from '../../core/model/account.js'
import type { Task } from '../../core/model/task.js'
import { scenarioSchema } from '../../core/scenario/schema.js'
import { callbackOf, parseScenarios, queueOf, readAccount, runOf, type Scenarios } from './account-records.js'
import { BadRecord } from './errors.js'
import {
  applyRecord,
  type Batch,
  type ChangeRecord,
  emptyState,
  recordsFor,
  type StoredAccount,
  type StoredCallback,
  type StoredHead,
  type StoredQueue,
} from './records.js'
import { clockNotBefore, scheduledAccount } from './resume-account.js'

/**
 * Loads the account that batches result in, with its schedule; undefined where the last of them removed it. A live clock runs by
 * the store's time. Records are trusted: this program wrote them, in a version that it knows.
 */
export const loadAccount = (
  key: string,
  batches: readonly { readonly batch: Batch }[],
  { maxCallbacks, now }: { readonly maxCallbacks: number; readonly now: number },
): { readonly account: Account | undefined; readonly scenarios: Scenarios } => {
  const state = emptyState()
  for (const { batch } of batches) for (const record of recordsFor(key, batch)) applyRecord(state, record)
  const scenarios = parseScenarios(state)
  const stored = state.accounts.get(key)
  if (stored?.head === undefined) return { account: undefined, scenarios }
  const { account, settledTo } = readAccount(key, withoutOrphans(stored), scenarios, maxCallbacks)
  const clock = clockNotBefore(account.clock, settledTo, now)
  const scheduled = scheduledAccount({ ...account, clock }, settledTo)
  for (const { dueAt: at, taskId: id, entry: index } of scheduled.callbacks.queues.values())
    if (at !== null) scheduled.schedule.set({ at, kind: 'callback', id, index })
  return { account: scheduled, scenarios }
}

// A store that lost its tail in a failover can have records of a task without the task.
const withoutOrphans = (stored: StoredAccount): StoredAccount => {
  for (const id of stored.next.keys()) if (!stored.task.has(id)) stored.next.delete(id)
  for (const [id, { task, taskId }] of stored.callback)
    if (task === undefined && !stored.task.has(taskId)) stored.callback.delete(id)
  for (const [id, { waiting, held }] of stored.correspondence)
    if ([...waiting, ...held].some(({ task, taskId }) => task === undefined && !stored.task.has(taskId)))
      stored.correspondence.delete(id)
  return stored
}

/**
 * Applies the batch of another replica to an account in memory, its schedule included. False where the batch removes the
 * account or does not fit it, so that the account has to be loaded anew.
 */
export const applyBatch = (account: Account, batch: Batch, scenarios: Scenarios): boolean => {
  try {
    for (const record of batch) if (!applyRecordTo(account, record, scenarios)) return false
    return true
  } catch (error) {
    if (error instanceof BadRecord) return false
    throw error
  }
}

const applyRecordTo = (account: Account, [kind, id, value]: ChangeRecord, scenarios: Scenarios): boolean => {
  if (kind === 'account') {
    if (value === null) return false
    applyHead(account, value, scenarios)
  } else if (kind === 'scenario') scenarios.set(id, scenarioSchema.parse(value))
  else if (kind === 'task') applyTask(account, id, value)
  else if (kind === 'next') applyNext(account, id, value)
  else if (kind === 'asset') applyAsset(account, id, value)
  else if (kind === 'correspondence') applyQueue(account, id, value, scenarios)
  else applyCallback(account, id, value)
  return true
}

const applyHead = (account: Account, head: StoredHead, scenarios: Scenarios): void => {
  const { ordinal: sequence, settledTo, callbacksEvicted, playing, recentCreates, ...fields } = head
  Object.assign(account, fields, { sequence })
  // Without a limit they are not stored; they follow from what was created.
  if (fields.limits.requestsPerMinute !== null) account.recentCreates = [...recentCreates]
  account.callbacks.evicted = callbacksEvicted
  account.playing = playing.map((run) => runOf(run, scenarios))
  const { schedule } = account
  for (let due = schedule.peek(); due !== undefined && due.at <= settledTo; due = schedule.peek())
    schedule.take()
}

const applyTask = (account: Account, id: string, task: Task | null): void => {
  const { tasks, schedule } = account
  if (task === null) {
    tasks.delete(id)
    schedule.delete('task', id)
    return
  }
  if (!tasks.has(id)) applyCreate(account, task)
  const next = tasks.nextOf(id)
  tasks.set(task, next)
  if (next !== undefined) scheduleNext(account, task, next)
}

// With a limit, the head of the account holds them.
const applyCreate = (account: Account, { createdAt }: Task | Asset): void => {
  if (account.limits.requestsPerMinute === null) recordCreate(account, createdAt)
}

const applyNext = (account: Account, id: string, next: number | null): void => {
  const task = account.tasks.get(id)
  if (task !== undefined) scheduleNext(account, task, next ?? task.timeline.length)
}

const applyAsset = (account: Account, id: string, asset: Asset | null): void => {
  if (asset !== null) {
    if (!account.assets.has(id)) applyCreate(account, asset)
    putAsset(account, asset)
    return
  }
  const jobId = account.assets.get(id)?.jobId
  account.assets.delete(id)
  account.schedule.delete('asset', id)
  if (jobId !== undefined) account.jobs.delete(jobId)
}

const applyQueue = (account: Account, id: string, queue: StoredQueue | null, scenarios: Scenarios): void => {
  const { queues } = account.callbacks
  account.tasks.setReporting(id, queue !== null)
  account.schedule.delete('callback', id)
  if (queue === null) {
    queues.delete(id)
    return
  }
  queues.set(id, queueOf(queue, account.tasks, scenarios))
  const { dueAt: at, entry: index } = queue
  if (at !== null) account.schedule.set({ at, kind: 'callback', id, index })
}

const applyCallback = (
  { tasks, callbacks: { log } }: Account,
  id: string,
  stored: StoredCallback | null,
): void => {
  if (stored === null) log.delete(id)
  else log.set(id, callbackOf(stored, tasks))
}
