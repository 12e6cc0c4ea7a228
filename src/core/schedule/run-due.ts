import { scheduleNext } from '../account/apply.js'
import { takeAssetMoment } from '../asset.js'
import { isStillDue, reportStatus, takeDeliveryJob } from '../callback/queue.js'
import type { Account } from '../model/account.js'
import type { Effects } from '../model/event.js'
import type { Task } from '../model/task.js'
import type { ScheduledEvent } from './schedule.js'
import type { Instant } from './timeline.js'

/**
 * Runs everything that is due by `now`, in order. Answers do not depend on it: they follow from timelines and the clock.
 * It keeps what is counted (spent, in flight) up to date, and adds what happened and what is to be sent to the effects.
 */
export const runDue = (
  account: Account,
  now: Instant,
  effects: Effects = { events: [], jobs: [] },
): Effects => {
  const { schedule } = account
  for (let due = schedule.peek(); due !== undefined && due.at <= now; due = schedule.peek()) {
    schedule.take()
    if (due.kind === 'callback') takeDeliveryJob(account, due, effects)
    else if (due.kind === 'asset') effects.events.push(...takeAssetMoment(account, due))
    else runTaskMoment(account, due, effects)
  }
  return effects
}

const runTaskMoment = (account: Account, due: ScheduledEvent, { events }: Effects): void => {
  const task = currentTask(account, due)
  const phase = task?.timeline[due.index]?.value
  if (task === undefined || phase === undefined) return
  if (phase.state === 'succeeded') account.spent += task.price
  scheduleNext(account, task, due.index + 1)
  events.push({ at: due.at, kind: 'task', id: task.id, detail: phase.state, task })
  events.push(...reportStatus(account, task, due.index))
}

/** The task of an entry that is not stale; a task that was rewritten or removed has another entry or none. */
const currentTask = (account: Account, { id, index, at }: ScheduledEvent): Task | undefined => {
  const task = account.tasks.get(id)
  return account.open.get(id) === index && task?.timeline[index]?.at === at ? task : undefined
}

/** Whether a schedule entry is not stale. Timelines of assets are never rewritten, so that theirs never are. */
const isCurrent = (account: Account, due: ScheduledEvent): boolean => {
  if (due.kind === 'callback') return isStillDue(account, due)
  return due.kind === 'asset' || currentTask(account, due) !== undefined
}

/** When something next happens on the account; stale entries are dropped on the way. */
export const nextDue = (account: Account): Instant | undefined => {
  const { schedule } = account
  for (let due = schedule.peek(); due !== undefined; due = schedule.peek()) {
    if (isCurrent(account, due)) return due.at
    schedule.take()
  }
  return undefined
}

/** Removes the stale entries of the schedule: those of tasks that were cancelled, forced or deleted. */
export const compactSchedule = (account: Account): void =>
  account.schedule.compact((due) => isCurrent(account, due))
