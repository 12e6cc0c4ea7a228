import { scheduleNext } from '../account/apply.js'
import { takeAssetMoment } from '../asset.js'
import { type DeliveryJob, isStillDue, reportMoment, takeDeliveryJob } from '../callback/queue.js'
import type { Account } from '../model/account.js'
import type { Callback } from '../model/callback.js'
import type { Task } from '../model/task.js'
import type { ScheduledEvent } from './schedule.js'
import type { Instant } from './timeline.js'

/** Something that came about on an account's clock. */
export interface AccountEvent {
  readonly at: Instant
  readonly kind: 'task' | 'asset' | 'callback'
  readonly id: string
  /** What it became: `running`, `succeeded`, `delivered`. */
  readonly detail: string
  readonly task?: Task
  /** As it is now; left out for other kinds. */
  readonly callback?: Callback
  /** To be handed to the courier. Whoever drives the clock keeps these apart from what has happened. */
  readonly posting?: DeliveryJob
}

/**
 * Lets everything happen that is due by `now`, in order, and says what it was. Answers do not depend on it: they
 * follow from lives and the clock. It keeps the books (what was spent, what is in flight) and names what others wait for.
 */
export const runDue = (account: Account, now: Instant): AccountEvent[] => {
  const happenings: AccountEvent[] = []
  for (let due = account.agenda.peek(); due !== undefined && due.at <= now; due = account.agenda.peek()) {
    account.agenda.take()
    happenings.push(...come(account, due))
  }
  return happenings
}

const come = (account: Account, due: ScheduledEvent): AccountEvent[] => {
  if (due.kind === 'callback') return takeDeliveryJob(account, due)
  if (due.kind === 'asset') return takeAssetMoment(account, due)
  const task = currentTask(account, due)
  const phase = task?.timeline[due.index]?.value
  if (task === undefined || phase === undefined) return []
  if (phase.state === 'succeeded') account.spent += task.price
  scheduleNext(account, task, due.index + 1)
  const happening: AccountEvent = { at: due.at, kind: 'task', id: task.id, detail: phase.state, task }
  return [happening, ...reportMoment(account, task, due.index)]
}

/** The task of an entry that still holds; a task that was rewritten or removed meanwhile has another entry or none. */
const currentTask = (account: Account, { id, index, at }: ScheduledEvent): Task | undefined => {
  const task = account.tasks.get(id)
  return account.open.get(id) === index && task?.timeline[index]?.at === at ? task : undefined
}

/** Whether an entry of the agenda still stands for something. The lives of assets are not rewritten, so theirs always do. */
export const holds = (account: Account, due: ScheduledEvent): boolean => {
  if (due.kind === 'callback') return isStillDue(account, due)
  return due.kind === 'asset' || currentTask(account, due) !== undefined
}

/** When something next happens on the account; entries that no longer hold are dropped on the way. */
export const nextDue = (account: Account): Instant | undefined => {
  for (let due = account.agenda.peek(); due !== undefined; due = account.agenda.peek()) {
    if (holds(account, due)) return due.at
    account.agenda.take()
  }
  return undefined
}
