import { exceededRate, toBillionth } from '../account/account.js'
import { CHALLENGE_LENGTH } from '../callback/attempts.js'
import { defaultDelivery } from '../callback/delivery.js'
import {
  type AnyTaskFamily,
  type Change,
  type Decision,
  type DecisionContext,
  type FailureKind,
  type FamilyDescription,
  noMeta,
  type Operation,
  type OwedChallenge,
  type PreparedCall,
  type WellKnownErrors,
} from '../contract.js'
import { redactedText } from '../journal/redact.js'
import type { MediaRef } from '../media/input.js'
import { labelNotes } from '../media/label.js'
import { type Call, type ErrorSpec, jsonOf, modelIn, type RefusedBy, type Route } from '../model/call.js'
import {
  type CallbackAddress,
  expiringAt,
  forcedTimeline,
  states,
  type Task,
  type TaskView,
  viewAt,
} from '../model/task.js'
import { exceedsJsonLimits, ignoredFields, nullNote, shapeRefusals, withoutNulls } from '../request.js'
import type { Settings } from '../settings.js'
import { foreignNameHints } from './foreign-names.js'
import {
  decideOnTask,
  namesTaskOf,
  nextMomentOfList,
  nextMomentOfTask,
  prepareList,
  prepareRead,
} from './read.js'
import {
  commonRules,
  errorOf,
  jsonLimitRefusal,
  quotaRefusal,
  refusalReply,
  refused,
  ruleRef,
  shapeRefusalOf,
  taskExists,
} from './refusals.js'

/** Operations of a family: create, read, list and cancel, as far as it has routes for them. */
export const operationsOf = (family: AnyTaskFamily): Operation[] => {
  const { create, read, list, cancel } = family.routes
  const operations = [
    operation(family, 'create', create, {
      makes: 'task',
      ...(read === undefined ? {} : { idAt: family.idAt ?? 'id' }),
      matches: (call) => family.models.includes(modelIn(call.body) ?? ''),
      prepare: (call, settings) => prepareCreate(family, call, settings),
      checkRateLimit: (context) => checkRateLimit(family, context),
      rules: [commonRules.rateLimit, commonRules.fieldsAreKnown, ...family.rules, commonRules.roomForTask],
    }),
  ]
  if (read !== undefined)
    operations.push(
      operation(family, 'read', read, {
        matches: namesTaskOf(family),
        nextMomentOf: nextMomentOfTask(family),
        prepare: (call) => prepareRead(family, call),
        rules: [taskExists(family)],
      }),
    )
  if (list !== undefined)
    operations.push(
      operation(family, 'list', list, {
        nextMomentOf: nextMomentOfList(family),
        prepare: (call) => prepareList(family, call),
      }),
    )
  if (cancel !== undefined)
    operations.push(
      operation(family, 'cancel', cancel, {
        prepare: (call) => decideOnTask(family, call, (view, context) => decideCancel(family, view, context)),
        rules: [taskExists(family), ...(family.cancelOutcome === undefined ? [] : [commonRules.taskCanGo])],
      }),
    )
  return operations
}

/** What an operation needs of its family. */
type OperationFamily = FamilyDescription &
  Partial<Pick<AnyTaskFamily, 'maxBodyBytes' | 'notFound' | 'cancelOutcome'>>

/** Operation of a family, which answers for what goes wrong outside the decision. */
export const operation = (
  family: OperationFamily,
  verb: string,
  route: Route,
  definition: Pick<Operation, 'prepare'> & Partial<Operation>,
): Operation => ({
  id: `${family.id}.${verb}`,
  family: family.id,
  section: family.section,
  route,
  needsKey: true,
  ...(family.bodySizeRef === undefined ? {} : { bodySizeRef: family.bodySizeRef }),
  maxBodyBytes: family.maxBodyBytes ?? (() => 0),
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
  ...definition,
})

