import type { Account } from '../account/account.js'
import type { Callback } from '../callback/callback.js'
import type { Phase } from '../task/phase.js'
import type { Task } from '../task/task.js'

/** A task without the texts that its request brought. */
const PLAIN_BYTES = 1_300

/** From here on, what a task keeps is not for others to keep beside it. */
const HEAVY_BYTES = 16 * 1024

/** About how many bytes of memory a task takes: hardly ever less, since some texts need two bytes for a character. */
export const bytesOfTask = ({ order, callback }: Task): number =>
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
  task: { ...task, order: {}, life: task.life.map(({ at, value }) => ({ at, value: withoutMedia(value) })) },
})

const withoutMedia = (phase: Phase<string>): Phase<string> =>
  phase.state === 'succeeded' ? { ...phase, media: [] } : phase
