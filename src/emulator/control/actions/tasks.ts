import { z } from 'zod'
import { decisionContextOf } from '../../accounts/decision-context.js'
import { apply } from '../../core/account/apply.js'
import type { AnyTaskFamily } from '../../core/contract.js'
import { ControlError } from '../../core/errors.js'
import { redacted, redactedText } from '../../core/journal/redact.js'
import type { Account } from '../../core/model/account.js'
import {
  expiringAt,
  forcedTimeline,
  isFinal,
  mediaOf,
  type Phase,
  type State,
  states,
  statesOf,
  type Task,
  type TaskTimeline,
  type TaskView,
  viewAt,
} from '../../core/model/task.js'
import { type Instant, isoOf, lastOf } from '../../core/schedule/time.js'
import type { Settings } from '../../core/settings.js'
import { suggest } from '../../core/suggest.js'
import { action, brief, type ControlContext, namedObject, page, pageOf, typedText } from '../action.js'
import { validateFilters } from '../rules.js'

export const taskStatus = z
  .enum(states)
  .meta({ id: 'TaskStatus', description: 'The state of a task, in the same words for every family.' })

const momentRecord = namedObject(
  'TaskMoment',
  'A moment of the timeline of a task: the time and the status.',
  () => ({
    at: z.string().describe('ISO time, by the clock of the account'),
    status: taskStatus,
    error: z.string().optional().describe("the name of the family's error; only where the task fails"),
    media: z.number().optional().describe('number of results; only where the task succeeds'),
  }),
)

export const taskRecord = namedObject(
  'TaskRecord',
  'A task of any family in one format, with its whole timeline.',
  () => ({
    id: z.string().describe('as the create has answered it'),
    family: typedText('TaskFamilyName | (string & {})').describe('`b-video-task`, `f-video-v2` and so on'),
    model: z.string().describe('the model of the request'),
    status: taskStatus,
    progress: z.number().describe('whole percent'),
    createdAt: z.string().describe('ISO time, by the clock of the account'),
    since: z.string().describe('when it reached its status'),
    requestId: z.string().describe('the request that made it'),
    price: z.number().describe('its price, charged when it succeeds'),
    callbackUrl: z.string().nullable().describe('null: the request named none'),
    order: z.unknown().describe('the params of the request, with all defaults resolved: ratio, length, seed'),
    timeline: z.array(momentRecord()).describe('every moment, in order, with those that are to come'),
  }),
)

export const taskRecordOf = (view: TaskView) => recordOf(view, view.task.params)

/** Record for a brief list and for events: of the order it has the prompt alone. */
export const briefTaskOf = (view: TaskView) => {
  const { prompt } = view.task.params as { readonly prompt?: unknown }
  return recordOf(view, typeof prompt === 'string' ? { prompt } : {})
}

const recordOf = ({ task, phase, progress, since }: TaskView, order: unknown) => ({
  id: task.id,
  family: task.family,
  model: task.model,
  status: phase.state,
  progress,
  createdAt: isoOf(task.createdAt),
  since: isoOf(since),
  requestId: task.requestId,
  price: task.price,
  callbackUrl: task.callback === undefined ? null : redactedText(task.callback.url, task.account),
  order: redacted(order, task.account),
  timeline: task.timeline.map(({ at, value }) => ({
    at: isoOf(at),
    status: value.state,
    ...(value.state === 'failed' ? { error: value.error } : {}),
    ...(value.state === 'succeeded' ? { media: value.media.length } : {}),
  })),
})

/** A status in the input of an action. */
export const statusInput = z.enum(states).meta({ 'x-type': 'TaskStatus' })

export const taskFilter = z.strictObject({
  status: statusInput.optional().describe('the status that it has now'),
  family: typedText('TaskFamilyName').optional().describe('`b-video-task`, `f-video-v2` and so on'),
})

const byId = { id: z.string().min(1) }

