import type { Asset } from '../asset.js'
import { openCallbackQueue, reportStatus, takeDeliveryJob } from '../callback/queue.js'
import type { Change } from '../contract.js'
import type { Account, AccountEvent, Callback, Effects, ScenarioRun } from '../model/account.js'
import type { Phase, Task } from '../model/task.js'
import type { ScheduledEvent } from '../schedule/schedule.js'
import type { Instant } from '../schedule/time.js'
import { recordCreate } from './account.js'
import { bytesOfTask } from './task-table.js'

/** Applies the changes of a decision to its account. Returns events of callbacks that are skipped. */
export const apply = (account: Account, changes: readonly Change[]): AccountEvent[] => {
  const events: AccountEvent[] = []
  for (const change of changes)
    if ('putTask' in change) events.push(...putTask(account, change.putTask, change.requestRun))
    else if ('dropTask' in change) dropTask(account, change.dropTask)
    else if ('putAsset' in change) putAsset(account, change.putAsset)
    else if ('countImages' in change) account.imagesMade += change.countImages
    else {
      account.sequence += 1
      recordCreate(account, change.acceptCreate)
    }
  return events
}

// A known task keeps its next moment: what has happened to it is not run again.
const putTask = (account: Account, task: Task, requestRun?: ScenarioRun): AccountEvent[] => {
  const known = account.tasks.get(task.id)
  const next = account.tasks.nextOf(task.id) ?? known?.timeline.length ?? 1
  account.tasks.set(task, task.timeline[next] === undefined ? undefined : next)
  const events =
    known === undefined && task.callback !== undefined
      ? openCallbackQueue(account, task, task.callback, requestRun)
      : []
  scheduleNext(account, task, next)
  return events
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

/**
 * Runs everything that is due by `now`, in order. Answers do not depend on it: they follow from timelines and the clock.
 * It keeps what is counted (spent, in flight) up to date, and adds what happened and what is to be sent to the effects.
 * @param max how many events are run at most
 */
export const runDue = (
  account: Account,
  now: Instant,
  effects: Effects = { events: [], jobs: [] },
  max = Number.POSITIVE_INFINITY,
): Effects => {
  const { schedule } = account
  let count = 0
  for (let due = schedule.peek(); due !== undefined && due.at <= now; due = schedule.peek()) {
    if (count === max) break
    count += 1
    schedule.take()
    if (due.kind === 'callback') takeDeliveryJob(account, due, effects)
    else if (due.kind === 'asset') runAssetMoment(account, due, effects)
    else runTaskMoment(account, due, effects)
  }
  return effects
}

const runTaskMoment = (account: Account, due: ScheduledEvent, { events }: Effects): void => {
  const task = account.tasks.get(due.id)
  const phase = task?.timeline[due.index]?.value
  if (task === undefined || phase === undefined) return
  if (phase.state === 'succeeded') account.spent += task.price
  scheduleNext(account, task, due.index + 1)
  events.push({ at: due.at, kind: 'task', id: task.id, detail: phase.state, task })
  events.push(...reportStatus(account, task, due.index))
}

const runAssetMoment = (account: Account, { at, id, index }: ScheduledEvent, { events }: Effects): void => {
  const phase = account.assets.get(id)?.timeline[index]?.value
  if (phase !== undefined) events.push({ at, kind: 'asset', id, detail: phase.state })
}

/** Instant of the next scheduled event of an account, or undefined where there is none. */
export const nextDue = ({ schedule: { nextAt } }: Account): Instant | undefined =>
  Number.isFinite(nextAt) ? nextAt : undefined

/** The params of a larger task are dropped from the callback log when the task is removed. */
const LARGE_TASK_BYTES = 16 * 1024

/** Removes a task. Its finished callbacks stay in the log, without the params of the task if it was large. */
export const removeTask = (account: Account, task: Task): void => {
  account.tasks.delete(task.id)
  account.schedule.delete('task', task.id)
  if (bytesOfTask(task) > LARGE_TASK_BYTES) dropParamsInLog(account, task.id)
}

const dropParamsInLog = ({ callbacks: { log } }: Account, taskId: string): void => {
  for (const [id, callback] of log)
    if (callback.taskId === taskId && callback.state !== 'waiting') log.set(id, withoutParams(callback))
}

const withoutParams = ({ task, ...rest }: Callback): Callback => ({
  ...rest,
  task: {
    ...task,
    params: {},
    timeline: task.timeline.map(({ at, value }) => ({ at, value: withoutMedia(value) })),
  },
})

const withoutMedia = (phase: Phase<string>): Phase<string> =>
  phase.state === 'succeeded' ? { ...phase, media: [] } : phase
