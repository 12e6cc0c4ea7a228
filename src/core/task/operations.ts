import {
  type AnyTaskFamily,
  type Change,
  type Decision,
  type DecisionContext,
  type FailureKind,
  noMeta,
  type Operation,
  type Prepared,
} from '../contract.js'
import type { Call, Route } from '../model/call.js'
import type { TaskView } from '../model/task.js'
import { limited, prepareCreate } from './create.js'
import { nextOfListed, prepareList } from './list.js'
import { namesTaskOf, nextOfNamed, prepareRead, unknownTask, visibleTask } from './read.js'
import {
  fieldsAreKnown,
  rateLimit,
  refusalReply,
  roomForTask,
  ruleRef,
  taskCanGo,
  taskExists,
} from './refusals.js'
import { forcedTimeline, viewAt } from './timeline.js'

/** Cancelling or deleting: the family says what becomes of a task in its state. */
const prepareCancel = (family: AnyTaskFamily, call: Call): Prepared => ({
  mediaRefs: [],
  decide: (world) => {
    const view = visibleTask(family, call, world)
    return view === undefined ? unknownTask(family, call, world) : cancelled(family, view, world)
  },
})

const cancelled = (family: AnyTaskFamily, view: TaskView, world: DecisionContext): Decision => {
  const outcome = family.cancelOutcome?.(view) ?? 'remove'
  if (outcome === 'cancel') {
    const task = {
      ...view.task,
      timeline: forcedTimeline(view.task.timeline, world.now, { state: 'cancelled' }),
    }
    return decided(family, viewAt(task, world.now), [{ putTask: task }])
  }
  if (outcome === 'remove') return decided(family, view, [{ dropTask: view.task.id }])
  const refusedBy = [{ ...outcome, ...ruleRef(family.id, taskCanGo) }]
  return {
    reply: refusalReply(family, outcome, world.requestId),
    changes: [],
    meta: { ...noMeta, refusedBy, task: view.task.id },
  }
}

const decided = (family: AnyTaskFamily, view: TaskView, changes: readonly Change[]): Decision => ({
  reply: { status: 200, body: family.respond.cancelled?.(view) ?? {} },
  changes,
  meta: { ...noMeta, task: view.task.id },
})

/** What clients can do with a family: create, read, list and cancel, as far as it has routes for them. */
export const operationsOf = (family: AnyTaskFamily): Operation[] => {
  const { create, read, list, cancel } = family.routes
  return [
    operation(family, 'create', create, {
      makes: 'task',
      ...(read === undefined ? {} : { idAt: family.idAt ?? 'id' }),
      matches: (call) => family.models.includes(modelOf(call)),
      prepare: (call, settings) => prepareCreate(family, call, settings),
      limited: (world) => limited(family, world),
      rules: [rateLimit, fieldsAreKnown, ...family.rules, roomForTask],
    }),
    ...present(read, (route) =>
      operation(family, 'read', route, {
        matches: namesTaskOf(family),
        awaits: nextOfNamed(family),
        prepare: (call) => prepareRead(family, call),
        rules: [taskExists(family)],
      }),
    ),
    ...present(list, (route) =>
      operation(family, 'list', route, {
        awaits: nextOfListed(family),
        prepare: (call) => prepareList(family, call),
      }),
    ),
    ...present(cancel, (route) =>
      operation(family, 'cancel', route, {
        prepare: (call) => prepareCancel(family, call),
        rules: [taskExists(family), ...(family.cancelOutcome === undefined ? [] : [taskCanGo])],
      }),
    ),
  ]
}

const present = <T, R>(value: T | undefined, make: (value: T) => R): R[] =>
  value === undefined ? [] : [make(value)]

/** One operation of a family; the family answers for what goes wrong outside the decision. */
export const operation = (
  family: AnyTaskFamily,
  verb: string,
  route: Route,
  does: Pick<Operation, 'prepare' | 'limited' | 'rules' | 'matches' | 'awaits' | 'makes' | 'idAt'>,
): Operation => ({
  id: `${family.id}.${verb}`,
  family: family.id,
  section: family.section,
  route,
  needsKey: true,
  ...(family.bodySizeRef === undefined ? {} : { bodySizeRef: family.bodySizeRef }),
  maxBodyBytes: family.maxBodyBytes,
  refuse: (standing: FailureKind, refusal, requestId) =>
    refusalReply(family, { ...refusal, error: family.wellKnownErrors[standing] }, requestId),
  wellKnownErrors: family.wellKnownErrors,
  errors: Object.keys(family.errors),
  raise: (error, refusal, requestId) => refusalReply(family, { ...refusal, error }, requestId),
  ...does,
})

const modelOf = (call: Call): string => {
  const body = call.body.kind === 'json' ? call.body.value : undefined
  const model = (body as { model?: unknown } | null | undefined)?.model
  return typeof model === 'string' ? model : ''
}
