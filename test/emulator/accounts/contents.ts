import type { Account } from '../../../src/emulator/core/model/account.js'

/** Everything of an account that a transaction can change, in order; `counts` have none. */
export const contentsOf = ({ schedule, callbacks, tasks, ...account }: Account) => ({
  ...structuredClone({ ...account, callbacks: { ...callbacks } }),
  tasks: [...tasks.values()].map((task) => [task, tasks.nextOf(task.id)]),
  counts: tasks
    .counts()
    .map(({ facts, size }) => ({ ...facts, size }))
    .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
  sums: [tasks.size, tasks.usage.inFlight, tasks.usage.ended, tasks.usage.bytes, tasks.usage.endedBytes],
  next: schedule.peek(),
  scheduled: schedule.size,
  order: [[...tasks.keys()], [...callbacks.log.keys()], [...callbacks.queues.keys()]],
})
