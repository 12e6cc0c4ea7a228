import { assetPhaseAt } from '../asset.js'
import type { AnyTaskFamily } from '../contract.js'
import type { Account, Callback } from '../model/account.js'
import type { Exposure, Phase, Task } from '../model/task.js'
import type { Instant, Moment } from '../schedule/time.js'
import { visibleUntilOf } from '../task/read.js'
import { bytesOfTask } from './task-table.js'

/** Whether an account is idle: no task is in flight, no asset is processed, and no callback waits. */
export const isIdle = ({ tasks, callbacks, assets }: Account, now: Instant): boolean =>
  tasks.ended === tasks.size &&
  // Of tasks that were deleted.
  [...callbacks.queues.values()].every(({ waiting }) => waiting.length === 0) &&
  [...assets.values()].every((asset) => assetPhaseAt(asset, now).state !== 'Processing')

/**
 * Until when a task can be asked for that has reached a moment: the time of queries (§B query, 7 days; 24 hours once
 * cancelled) and that of its result URLs. The answer of an expired URL needs no record of the task.
 */
export const exposureIn = (family: AnyTaskFamily, task: Task, moment: Moment<Phase>): Exposure => {
  const shown = visibleUntilOf(family, task, moment)
  // Where tasks cannot be queried there is nothing but the results.
  const queried = family.routes.read === undefined ? Number.NEGATIVE_INFINITY : shown
  const hasResults = moment.value.state === 'succeeded'
  const downloaded = hasResults ? moment.at + family.resultTtlMs - 1 : Number.NEGATIVE_INFINITY
  const reachableUntil = Math.max(queried, downloaded)
  return { visibleUntil: Math.min(shown, reachableUntil), reachableUntil }
}

/** The params of a larger task are dropped from the callback log when the task is removed. */
const LARGE_TASK_BYTES = 16 * 1024

/** Removes a task. Its finished callbacks stay in the log, without the params of the task if it was large. */
export const removeTask = (account: Account, task: Task): void => {
  account.tasks.delete(task.id)
  account.schedule.delete('task', task.id)
  if (bytesOfTask(task) > LARGE_TASK_BYTES) dropParamsInLog(account, task.id)
}

const dropParamsInLog = ({ callbacks: { log } }: Account, taskId: string): void => {
  for (const [id, one] of log)
    if (one.taskId === taskId && one.state !== 'waiting') log.set(id, withoutParams(one))
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
