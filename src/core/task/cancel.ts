import { type Call, type Change, type Decision, noMeta, type Prepared } from '../operation.js'
import { ruleRef } from '../rule.js'
import type { DecisionContext } from '../world.js'
import type { AnyTaskFamily } from './family.js'
import { forcedTimeline } from './life.js'
import { unknownTask, visibleTask } from './read.js'
import { refusalReply } from './refusals.js'
import { taskCanGo } from './standing-rules.js'
import type { TaskView } from './task.js'
import { viewAt } from './task.js'

/** Cancelling or deleting: the family says what becomes of a task in its state. */
export const prepareCancel = (family: AnyTaskFamily, call: Call): Prepared => ({
  mediaRefs: [],
  decide: (world) => {
    const view = visibleTask(family, call, world)
    return view === undefined ? unknownTask(family, call, world) : cancelled(family, view, world)
  },
})

const cancelled = (family: AnyTaskFamily, view: TaskView, world: DecisionContext): Decision => {
  const outcome = family.cancelling?.(view) ?? 'remove'
  if (outcome === 'cancel') {
    const task = { ...view.task, life: forcedTimeline(view.task.life, world.now, { state: 'cancelled' }) }
    return decided(family, viewAt(task, world.now), [{ putTask: task }])
  }
  if (outcome === 'remove') return decided(family, view, [{ dropTask: view.task.id }])
  const refusedBy = [{ ...outcome, ...ruleRef(family.id, taskCanGo) }]
  return {
    reply: refusalReply(family, outcome, world.requestId),
    changes: [],
    notes: { ...noMeta, refusedBy, task: view.task.id },
  }
}

const decided = (family: AnyTaskFamily, view: TaskView, changes: readonly Change[]): Decision => ({
  reply: { status: 200, body: family.render.cancelled?.(view) ?? {} },
  changes,
  notes: { ...noMeta, task: view.task.id },
})