export const taskActions = {
  'tasks.list': action({
    route: { method: 'GET', path: '/tasks' },
    summary:
      'Tasks of every family in one format, newest first. The pictures of A and A2 are among them, as tasks that have succeeded at once: `family` lists those of one interface',
    input: taskFilter.extend({ ...page, brief: brief('the order of a task, but for its prompt') }),
    output: () => pageOf(taskRecord()),
    run: async (context, key, { status, family, limit, offset, brief }) => {
      validateFilters(context.registry, { family })
      // A transaction: the index has the states that tasks have reached once everything due has happened.
      return context.store.transact(key, (account, now) => {
        const { items, total } = account.tasks.page(
          (facts) =>
            (family === undefined || facts.family === family) &&
            (status === undefined || facts.state === status),
          now,
          offset,
          limit,
        )
        const itemOf = brief ? briefTaskOf : taskRecordOf
        return { items: items.map((task) => itemOf(viewAt(task, now))), total }
      })
    },
  }),
  'tasks.read': action({
    route: { method: 'GET', path: '/tasks/:id' },
    summary: 'One task with its whole timeline',
    input: z.strictObject(byId),
    output: taskRecord,
    run: ({ store }, key, { id }) =>
      store.read(key, (account, now) => {
        const task = account.tasks.get(id)
        if (task === undefined) throw unknownTask(id)
        return taskRecordOf(viewAt(task, now))
      }),
  }),
  'tasks.force': action({
    route: { method: 'PATCH', path: '/tasks/:id' },
    summary:
      'Force what has not happened yet, to a status that the family has and the task has not passed (gap Z13). `pending` (E), `queued` and `running` hold it there until its deadline',
    input: z.strictObject({
      ...byId,
      status: statusInput,
      error: typedText('ErrorName')
        .optional()
        .describe("for `failed`: the name of an error of the family; default: the family's internal error"),
    }),
    example: { status: 'failed', error: 'InternalServiceError' },
    output: taskRecord,
    run: async (context, key, { id, status, error }) => {
      const view = await context.store.transact(key, (account, now) => {
        const task = account.tasks.get(id)
        if (task === undefined) throw unknownTask(id)
        const timeline = forceStatus(context, account, task, now, { status, error })
        const forced = { ...task, timeline }
        apply(account, [{ putTask: forced }])
        return viewAt(forced, now)
      })
      return taskRecordOf(view)
    },
  }),
}

const unknownTask = (id: string) =>
  new ControlError(404, 'no-such-task', {
    message: `There is no task ${id} in this account.`,
    hint: 'GET /_backlot/tasks lists those there are; the Authorization header selects the account.',
  })

/**
 * Forces the status of a task: its timeline with another future, from now on. `error` is the name of an error of the family.
 * @throws ControlError when it has ended or passed the state, when its family has no such state or no such error, or when an
 * error is named for what is no failure
 */
const forceStatus = (
  { settings, registry }: ControlContext,
  account: Account,
  task: Task,
  now: Instant,
  { status, error }: { readonly status: State; readonly error?: string | undefined },
): TaskTimeline => {
  const { phase } = viewAt(task, now)
  if (isFinal(phase)) throw hasEnded(task, phase.state)
  const family = registry.taskFamily(task.family) as AnyTaskFamily
  if (!statesOf(family).includes(status)) throw hasNoState(family, status)
  if (states.indexOf(status) < states.indexOf(phase.state)) throw hasPassed(task, phase.state, status)
  if (error !== undefined && status !== 'failed') throw hasNoError(status, error)
  const forcedPhase = (): Phase => {
    if (status === 'succeeded') return { state: status, media: mediaFor(settings, account, family, task) }
    if (status === 'failed') return { state: status, error: errorNamed(family, error) }
    return { state: status }
  }
  const timeline = forcedTimeline(task.timeline, now, forcedPhase())
  const deadline = family.deadline?.(task.params, task.createdAt)
  // A task that is held in its status still expires at its deadline.
  return deadline === undefined ? timeline : expiringAt(timeline, deadline)
}

const hasEnded = (task: Task, state: State): ControlError =>
  new ControlError(409, 'task-has-ended', {
    message: `The task ${task.id} has already ended: it is ${state}.`,
    hint: 'What has happened cannot be changed.',
  })

const hasPassed = (task: Task, state: State, status: State): ControlError =>
  new ControlError(409, 'task-has-passed', {
    message: `The task ${task.id} is ${state}: it cannot be ${status} again.`,
    hint: 'What has happened cannot be changed. Force a later status, or hold the task before the clock moves.',
  })

const hasNoState = (family: AnyTaskFamily, status: State): ControlError =>
  new ControlError(400, 'unknown-status', {
    message: `Tasks of ${family.id} are never ${status}.`,
    hint: `Possible are: ${statesOf(family).join(', ')}.`,
  })

const hasNoError = (status: State, error: string): ControlError =>
  new ControlError(400, 'error-without-failure', {
    message: `A task that is ${status} has no error, found ${JSON.stringify(error)}.`,
    hint: `Leave out error, or force the status failed.`,
  })

// A new timeline is made: the one of a task that was held in its status has no success any more.
const mediaFor = (settings: Settings, account: Account, family: AnyTaskFamily, task: Task) => {
  const source = { settings, secret: '', origin: '', requestId: task.requestId, media: new Map() }
  const decisionContext = decisionContextOf(account, task.createdAt, source)
  return mediaOf(lastOf(family.timeline(task.params, decisionContext, task.id)).value)
}

const errorNamed = (family: AnyTaskFamily, error: string | undefined): string => {
  if (error === undefined) return family.wellKnownErrors.internal
  const names = Object.keys(family.errors)
  if (names.includes(error)) return error
  const meant = suggest(error, names)
  throw new ControlError(400, 'unknown-error', {
    message: `Expected the name of an error of ${family.id}, found ${JSON.stringify(error)}.`,
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Possible are: ${names.join(', ')}.`,
  })
}
