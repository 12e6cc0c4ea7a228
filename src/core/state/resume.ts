import type { Account } from '../account/account.js'
import { createSchedule } from '../account/agenda.js'
import { resumeCallbacks } from '../callback/report.js'
import type { Task } from '../task/task.js'
import type { Instant } from '../time/timeline.js'

/**
 * An account that was read or copied, with everything in its agenda that is to come: moments of tasks and of assets, and
 * callbacks. What had happened by `settledTo` is not done again; callbacks that were on their way then are sent once more.
 */
export const resumeAccount = (account: Account, settledTo: Instant, now: Instant): Account => {
  const ready = { ...account, agenda: createSchedule() }
  for (const { task, next } of inOrderOfWriting(ready))
    ready.agenda.add({ at: atOf(task, next), kind: 'task', id: task.id, index: next })
  for (const { id, life } of ready.assets.values())
    for (const [index, { at }] of life.entries())
      if (at > settledTo) ready.agenda.add({ at, kind: 'asset', id, index })
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
    if (task?.life[next] !== undefined) expected.push({ task, next })
  }
  return expected.sort((a, b) => atOf(a.task, a.next - 1) - atOf(b.task, b.next - 1))
}

const atOf = ({ life }: Task, index: number): Instant => life[index]?.at ?? 0
