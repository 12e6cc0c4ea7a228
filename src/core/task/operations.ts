import { exceededRate } from '../account/rate-limit.js'
import { CHALLENGE_LENGTH } from '../callback/attempts.js'
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
import type { ErrorSpec, RefusedBy } from '../errors.js'
import { redactedText } from '../journal/redact.js'
import { type Call, jsonOf, modelIn, type Route } from '../model/call.js'
import {
  type CallbackAddress,
  expiringAt,
  forcedTimeline,
  states,
  type Task,
  type TaskTimeline,
  type TaskView,
  viewAt,
} from '../model/task.js'
import { refusalFor } from '../quotas.js'
import { exceedsJsonLimits, ignoredFields, shapeRefusals } from '../request.js'
import type { Settings } from '../settings.js'
import { decideOnTask, namesTaskOf, nextOfListed, nextOfNamed, prepareList, prepareRead } from './read.js'
import {
  fieldsAreKnown,
  jsonLimitRefusal,
  rateLimit,
  refusalReply,
  refused,
  roomForTask,
  ruleRef,
  shapeRefusalOf,
  taskCanGo,
  taskExists,
} from './refusals.js'

/** Operations of a family: create, read, list and cancel, as far as it has routes for them. */
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
        prepare: (call) => decideOnTask(family, call, (view, world) => cancelled(family, view, world)),
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
  refuse: (kind: FailureKind, refusal, requestId) =>
    refusalReply(family, { ...refusal, error: family.wellKnownErrors[kind] }, requestId),
  wellKnownErrors: family.wellKnownErrors,
  errors: Object.keys(family.errors),
  possibleErrors: possibleErrorsOf(family, verb),
  raise: (error, refusal, requestId) => {
    const { message, namesModel } = family.errors[error] as ErrorSpec
    const named = namesModel && refusal.found !== undefined ? { message: `${message} ${refusal.found}` } : {}
    return refusalReply(family, { ...refusal, ...named, error }, requestId)
  },
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

/** Creating a task, the same in every family: shape, rules, params, timeline, answer. */
const prepareCreate = (family: AnyTaskFamily, call: Call, settings: Settings): Prepared => {
  const body = jsonOf(call.body)
  const refusing = (refusals: readonly RefusedBy[]): Prepared => ({
    mediaRefs: [],
    decide: (world) => limited(family, world) ?? refused(family, refusals, world),
  })
  const bound = exceedsJsonLimits(body)
  if (bound !== undefined) return refusing([jsonLimitRefusal(family, bound)])
  const shape = family.schema.safeParse(body)
  if (!shape.success)
    return refusing(shapeRefusals(shape.error.issues, body).map((refusal) => shapeRefusalOf(family, refusal)))
  const ignored = ignoredFields(body, shape.data)
  return {
    mediaRefs: family.mediaRefs?.(shape.data) ?? [],
    decide: (world) =>
      limited(family, world) ??
      checkUnknownFields(family, settings.strict ? ignored : [], world) ??
      checkRules(family, shape.data, ignored, world) ??
      create(family, shape.data, ignored, world),
  }
}

/** The rate limit counts what is accepted and refuses before anything is looked at, as gateways do (gap X6, N1). */
const limited = (family: AnyTaskFamily, world: DecisionContext): Decision | undefined => {
  const over = exceededRate(world.account, world.now)
  if (over === undefined) return undefined
  const error = family.wellKnownErrors['rate-limited']
  return refused(family, [{ error, ...ruleRef(family.id, rateLimit), ...over }], world)
}

const checkUnknownFields = (
  family: AnyTaskFamily,
  ignored: readonly string[],
  world: DecisionContext,
): Decision | undefined => {
  if (ignored.length === 0) return undefined
  // Such a name is the client's and no word of the interface: the one part of a refusal, besides its sentence, that can
  // hold a key.
  const fields = ignored.map((name) => redactedText(name, world.account.key))
  const refusals = fields.map((field) => ({
    error: family.wellKnownErrors.invalid,
    ...ruleRef(family.id, fieldsAreKnown),
    field,
    message: `${field} is not a field of this interface, and the setting strict is on`,
  }))
  return refused(family, refusals, world)
}

const checkRules = (
  family: AnyTaskFamily,
  input: unknown,
  ignored: readonly string[],
  world: DecisionContext,
): Decision | undefined => {
  const refusals: RefusedBy[] = []
  for (const rule of family.rules) {
    const refusal = rule.check(input, world)
    if (refusal !== undefined) refusals.push({ ...refusal, ...ruleRef(family.id, rule) })
  }
  return refusals.length === 0 ? undefined : refused(family, refusals, world, { ignored })
}

const create = (
  family: AnyTaskFamily,
  input: unknown,
  ignored: readonly string[],
  world: DecisionContext,
): Decision => {
  const task = taskOf(family, input, world)
  // Not a rule of the service: a bound of the emulator, which nothing that has ended could make room under any more.
  const shortage = world.quotaExceeded?.(task)
  if (shortage !== undefined) {
    const error = family.wellKnownErrors['rate-limited']
    const refusal = { ...refusalFor(shortage), error, ...ruleRef(family.id, roomForTask) }
    return refused(family, [refusal], world, { ignored })
  }
  const images = family.images?.(task.params) ?? 0
  const changes: Change[] = [{ acceptCreate: world.now }, { putTask: task }]
  if (images > 0) changes.push({ countImages: images })
  // A new task is shown as it began, even where everything happens in the same instant (gap Z17).
  const view = { ...viewAt({ ...task, timeline: task.timeline.slice(0, 1) }, world.now), task }
  return {
    reply: { status: 200, body: family.respond.created(view, world) },
    changes,
    meta: { task: task.id, ...noMeta, ignored, warnings: warnings(family, input, world) },
  }
}

const warnings = (family: AnyTaskFamily, input: unknown, world: DecisionContext): string[] => [
  ...(family.mediaRefs?.(input) ?? [])
    .filter(({ url }) => world.resolvedMedia(url)?.state === 'unseen')
    .map(({ field }) => `${field} was not read, so no rule on its facts was applied (setting fetchMedia)`),
  ...(family.warnings?.(input, world) ?? []),
]

/** The record of a new task, with everything that will come of it. */
const taskOf = (family: AnyTaskFamily, input: unknown, world: DecisionContext): Task => {
  const params = family.params(input, world)
  const id = family.newId(world)
  const callback = callbackOf(family, input, world)
  return {
    id,
    family: family.id,
    account: world.account.key,
    model: (input as { model: string }).model,
    requestId: world.requestId,
    createdAt: world.now,
    params,
    timeline: timelineOf(family, params, world, id),
    price: family.price?.(params, world.settings) ?? 0,
    ...(callback === undefined ? {} : { callback }),
  }
}

const callbackOf = (
  { callback }: AnyTaskFamily,
  input: unknown,
  { origin, random: draw }: DecisionContext,
): CallbackAddress | undefined => {
  const url = callback?.url(input)
  if (callback === undefined || url === undefined) return undefined
  return {
    url,
    origin,
    ...(callback.handshake ? { challenge: draw.hex('challenge', CHALLENGE_LENGTH) } : {}),
  }
}

const timelineOf = (
  family: AnyTaskFamily,
  params: unknown,
  world: DecisionContext,
  id: string,
): TaskTimeline => {
  const timeline = family.timeline(params, world, id)
  const deadline = family.deadline?.(params, world.now)
  return deadline === undefined ? timeline : expiringAt(timeline, deadline)
}

/** Cancelling or deleting: the family says what becomes of a task in its state. */
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
