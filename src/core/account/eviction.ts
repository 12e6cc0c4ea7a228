import { assetPhaseAt } from '../asset.js'
import type { AnyTaskFamily } from '../contract.js'
import type { Account } from '../model/account.js'
import type { Callback } from '../model/callback.js'
import type { Phase, Task } from '../model/task.js'
import type { Instant } from '../schedule/timeline.js'
import { isOpen, viewAt } from '../task/timeline.js'

/** Whether a task has ended and all its callbacks are done. */
export const hasEnded = ({ open, callbacks }: Account, { id, timeline }: Task): boolean =>
  !open.has(id) && !callbacks.queues.has(id) && !isOpen(timeline)

/**
 * Forgets tasks that have ended, the oldest first, at most so many.
 * @returns how many went
 */
export const evictTasks = (
  account: Account,
  most: number,
  mayGo: (task: Task) => boolean = () => true,
): number => {
  let gone = 0
  for (const task of account.tasks.values()) {
    if (gone === most) break
    if (!hasEnded(account, task) || !mayGo(task)) continue
    removeTask(account, task)
    gone += 1
  }
  return gone
}

export const hasEndedTask = (account: Account): boolean => {
  // Most have a next moment where none has ended, and those need not be looked at one by one.
  if (account.open.size === account.tasks.size) return false
  for (const task of account.tasks.values()) if (hasEnded(account, task)) return true
  return false
}

/** Nothing is in flight, nothing is processed, and nothing waits to be sent. */
export const isIdle = (account: Account, now: Instant): boolean =>
  account.open.size === 0 &&
  [...account.callbacks.queues.values()].every(({ waiting }) => waiting.length === 0) &&
  [...account.assets.values()].every((asset) => assetPhaseAt(asset, now).state !== 'Processing') &&
  [...account.tasks.values()].every(({ timeline: life }) => !isOpen(life))

/**
 * Whether a task is unreachable: it can no longer be queried (§B query, 7 days; 24 hours once cancelled) and its result
 * URLs have expired. The answer of an expired URL needs no record of the task.
 */
export const isUnreachable = (family: AnyTaskFamily, task: Task, now: Instant): boolean => {
  const view = viewAt(task, now)
  const { phase, since } = view
  // Where tasks cannot be queried there is nothing but the results.
  const isVisible = family.routes.read !== undefined && family.isKept?.(view) !== false
  const hasResults = phase.state === 'succeeded' && now < since + family.resultTtlMs
  return !isVisible && !hasResults
}

/** A task without the texts that its request brought. */
const PLAIN_BYTES = 1_300

/** From here on, what a task keeps is not for others to keep beside it. */
const HEAVY_BYTES = 16 * 1024

/** About how many bytes of memory a task takes: hardly ever less, since some texts need two bytes for a character. */
export const bytesOfTask = ({ params: order, callback }: Task): number =>
  PLAIN_BYTES + 2 * (charactersIn(order) + (callback?.url.length ?? 0))

const charactersIn = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (value === null || typeof value !== 'object') return 0
  let sum = 0
  for (const inner of Object.values(value)) sum += charactersIn(inner)
  return sum
}

export const bytesOfTasks = (tasks: Iterable<Task>): number => {
  let sum = 0
  for (const task of tasks) sum += bytesOfTask(task)
  return sum
}

/** Forgets a task. Callbacks that have come to an end stay in the log, without what was ordered where that is much. */
export const removeTask = (account: Account, task: Task): void => {
  const bytes = bytesOfTask(task)
  account.tasks.delete(task.id)
  account.taskBytes -= bytes
  if (bytes > HEAVY_BYTES) lightenLog(account, task.id)
}

const lightenLog = ({ callbacks: { log } }: Account, taskId: string): void => {
  for (const [id, one] of log)
    if (one.taskId === taskId && one.state !== 'waiting') log.set(id, lightened(one))
}

const lightened = ({ task, ...rest }: Callback): Callback => ({
  ...rest,
  task: {
    ...task,
    params: {},
    timeline: task.timeline.map(({ at, value }) => ({ at, value: withoutMedia(value) })),
  },
})

const withoutMedia = (phase: Phase<string>): Phase<string> =>
  phase.state === 'succeeded' ? { ...phase, media: [] } : phase
