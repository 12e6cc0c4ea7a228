import {
  type AnyTaskFamily,
  type Decision,
  type DecisionContext,
  noMeta,
  type Prepared,
} from '../contract.js'
import type { Account } from '../model/account.js'
import type { Call } from '../model/call.js'
import type { Phase, Task, TaskView } from '../model/task.js'
import type { Instant, Moment } from '../schedule/timeline.js'
import { refusalReply, ruleRef, taskExists } from './refusals.js'
import { isFinal, nextChange, viewAt } from './timeline.js'

/** Query response with the overrides of the task's scenario applied; the body itself if there are none. */
export const withOverrides = (
  { urlFields = ['url'] }: Pick<AnyTaskFamily, 'urlFields'>,
  body: unknown,
  { task, phase }: TaskView,
): unknown => {
  const { responseOverrides: overrides } = task
  if (overrides === undefined) return body
  const word =
    overrides.statusWords?.[phase.state] ?? (phase.state === 'running' ? overrides.statusWord : undefined)
  return retouch(body, (key, value) => {
    if (overrides.withoutUrl && urlFields.includes(key) && phase.state === 'succeeded') return undefined
    if (word !== undefined && key === 'status') return word
    if (key !== 'progress' || typeof value !== 'number') return value
    if (overrides.progressJumpsBack) return jumpedBack(value)
    return overrides.progressAsFraction ? value / 100 : value
  })
}

const jumpedBack = (progress: number): number => (progress >= 50 && progress < 100 ? progress - 45 : progress)

const retouch = (value: unknown, touch: (key: string, value: unknown) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => retouch(item, touch))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const touched = touch(key, inner)
      return touched === undefined ? [] : [[key, retouch(touched, touch)]]
    }),
  )
}

/** Asking for one task. Changes nothing: what the task has become follows from its record and the clock. */
export const prepareRead = (family: AnyTaskFamily, call: Call): Prepared => ({
  mediaRefs: [],
  decide: (world) => {
    const view = visibleTask(family, call, world)
    if (view === undefined) return unknownTask(family, call, world)
    return {
      reply: { status: 200, body: withOverrides(family, family.respond.read?.(view, world), view) },
      changes: [],
      meta: { task: view.task.id, ...noMeta },
    }
  },
})

/** The task that a call names, if it is this family's and can still be seen. */
export const visibleTask = (
  family: AnyTaskFamily,
  call: Call,
  world: DecisionContext,
): TaskView | undefined => {
  const task = taskNamed(family, call, world.account)
  if (task === undefined) return undefined
  const view = viewAt(task, world.now)
  return isVisible(family, view) ? view : undefined
}

/** Until when a family shows a task that has reached a moment. A scenario can have a task vanish at its end. */
export const visibleUntilOf = (
  { visibleUntil }: Pick<AnyTaskFamily, 'visibleUntil'>,
  task: Task,
  moment: Moment<Phase>,
): Instant =>
  task.responseOverrides?.vanishes === true && isFinal(moment.value)
    ? moment.at - 1
    : (visibleUntil?.(task, moment) ?? Number.POSITIVE_INFINITY)

/** Whether a family still shows a task. */
export const isVisible = (family: Pick<AnyTaskFamily, 'visibleUntil'>, view: TaskView): boolean =>
  view.now <= visibleUntilOf(family, view.task, { at: view.since, value: view.phase })

const taskNamed = (family: AnyTaskFamily, call: Call, account: Readonly<Account>): Task | undefined => {
  const task = account.tasks.get(idOf(call))
  return task !== undefined && readsOf(family).includes(task.family) ? task : undefined
}

/** The families whose tasks can be seen here. */
export const readsOf = (family: AnyTaskFamily): readonly string[] => family.reads ?? [family.id]

/** The one path parameter: `{id}` or `{task_id}`. */
const idOf = (call: Call): string => Object.values(call.params)[0] ?? ''

export const unknownTask = (family: AnyTaskFamily, call: Call, world: DecisionContext): Decision => {
  const refusal = family.notFound?.(idOf(call)) ?? { error: family.wellKnownErrors.invalid }
  const refusedBy = [{ ...refusal, ...ruleRef(family.id, taskExists(family)), found: idOf(call) }]
  return {
    reply: refusalReply(family, refusal, world.requestId),
    changes: [],
    meta: { ...noMeta, refusedBy },
  }
}

/** Whether a call on a shared route asks for one of this family's tasks. */
export const namesTaskOf =
  (family: AnyTaskFamily) =>
  (call: Call, account: Readonly<Account>): boolean =>
    taskNamed(family, call, account) !== undefined

/** The next moment of the task that a call asks about. */
export const nextOfNamed =
  (family: AnyTaskFamily) =>
  (call: Call, account: Readonly<Account>, now: Instant): Instant | undefined => {
    const task = taskNamed(family, call, account)
    return task === undefined ? undefined : nextChange(task, now)
  }
