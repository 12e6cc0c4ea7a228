import { type Call, type Change, type Decision, noNotes, type Prepared } from '../operation.js'
import { named } from '../rule.js'
import type { World } from '../world.js'
import type { AnyTaskFamily } from './family.js'
import { forcedLife } from './life.js'
import { unknownTask, visibleTask } from './read.js'
import { refusalReply } from './refusals.js'
import { taskCanGo } from './standing-rules.js'
import type { TaskView } from './task.js'
import { viewAt } from './task.js'

/** Cancelling or deleting: the family says what becomes of a task in its state. */
export const prepareCancel = (family: AnyTaskFamily, call: Call): Prepared => ({
  mentions: [],
  decide: (world) => {
    const view = visibleTask(family, call, world)
    return view === undefined ? unknownTask(family, call, world) : cancelled(family, view, world)
  },
})

const cancelled = (family: AnyTaskFamily, view: TaskView, world: World): Decision => {
  const outcome = family.cancelling?.(view) ?? 'remove'
  if (outcome === 'cancel') {
    const task = { ...view.task, life: forcedLife(view.task.life, world.now, { state: 'cancelled' }) }
    return decided(family, viewAt(task, world.now), [{ putTask: task }])
  }
  if (outcome === 'remove') return decided(family, view, [{ dropTask: view.task.id }])
  const refusedBy = [{ ...outcome, ...named(family.id, taskCanGo) }]
  return {
    reply: refusalReply(family, outcome, world.requestId),
    changes: [],
    notes: { ...noNotes, refusedBy, task: view.task.id },
  }
}

const decided = (family: AnyTaskFamily, view: TaskView, changes: readonly Change[]): Decision => ({
  reply: { status: 200, body: family.render.cancelled?.(view) ?? {} },
  changes,
  notes: { ...noNotes, task: view.task.id },
})
