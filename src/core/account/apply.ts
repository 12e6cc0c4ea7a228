import type { Asset } from '../asset.js'
import { openCallbackQueue } from '../callback/queue.js'
import type { Change } from '../contract.js'
import type { Account, ScenarioRun } from '../model/account.js'
import type { Task } from '../model/task.js'
import { removeTask } from './eviction.js'
import { recordCreate } from './rate-limit.js'

/** Applies the changes of a decision to its account. */
export const apply = (account: Account, changes: readonly Change[]): void => {
  for (const change of changes) applyOne(account, change)
}

const applyOne = (account: Account, change: Change): void => {
  if ('putTask' in change) putTask(account, change.putTask, change.requestRun)
  else if ('dropTask' in change) dropTask(account, change.dropTask)
  else if ('putAsset' in change) putAsset(account, change.putAsset)
  else if ('countImages' in change) account.imagesMade += change.countImages
  else acceptCreate(account, change.acceptCreate)
}

// A known task keeps its next moment: what has happened to it is not run again.
const putTask = (account: Account, task: Task, requestRun?: ScenarioRun): void => {
  const known = account.tasks.get(task.id)
  const next = account.tasks.nextOf(task.id) ?? known?.timeline.length ?? 1
  account.tasks.set(task, task.timeline[next] === undefined ? undefined : next)
  if (known === undefined && task.callback !== undefined)
    openCallbackQueue(account, task, task.callback, requestRun)
  scheduleNext(account, task, next)
}

/** Schedules the moment `index` of a task as its next one; removes its entry where the timeline has no such moment. */
export const scheduleNext = (account: Account, task: Task, index: number): void => {
  const moment = task.timeline[index]
  account.tasks.setNext(task.id, moment === undefined ? undefined : index)
  if (moment === undefined) account.schedule.delete('task', task.id)
  else account.schedule.set({ at: moment.at, kind: 'task', id: task.id, index })
}

/** Adds a new asset and schedules the end of its processing. */
export const putAsset = (account: Account, asset: Asset): void => {
  account.assets.set(asset.id, asset)
  account.jobs.set(asset.jobId, asset.id)
  for (const [index, { at }] of asset.timeline.entries())
    if (index > 0) account.schedule.set({ at, kind: 'asset', id: asset.id, index })
}

const dropTask = (account: Account, id: string): void => {
  const task = account.tasks.get(id)
  if (task !== undefined) removeTask(account, task)
}

const acceptCreate = (account: Account, now: number): void => {
  account.sequence += 1
  recordCreate(account, now)
}
