import type { Batch } from '../accounts/persistence/port.js'
import type { StoredCallback, StoredHead, StoredQueue, StoredRun } from '../accounts/persistence/records.js'
import { putAsset } from '../core/asset.js'
import type { Account, Callback, ScenarioRun } from '../core/model/account.js'
import type { Asset } from '../core/model/asset.js'
import type { Task } from '../core/model/task.js'
import { scenarioSchema } from '../core/scenario/schema.js'
import type { Scenarios } from './load-account.js'

/**
 * Applies the batch of another replica to an account in memory, its schedule included. False where the batch removes the
 * account, which then has to be loaded anew.
 */
export const applyBatch = (account: Account, batch: Batch, scenarios: Scenarios): boolean => {
  for (const [kind, id, value] of batch) {
    if (kind === 'account' && value === null) return false
    if (kind === 'scenario') scenarios.set(id, scenarioSchema.parse(value))
    else if (kind === 'account') applyHead(account, value as StoredHead, scenarios)
    else if (kind === 'task') applyTask(account, id, value as Task | null)
    else if (kind === 'next') applyNext(account, id, value as number | null)
    else if (kind === 'asset') applyAsset(account, id, value as Asset | null)
    else if (kind === 'correspondence') applyQueue(account, id, value as StoredQueue | null, scenarios)
    else applyCallback(account, id, value as StoredCallback | null)
  }
  return true
}

const applyHead = (account: Account, head: StoredHead, scenarios: Scenarios): void => {
  const { settledTo, callbacksEvicted, playing, recentCreates, ...fields } = head
  Object.assign(account, fields)
  // Without a limit they are not stored; they follow from what was created.
  if (fields.limits.requestsPerMinute !== null) account.recentCreates = [...recentCreates]
  account.callbacks.evicted = callbacksEvicted
  account.playing = playing.map((run) => runOf(run, scenarios))
  const { schedule } = account
  for (let due = schedule.peek(); due !== undefined && due.at <= settledTo; due = schedule.peek())
    schedule.take()
}

const runOf = (run: StoredRun, scenarios: Scenarios): ScenarioRun => {
  const scenario = scenarios.get(run.scenario)
  if (scenario === undefined) throw new Error(`The scenario ${run.scenario} plays, but is not in the store.`)
  return { ...run, scenario }
}

const applyTask = (account: Account, id: string, task: Task | null): void => {
  const { tasks, schedule } = account
  if (task === null) {
    tasks.delete(id)
    schedule.delete('task', id)
    return
  }
  if (!tasks.has(id)) account.recentCreates.push(task.createdAt)
  const next = tasks.nextOf(id)
  tasks.set(task, next)
  if (next !== undefined) applyNext(account, id, next)
}

const applyNext = ({ tasks, schedule }: Account, id: string, next: number | null): void => {
  const at = next === null ? undefined : tasks.get(id)?.timeline[next]?.at
  if (next === null || at === undefined) {
    tasks.setNext(id, undefined)
    schedule.delete('task', id)
    return
  }
  tasks.setNext(id, next)
  schedule.set({ at, kind: 'task', id, index: next })
}

const applyAsset = (account: Account, id: string, asset: Asset | null): void => {
  if (asset !== null) {
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
  const { waiting, held, requestRun, ...rest } = queue
  queues.set(id, {
    ...rest,
    waiting: waiting.flatMap((callback) => callbackOf(account, callback) ?? []),
    held: held.flatMap((callback) => callbackOf(account, callback) ?? []),
    ...(requestRun === undefined ? {} : { requestRun: runOf(requestRun, scenarios) }),
  })
  const { dueAt: at, entry: index } = queue
  if (at !== null) account.schedule.set({ at, kind: 'callback', id, index })
}

const applyCallback = (account: Account, id: string, stored: StoredCallback | null): void => {
  const { log } = account.callbacks
  const callback = stored === null ? undefined : callbackOf(account, stored)
  if (callback === undefined) log.delete(id)
  else log.set(id, callback)
}

const callbackOf = (account: Account, { task, ...callback }: StoredCallback): Callback | undefined => {
  const reported = task ?? account.tasks.get(callback.taskId)
  return reported === undefined ? undefined : { ...callback, task: reported }
}
