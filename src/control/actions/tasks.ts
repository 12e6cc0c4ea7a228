import { z } from 'zod'
import { apply } from '../../core/account/apply.js'
import { ControlError } from '../../core/control-error.js'
import { redacted, redactedText } from '../../core/journal/redact.js'
import { states, type TaskView } from '../../core/model/task.js'
import { readClock } from '../../core/schedule/clock.js'
import { isoOf } from '../../core/schedule/iso.js'
import { runDue } from '../../core/schedule/run-due.js'
import { viewAt } from '../../core/task/timeline.js'
import { action } from '../action.js'
import { forceStatus } from '../force-status.js'
import { validateFilters } from '../rules.js'

/** A task of any family in one shape, with everything that was and will be. */
export const shownTask = ({ task, phase, progress, since }: TaskView) => ({
  id: task.id,
  family: task.family,
  model: task.model,
  status: phase.state,
  progress,
  createdAt: isoOf(task.createdAt),
  since: isoOf(since),
  requestId: task.requestId,
  price: task.price,
  callbackUrl: task.callback === undefined ? null : redactedText(task.callback.url),
  order: redacted(task.params, task.account),
  timeline: task.timeline.map(({ at, value }) => ({
    at: isoOf(at),
    status: value.state,
    ...(value.state === 'failed' ? { error: value.error } : {}),
    ...(value.state === 'succeeded' ? { media: value.media.length } : {}),
  })),
})

export const listTasks = action({
  route: { method: 'GET', path: '/tasks' },
  input: z.strictObject({
    status: z.enum(states).optional(),
    family: z.string().optional(),
    limit: z.coerce.number().int().min(1).default(100),
    offset: z.coerce.number().int().min(0).default(0),
  }),
  run: async (emulator, key, { status, family, limit, offset }) => {
    await validateFilters(emulator, { family })
    const { store, wall } = emulator
    const views = await store.run(key, (account) =>
      [...account.tasks.values()]
        .filter((task) => family === undefined || task.family === family)
        .map((task) => viewAt(task, readClock(account.clock, wall())))
        .filter(({ phase }) => status === undefined || phase.state === status)
        .reverse(),
    )
    return { items: views.slice(offset, offset + limit).map(shownTask), total: views.length }
  },
})

const named = { id: z.string().min(1) }

export const readTask = action({
  route: { method: 'GET', path: '/tasks/:id' },
  input: z.strictObject(named),
  run: async ({ store, wall }, key, { id }) =>
    store.run(key, (account) => {
      const task = account.tasks.get(id)
      if (task === undefined) throw unknownTask(id)
      return shownTask(viewAt(task, readClock(account.clock, wall())))
    }),
})

const unknownTask = (id: string) =>
  new ControlError(
    404,
    'no-such-task',
    `There is no task ${id} in this account.`,
    'GET /_backlot/tasks lists those there are; the Authorization header selects the account.',
  )

/** Forces what has not happened yet, from the clock's now on (gap Z13). */
export const forceTask = action({
  route: { method: 'PATCH', path: '/tasks/:id' },
  input: z.strictObject({
    ...named,
    status: z.enum(states),
    error: z.string().optional(),
  }),
  run: async (emulator, key, { id, status, error }) => {
    const { view, happenings, nextAt } = await emulator.store.run(key, (account) => {
      const now = readClock(account.clock, emulator.wall())
      const before = runDue(account, now)
      const task = account.tasks.get(id)
      if (task === undefined) throw unknownTask(id)
      const life = forceStatus(emulator, account, task, now, { status, error })
      const forced = { ...task, timeline: life }
      apply(account, [{ putTask: forced }])
      const happenings = [...before, ...runDue(account, now)]
      return { view: viewAt(forced, now), happenings, nextAt: account.agenda.peek()?.at }
    })
    emulator.clock.noticed(key, happenings, nextAt)
    return shownTask(view)
  },
})
