import type { Call, FailureKind, Operation, Route } from '../operation.js'
import { prepareCancel } from './cancel.js'
import { limited, prepareCreate } from './create.js'
import type { AnyTaskFamily } from './family.js'
import { nextOfListed, prepareList } from './list.js'
import { namesTaskOf, nextOfNamed, prepareRead } from './read.js'
import { refusalReply } from './refusals.js'
import { fieldsAreKnown, rateLimit, roomForTask, taskCanGo, taskExists } from './standing-rules.js'

/** What clients can do with a family: create, read, list and cancel, as far as it has routes for them. */
export const operationsOf = (family: AnyTaskFamily): Operation[] => {
  const { create, read, list, cancel } = family.routes
  return [
    operation(family, 'create', create, {
      claims: (call) => family.models.includes(modelOf(call)),
      prepare: (call, settings) => prepareCreate(family, call, settings),
      limited: (world) => limited(family, world),
      rules: [rateLimit, fieldsAreKnown, ...family.rules, roomForTask],
    }),
    ...present(read, (route) =>
      operation(family, 'read', route, {
        claims: namesTaskOf(family),
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
        rules: [taskExists(family), ...(family.cancelling === undefined ? [] : [taskCanGo])],
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
  does: Pick<Operation, 'prepare' | 'limited' | 'rules' | 'claims' | 'awaits'>,
): Operation => ({
  id: `${family.id}.${verb}`,
  family: family.id,
  section: family.section,
  route,
  needsKey: true,
  maxBodyBytes: family.maxBodyBytes,
  refuse: (standing: FailureKind, refusal, requestId) =>
    refusalReply(family, { ...refusal, error: family.standing[standing] }, requestId),
  standing: family.standing,
  errors: Object.keys(family.errors),
  raise: (error, refusal, requestId) => refusalReply(family, { ...refusal, error }, requestId),
  ...does,
})

const modelOf = (call: Call): string => {
  const body = call.body.kind === 'json' ? call.body.value : undefined
  const model = (body as { model?: unknown } | null | undefined)?.model
  return typeof model === 'string' ? model : ''
}
