import { exceededRate } from '../account/rate-limit.js'
import { CHALLENGE_LENGTH } from '../callback/attempts.js'
import {
  type AnyTaskFamily,
  type Change,
  type Decision,
  type DecisionContext,
  noMeta,
  type Prepared,
} from '../contract.js'
import type { RefusedBy } from '../errors.js'
import { redactedText } from '../journal/redact.js'
import { type Call, jsonOf } from '../model/call.js'
import { type CallbackAddress, expiringAt, type Task, type TaskTimeline, viewAt } from '../model/task.js'
import { refusalFor } from '../quotas.js'
import { exceedsJsonLimits, ignoredFields, shapeRefusals } from '../request.js'
import type { Settings } from '../settings.js'
import {
  fieldsAreKnown,
  jsonLimitRefusal,
  rateLimit,
  refused,
  roomForTask,
  ruleRef,
  shapeRefusalOf,
} from './refusals.js'

/** The record of a new task, with everything that will come of it. */
const taskOf = (family: AnyTaskFamily, input: unknown, world: DecisionContext): Task => {
  const order = family.params(input, world)
  const id = family.newId(world)
  const callback = callbackOf(family, input, world)
  return {
    id,
    family: family.id,
    account: world.account.key,
    model: (input as { model: string }).model,
    requestId: world.requestId,
    createdAt: world.now,
    params: order,
    timeline: timelineOf(family, order, world, id),
    price: family.price?.(order, world.settings) ?? 0,
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
  order: unknown,
  world: DecisionContext,
  id: string,
): TaskTimeline => {
  const life = family.timeline(order, world, id)
  const deadline = family.deadline?.(order, world.now)
  return deadline === undefined ? life : expiringAt(life, deadline)
}

/** Creating a task, the same in every family: shape, rules, order, life, answer. */
export const prepareCreate = (family: AnyTaskFamily, call: Call, settings: Settings): Prepared => {
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
export const limited = (family: AnyTaskFamily, world: DecisionContext): Decision | undefined => {
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
  return quotaExceeded(family, task, ignored, world) ?? accepted(family, input, task, ignored, world)
}

// Not a rule of the service: a bound of the emulator, which nothing that has ended could make room under any more.
const quotaExceeded = (
  family: AnyTaskFamily,
  task: Task,
  ignored: readonly string[],
  world: DecisionContext,
): Decision | undefined => {
  const shortage = world.quotaExceeded?.(task)
  if (shortage === undefined) return undefined
  const error = family.wellKnownErrors['rate-limited']
  const refusal: RefusedBy = { ...refusalFor(shortage), error, ...ruleRef(family.id, roomForTask) }
  return refused(family, [refusal], world, { ignored })
}

const accepted = (
  family: AnyTaskFamily,
  input: unknown,
  task: Task,
  ignored: readonly string[],
  world: DecisionContext,
): Decision => {
  const images = family.images?.(task.params) ?? 0
  const changes: Change[] = [{ acceptCreate: world.now }, { putTask: task }]
  if (images > 0) changes.push({ countImages: images })
  return {
    // A new task is shown as it began, even where everything happens in the same instant (gap Z17).
    reply: { status: 200, body: family.respond.created(initialView(task, world), world) },
    changes,
    meta: { ...noMeta, ignored, warnings: warnings(family, input, world), task: task.id },
  }
}

const initialView = (task: Task, world: DecisionContext) => ({
  ...viewAt({ ...task, timeline: task.timeline.slice(0, 1) }, world.now),
  task,
})

const warnings = (family: AnyTaskFamily, input: unknown, world: DecisionContext): string[] => [
  ...(family.mediaRefs?.(input) ?? [])
    .filter(({ url }) => world.resolvedMedia(url)?.state === 'unseen')
    .map(({ field }) => `${field} was not read, so no rule on its facts was applied (setting fetchMedia)`),
  ...(family.warnings?.(input, world) ?? []),
]
