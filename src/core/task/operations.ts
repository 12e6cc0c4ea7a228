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
import { type Call, modelIn, type Route } from '../model/call.js'
import { forcedTimeline, states, type TaskView, viewAt } from '../model/task.js'
import { limited, prepareCreate } from './create.js'
import {
  namesTaskOf,
  nextOfListed,
  nextOfNamed,
  prepareList,
  prepareRead,
  unknownTask,
  visibleTask,
} from './read.js'
import {
  fieldsAreKnown,
  rateLimit,
  refusalReply,
  refused,
  roomForTask,
  ruleRef,
  taskCanGo,
  taskExists,
} from './refusals.js'

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
  const refusal = { ...outcome, ...ruleRef(family.id, taskCanGo) }
  return refused(family, [refusal], world, { task: view.task.id })
}

const decided = (family: AnyTaskFamily, view: TaskView, changes: readonly Change[]): Decision => ({
  reply: { status: 200, body: family.respond.cancelled?.(view) ?? {} },
  changes,
  meta: { task: view.task.id, ...noMeta },
})

/** What clients can do with a family: create, read, list and cancel, as far as it has routes for them. */
export const operationsOf = (family: AnyTaskFamily): Operation[] => {
  const { create, read, list, cancel } = family.routes
  return [
    operation(family, 'create', create, {
      makes: 'task',
      ...(read === undefined ? {} : { idAt: family.idAt ?? 'id' }),
      matches: (call) => family.models.includes(modelIn(call.body) ?? ''),
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
  possibleErrors: possibleErrorsOf(family, verb),
  raise: (error, refusal, requestId) => refusalReply(family, { ...refusal, error }, requestId),
  ...does,
})

/** Errors that an operation can answer without a scenario: those of its verb, in the order of the family's table. */
const possibleErrorsOf = (family: AnyTaskFamily, verb: string): string[] => {
  const { unauthenticated, internal, invalid } = family.wellKnownErrors
  const unknown = family.notFound === undefined ? [] : [family.notFound('').error]
  const cancelling = states
    .map((state) => family.cancelOutcome?.({ phase: { state }, task: { id: '' } } as TaskView))
    .flatMap((outcome) => (typeof outcome === 'object' ? [outcome.error] : []))
  const byVerb: Readonly<Record<string, readonly string[]>> = {
    read: [unauthenticated, internal, ...unknown],
    content: [unauthenticated, internal, invalid, ...unknown],
    list: [unauthenticated, internal, invalid],
    cancel: [unauthenticated, internal, ...unknown, ...cancelling],
  }
  const wellKnown: readonly string[] = Object.values(family.wellKnownErrors)
  const ofOthers = [...unknown, ...cancelling].filter((name) => !wellKnown.includes(name))
  return Object.keys(family.errors).filter((name) => byVerb[verb]?.includes(name) ?? !ofOthers.includes(name))
}
