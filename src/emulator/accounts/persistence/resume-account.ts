import { resumeCallbacks } from '../../core/callback/queue.js'
import type { Account } from '../../core/model/account.js'
import type { Task } from '../../core/model/task.js'
import { Schedule } from '../../core/schedule/schedule.js'
import { type ClockState, clockAt, type Instant, readClock } from '../../core/schedule/time.js'

/** Copy of an account with an empty schedule. Records are shared, since nothing rewrites them. */
export const copyAccount = (account: Account): Account => ({
  ...account,
  recentCreates: [...account.recentCreates],
  tasks: account.tasks.copy(),
  assets: new Map(account.assets),
  jobs: new Map(account.jobs),
  schedule: new Schedule(),
  callbacks: {
    ...account.callbacks,
    queues: new Map(account.callbacks.queues),
    log: new Map(account.callbacks.log),
  },
})

/**
 * Fills the schedule of an account that was read or copied: moments of tasks and assets, and callbacks. What happened up
 * to `settledTo` is not done again; callbacks that were in flight then are sent once more.
 */
export const resumeAccount = (account: Account, settledTo: Instant, now: Instant): Account => {
  const resumed = scheduledAccount(account, settledTo)
  resumeCallbacks(resumed, now)
  return resumed
}

/** Continues an account from an instant of its clock, at which it was copied or stored. */
export const continueAccount = (account: Account, at: Instant, systemNow: Instant): Account =>
  resumeAccount({ ...account, clock: clockAt(account.clock, at, systemNow) }, at, at)

/** Clock at an instant or later: the system's may have been set back since, and what has happened does not happen again. */
export const clockNotBefore = (clock: ClockState, settledTo: Instant, systemNow: Instant): ClockState =>
  readClock(clock, systemNow) < settledTo ? clockAt(clock, settledTo, systemNow) : clock

/** Account as it was, without its callbacks: those that are in flight may be so in another process. */
export const scheduledAccount = (account: Account, settledTo: Instant): Account => {
  const resumed = { ...account, schedule: new Schedule() }
  for (const { task, next } of openTasks(resumed))
    resumed.schedule.set({ at: atOf(task, next), kind: 'task', id: task.id, index: next })
  for (const { id, timeline } of resumed.assets.values())
    for (const [index, { at }] of timeline.entries())
      if (at > settledTo) resumed.schedule.set({ at, kind: 'asset', id, index })
  return resumed
}

// A moment is scheduled when the one before it comes; of those due at one instant the first scheduled is the first.
const openTasks = ({ tasks }: Account) =>
  [...tasks.keysWithNext()]
    .map((id) => ({ task: tasks.get(id) as Task, next: tasks.nextOf(id) as number }))
    .sort((a, b) => atOf(a.task, a.next - 1) - atOf(b.task, b.next - 1))

const atOf = ({ timeline }: Task, index: number): Instant => timeline[index]?.at ?? 0
