import { scheduleNext } from '../account/apply.js'
import { reportStatus, takeDeliveryJob } from '../callback/queue.js'
import type { Account, Effects } from '../model/account.js'
import type { ScheduledEvent } from './schedule.js'
import type { Instant } from './time.js'

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

/** Instant of the next scheduled event of an account; undefined: there is none. */
export const nextDue = ({ schedule }: Account): Instant | undefined => schedule.peek()?.at