/** Errors that an operation can answer without a scenario: those of its verb, in the order of the family's table. */
const possibleErrorsOf = (family: OperationFamily, verb: string): string[] => {
  const { unauthenticated, internal, unreadable } = family.wellKnownErrors
  const invalid = (family.wellKnownErrors as Partial<WellKnownErrors<string>>).invalid ?? unreadable
  const unknown =
    family.notFound === undefined ? [] : [errorOf(family, taskExists(family), family.notFound('').error)]
  const cancelling = states
    .map((state) => family.cancelOutcome?.({ phase: { state }, task: { id: '' } } as TaskView))
    .flatMap((outcome) =>
      typeof outcome === 'object' ? [errorOf(family, commonRules.taskCanGo, outcome.error)] : [],
    )
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

/** Create operation, the same in every family: shape, rules, params, timeline, answer. */
const prepareCreate = (family: AnyTaskFamily, call: Call, settings: Settings): PreparedCall => {
  const body = jsonOf(call.body)
  const refuseWith = (refusals: readonly RefusedBy[]): PreparedCall => ({
    decide: (context) => checkRateLimit(family, context) ?? refused(family, refusals, context),
  })
  const limit = exceedsJsonLimits(body)
  if (limit !== undefined) return refuseWith([jsonLimitRefusal(family, limit)])
  const { body: given, nulls } = withoutNulls(body)
  const shape = family.schema.safeParse(given)
  if (!shape.success)
    return refuseWith(
      // Of the body as it came: of a required field that is null, the refusal shows the null.
      shapeRefusals(shape.error.issues, body).map((refusal) => shapeRefusalOf(family, refusal)),
    )
  const ignored = ignoredFields(given, shape.data)
  const hints = ignored.length === 0 ? [] : foreignNameHints(family, ignored)
  const notes = {
    ignored,
    warnings: nulls.length === 0 ? hints : [nullNote(nulls), ...hints],
    ...(hints.length === 0 ? {} : { hints }),
  }
  const input = family.readRequest === undefined ? shape.data : family.readRequest(shape.data)
  const mediaRefs = family.mediaRefs?.(input) ?? []
  return {
    mediaRefs,
    owes: challengeOwed(family, input),
    decide: (context) =>
      checkRateLimit(family, context) ??
      (settings.strict ? checkStrictly(family, notes.ignored, nulls, context) : undefined) ??
      checkRules(family, input, notes, context) ??
      checkHandshake(family, notes, context) ??
      create(family, input, mediaRefs, notes, context),
  }
}

/** What the journal says of a body whose shape is right: its unknown fields (gap X11), and its nulls (gap X13). */
type BodyNotes = Pick<Decision['meta'], 'ignored' | 'hints' | 'warnings'>

const challengeOwed = ({ callback }: AnyTaskFamily, input: unknown): OwedChallenge | undefined => {
  const url = callback?.mustPass === true ? callback.url(input) : undefined
  const { timeoutMs, signature } = callback?.delivery ?? defaultDelivery
  return url === undefined ? undefined : { url, timeoutMs: timeoutMs.challenge, signature }
}

/** Rate limit check. It counts accepted creates and comes before any other check, as gateways do (gap X6, N1). */
const checkRateLimit = (family: AnyTaskFamily, context: DecisionContext): Decision | undefined => {
  const exceeded = exceededRate(context.account, context.now)
  if (exceeded === undefined) return undefined
  const error = errorOf(family, commonRules.rateLimit, family.wellKnownErrors['rate-limited'])
  return refused(family, [{ error, ...ruleRef(family.id, commonRules.rateLimit), ...exceeded }], context)
}

/** Check of the setting `strict`: unknown fields (gap X11), and fields that are null (gap X13). */
const checkStrictly = (
  family: AnyTaskFamily,
  ignored: readonly string[],
  nulls: readonly string[],
  context: DecisionContext,
): Decision | undefined => {
  const error = errorOf(family, commonRules.fieldsAreKnown, family.wellKnownErrors.invalid)
  const refusal = (name: string, problem: string): RefusedBy => {
    // Such a name is the client's and no word of the interface: the one part of a refusal, besides its sentence, that can
    // hold a key.
    const field = redactedText(name, context.account.key)
    const message = `${field} ${problem}, and the setting strict is on`
    return { error, ...ruleRef(family.id, commonRules.fieldsAreKnown), field, message }
  }
  const refusals = [
    ...ignored.map((name) => refusal(name, 'is not a field of this interface')),
    ...nulls.map((name) => refusal(name, 'is null')),
  ]
  return refusals.length === 0 ? undefined : refused(family, refusals, context)
}

const checkRules = (
  family: AnyTaskFamily,
  input: unknown,
  notes: BodyNotes,
  context: DecisionContext,
): Decision | undefined => {
  const refusals: RefusedBy[] = []
  for (const rule of family.rules) {
    const refusal = rule.check(input, context)
    if (refusal === undefined) continue
    const { error = family.wellKnownErrors.invalid, ...details } = refusal
    refusals.push({ error: errorOf(family, rule, error), ...details, ...ruleRef(family.id, rule) })
  }
  return refusals.length === 0 ? undefined : refused(family, refusals, context, notes)
}

/** Refusal where the receiver of callbacks did not pass the challenge that it had to. */
const checkHandshake = (
  family: AnyTaskFamily,
  notes: BodyNotes,
  context: DecisionContext,
): Decision | undefined => {
  const problem = context.handshake?.problem
  if (problem === undefined) return undefined
  const { callbackVerified } = commonRules
  const error = errorOf(family, callbackVerified, family.wellKnownErrors.invalid)
  const message = `callback_url did not pass the challenge: ${problem.replace(/\.$/, '')}`
  const allowed = 'the address of a receiver that returns the challenge'
  const refusal = { error, ...ruleRef(family.id, callbackVerified), field: 'callback_url', allowed, message }
  return refused(family, [refusal], context, notes)
}

const create = (
  family: AnyTaskFamily,
  input: unknown,
  mediaRefs: readonly MediaRef[],
  notes: BodyNotes,
  context: DecisionContext,
): Decision => {
  const task = taskOf(family, input, context)
  // No rule of the service but a quota of the emulator, with no ended task left to evict.
  const exceeded = context.quotaExceeded?.(task)
  if (exceeded !== undefined) {
    const error = errorOf(family, commonRules.roomForTask, family.wellKnownErrors['rate-limited'])
    const refusal = { ...quotaRefusal(exceeded), error, ...ruleRef(family.id, commonRules.roomForTask) }
    return refused(family, [refusal], context, notes)
  }
  const images = family.images?.(task.params) ?? 0
  const changes: Change[] = [{ acceptCreate: context.now }, { putTask: task }]
  if (images > 0) changes.push({ countImages: images })
  // A new task is shown as it began, even where everything happens in the same instant (gap Z17).
  const view = { ...viewAt({ ...task, timeline: task.timeline.slice(0, 1) }, context.now), task }
  return {
    reply: { status: 200, body: family.respond.created(view, context) },
    changes,
    meta: {
      task: task.id,
      ...noMeta,
      ...notes,
      warnings: [
        ...notes.warnings,
        ...(mediaRefs.length === 0 ? [] : mediaWarnings(mediaRefs, context)),
        ...(family.warnings?.(input, context) ?? []),
      ],
    },
  }
}

const mediaWarnings = (mediaRefs: readonly MediaRef[], { resolvedMedia }: DecisionContext): string[] => [
  ...mediaRefs
    .filter(({ url }) => resolvedMedia(url)?.state === 'unseen')
    .map(({ field }) => `${field} was not read, so no rule on its facts was applied (setting fetchMedia)`),
  ...mediaRefs.flatMap(({ field, url }) => {
    const medium = resolvedMedia(url)
    if (medium?.state !== 'read' || medium.facts.kind !== 'video') return []
    return medium.facts.note === undefined ? [] : [`${field}: ${medium.facts.note}`]
  }),
  ...labelNotes(mediaRefs, resolvedMedia),
]

/** Record of a new task, with its whole timeline. */
const taskOf = (family: AnyTaskFamily, input: unknown, context: DecisionContext): Task => {
  const { now, account, requestId } = context
  const { model } = input as { model: string }
  const params = family.params(input, context)
  const id = family.newId(context)
  const timeline = family.timeline(params, context, id)
  const deadline = family.deadline?.(params, now)
  const callback = callbackOf(family, input, context)
  return {
    id,
    family: family.id,
    account: account.key,
    model,
    requestId,
    createdAt: now,
    params,
    timeline: deadline === undefined ? timeline : expiringAt(timeline, deadline),
    price: priceOf(family, model, params, context),
    ...(callback === undefined ? {} : { callback }),
  }
}

/** Price of a task: of its model in its resolution by the setting `prices`, of its model by it, or as it is listed. */
const priceOf = (
  { price }: AnyTaskFamily,
  model: string,
  params: unknown,
  { settings: { prices } }: DecisionContext,
): number => {
  if (price === undefined) return 0
  const { resolution, seconds } = price.meter(params)
  const name = `${model} ${resolution}`
  return toBillionth(seconds * (prices[name] ?? prices[model] ?? price.perSecond[name] ?? 0))
}

const callbackOf = (
  { callback }: AnyTaskFamily,
  input: unknown,
  { origin, random, handshake }: DecisionContext,
): CallbackAddress | undefined => {
  const url = callback?.url(input)
  if (callback === undefined || url === undefined) return undefined
  if (handshake !== undefined) {
    const { challenge, attempt } = handshake
    return { url, origin, verified: { challenge, attempt } }
  }
  return {
    url,
    origin,
    ...(callback.handshake ? { challenge: random.hex('challenge', CHALLENGE_LENGTH) } : {}),
  }
}

/** Cancel operation: the family says what becomes of a task in its state. */
const decideCancel = (family: AnyTaskFamily, view: TaskView, context: DecisionContext): Decision => {
  const outcome = family.cancelOutcome?.(view) ?? 'remove'
  if (outcome === 'cancel') {
    const timeline = forcedTimeline(view.task.timeline, context.now, { state: 'cancelled' })
    const task = { ...view.task, timeline }
    return cancelDecision(family, viewAt(task, context.now), [{ putTask: task }])
  }
  if (outcome === 'remove') return cancelDecision(family, view, [{ dropTask: view.task.id }])
  const error = errorOf(family, commonRules.taskCanGo, outcome.error)
  const refusal = { ...outcome, error, ...ruleRef(family.id, commonRules.taskCanGo) }
  return refused(family, [refusal], context, { task: view.task.id })
}

const cancelDecision = (family: AnyTaskFamily, view: TaskView, changes: readonly Change[]): Decision => ({
  reply: { status: 200, body: family.respond.cancelled?.(view) ?? {} },
  changes,
  meta: { task: view.task.id, ...noMeta },
})
