import type { Account } from '../account/account.js'
import type { Call, Decision, Prepared } from '../operation.js'
import { noMeta } from '../operation.js'
import { ruleRef } from '../rule.js'
import type { Instant } from '../time/timeline.js'
import type { DecisionContext } from '../world.js'
import { withOverrides } from './disguise.js'
import type { AnyTaskFamily } from './family.js'
import { refusalReply } from './refusals.js'
import { taskExists } from './standing-rules.js'
import { nextChange, type Task, type TaskView, viewAt } from './task.js'

/** Asking for one task. Changes nothing: what the task has become follows from its record and the clock. */
export const prepareRead = (family: AnyTaskFamily, call: Call): Prepared => ({
  mediaRefs: [],
  decide: (world) => {
    const view = visibleTask(family, call, world)
    if (view === undefined) return unknownTask(family, call, world)
    return {
      reply: { status: 200, body: withOverrides(family.render.read?.(view, world), view) },
      changes: [],
      notes: { ...noMeta, task: view.task.id },
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
  return family.isKept?.(view) === false ? undefined : view
}

const taskNamed = (family: AnyTaskFamily, call: Call, account: Readonly<Account>): Task | undefined => {
  const task = account.tasks.get(idOf(call))
  return task !== undefined && readsOf(family).includes(task.family) ? task : undefined
}

/** The families whose tasks can be seen here. */
export const readsOf = (family: AnyTaskFamily): readonly string[] => family.reads ?? [family.id]

/** The one path parameter: `{id}` or `{task_id}`. */
const idOf = (call: Call): string => Object.values(call.params)[0] ?? ''

export const unknownTask = (family: AnyTaskFamily, call: Call, world: DecisionContext): Decision => {
  const refusal = family.notFound?.(idOf(call)) ?? { error: family.standing.invalid }
  const refusedBy = [{ ...refusal, ...ruleRef(family.id, taskExists(family)), found: idOf(call) }]
  return {
    reply: refusalReply(family, refusal, world.requestId),
    changes: [],
    notes: { ...noMeta, refusedBy },
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
