import { resumeCallbacks } from '../../core/callback/queue.js'
import type { Account } from '../../core/model/account.js'
import type { Task } from '../../core/model/task.js'
import { createSchedule } from '../../core/schedule/schedule.js'
import type { Instant } from '../../core/schedule/timeline.js'

/**
 * The same account a second time, so that what becomes of one does not become of the other. Records are shared, since
 * nothing rewrites them; what is rewritten is copied. The agenda is empty (`resumed` fills it).
 */
export const copyAccount = (account: Account): Account => ({
  ...account,
  recentCreates: [...account.recentCreates],
  tasks: new Map(account.tasks),
  open: new Map(account.open),
  assets: new Map(account.assets),
  jobs: new Map(account.jobs),
  schedule: createSchedule(),
  callbacks: {
    ...account.callbacks,
    queues: new Map(account.callbacks.queues),
    log: new Map(account.callbacks.log),
  },
})

/**
 * An account that was read or copied, with everything in its agenda that is to come: moments of tasks and of assets, and
 * callbacks. What had happened by `settledTo` is not done again; callbacks that were on their way then are sent once more.
 */
export const resumeAccount = (account: Account, settledTo: Instant, now: Instant): Account => {
  const ready = { ...account, schedule: createSchedule() }
  for (const { task, next } of inOrderOfWriting(ready))
    ready.schedule.add({ at: atOf(task, next), kind: 'task', id: task.id, index: next })
  for (const { id, timeline: life } of ready.assets.values())
    for (const [index, { at }] of life.entries())
      if (at > settledTo) ready.schedule.add({ at, kind: 'asset', id, index })
  resumeCallbacks(ready, now)
  return ready
}

interface Expected {
  readonly task: Task
  readonly next: number
}

// A moment is written down when the one before it comes, and of those due at one instant the first written is the first.
const inOrderOfWriting = ({ tasks, open }: Account): Expected[] => {
  const expected: Expected[] = []
  for (const [id, next] of open) {
    const task = tasks.get(id)
    if (task?.timeline[next] !== undefined) expected.push({ task, next })
  }
  return expected.sort((a, b) => atOf(a.task, a.next - 1) - atOf(b.task, b.next - 1))
}

const atOf = ({ timeline: life }: Task, index: number): Instant => life[index]?.at ?? 0
