import { credentialProblem } from '../core/account/account.js'
import {
  asDecision,
  type Decision,
  type FailureKind,
  noMeta,
  type Operation,
  type PreparedCall,
  type StatedRule,
} from '../core/contract.js'
import { controlErrorBody, EmulatorError } from '../core/errors.js'
import { takesBody } from '../core/http.js'
import { type Account, beginRun } from '../core/model/account.js'
import type { Body, Call, RefusalDetails, Reply } from '../core/model/call.js'
import { type CallMatch, canMoveClock, clockJumpOf, matchCall } from '../core/scenario/apply.js'
import { noMatch } from '../core/scenario/match.js'
import type { Scenario } from '../core/scenario/schema.js'
import type { Instant } from '../core/schedule/time.js'
import { ruleRef } from '../core/task/refusals.js'
import { SCENARIO_HEADER } from '../scenarios/library.js'
import type {
  IdentifiedExchange,
  MatchedRoute,
  ReceivedExchange,
  ScenarioContext,
  ServiceOperation,
  ServiceParts,
} from './exchange.js'

/** Second step: selects the operation of a call and runs the prechecks. It reads the account and changes nothing. */
export const createIdentify = ({
  settings,
  systemNow,
  store,
  onInternalError,
}: Pick<ServiceParts, 'settings' | 'systemNow' | 'store' | 'onInternalError'>) => {
  const prepare = (operation: ServiceOperation, call: Call): PreparedCall => {
    try {
      return operation.prepare(call, settings)
    } catch (error) {
      onInternalError(error)
      return refusal((requestId) => asDecision(operation.refuse('internal', {}, requestId)))
    }
  }

  const identify = (
    exchange: ReceivedExchange,
    account: Readonly<Account>,
    arrivedAt: Instant,
  ): IdentifiedExchange => {
    const { call, route, key, requestScenario } = exchange
    if (route === undefined)
      return refuse(exchange, arrivedAt, undefined, () => asDecision(unknownPath(call.method, call.path)))
    const operation = selectOperation(route, call, account)
    const credentialError = operation.needsKey ? credentialProblem(key, settings, arrivedAt) : undefined
    if (credentialError !== undefined)
      return refuse(exchange, arrivedAt, operation, (requestId) =>
        credentialRefusal(operation, credentialError, requestId),
      )
    // A mistake in the header is one of using the emulator, and nothing that the service would refuse.
    if (requestScenario instanceof EmulatorError)
      return refuse(exchange, arrivedAt, operation, () => unknownScenario(requestScenario))
    const { accountId, refuseUnknownAccount } = operation
    if (refuseUnknownAccount !== undefined && accountId !== account.id)
      return refuse(exchange, arrivedAt, operation, refuseUnknownAccount)
    const prepared = refuseBody(operation, exchange) ?? prepare(operation, call)
    const isOnPoll = account.clock.mode === 'on-poll'
    const nextMoment = isOnPoll ? operation.nextMomentOf?.(call, account, arrivedAt) : undefined
    const scenario =
      account.playing.length === 0 && requestScenario === undefined
        ? nothingPlays
        : scenarioOf(operation, call, account, arrivedAt, requestScenario)
    return Object.assign(exchange, { operation, arrivedAt, prepared, nextMoment, ...scenario })
  }

  /** What scenarios have to do with a call before it is decided. Other effects wait for the decision, which matches it itself. */
  const scenarioOf = (
    operation: ServiceOperation,
    call: Call,
    account: Readonly<Account>,
    arrivedAt: Instant,
    named: Scenario | undefined,
  ): ScenarioContext => {
    const requestRun = named && beginRun(named, settings.seed, arrivedAt)
    const clockJumpMs = canMoveClock(account, requestRun)
      ? clockJumpOf(matchCall(account, operation, call, { at: arrivedAt, wall: systemNow() }, requestRun))
      : undefined
    return { isMatchable: true, requestRun, clockJumpMs }
  }

  return (exchange: ReceivedExchange): Promise<IdentifiedExchange> =>
    store.read(exchange.accountKey, (account, now) => identify(exchange, account, now))
}

/**
 * Matches a call with the scenarios of its account. It changes nothing, so that it can be repeated after the call has waited.
 * @param wall real time, in Unix milliseconds
 * @param decidedAt the instant whose status of a task the answer tells. Default: to which the query itself moves the clock
 */
export const matchExchange = (
  account: Readonly<Account>,
  { isMatchable, operation, call, arrivedAt, nextMoment = arrivedAt, requestRun }: IdentifiedExchange,
  wall: Instant,
  decidedAt: Instant = Math.max(arrivedAt, nextMoment),
): CallMatch =>
  isMatchable && operation !== undefined
    ? matchCall(account, operation, call, { at: arrivedAt, wall }, requestRun, decidedAt)
    : noMatch

/** Refuses a call whatever the state of its account, so that no scenario matches it. */
const refuse = (
  exchange: ReceivedExchange,
  arrivedAt: Instant,
  operation: ServiceOperation | undefined,
  decide: (requestId: string) => Decision,
): IdentifiedExchange => {
  const prepared = refusal(decide)
  return Object.assign(exchange, { operation, arrivedAt, prepared, nextMoment: undefined, ...unmatchable })
}

const nothingPlays: ScenarioContext = { isMatchable: true, requestRun: undefined, clockJumpMs: undefined }
const unmatchable: ScenarioContext = { ...nothingPlays, isMatchable: false }

const refusal = (decide: (requestId: string) => Decision): PreparedCall => ({
  decide: ({ requestId }) => decide(requestId),
})

// The rate limit comes before any body, one that cannot be read included. A body for which there is no memory gets a 429 of
// the emulator's own, which may be given in the name of another account.
const refuseBody = (
  operation: ServiceOperation,
  { call: { body }, bytes }: ReceivedExchange,
): PreparedCall | undefined => {
  const problem = bodyProblem(operation, body, bytes)
  if (problem === undefined) return undefined
  const checkRateLimit = body.kind === 'busy' ? undefined : operation.checkRateLimit
  return {
    decide: (context) => checkRateLimit?.(context) ?? precheckRefusal(operation, problem, context.requestId),
  }
}

const unknownScenario = (error: EmulatorError): Decision => {
  const ref = ruleRef('emulator', scenarioHeaderRule)
  const message = error.sentence.replace(/\.$/, '')
  const refusedBy = [{ error: error.code, ...ref, field: SCENARIO_HEADER, message }]
  return asDecision({ status: 400, body: controlErrorBody(error) }, { ...noMeta, refusedBy })
}

// On a shared route the model or the stored record decides; the first operation answers if none matches.
const selectOperation = (
  { operations }: MatchedRoute,
  call: Call,
  account: Readonly<Account>,
): ServiceOperation =>
  operations.find(({ matches }) => matches?.(call, account) ?? true) ?? (operations[0] as ServiceOperation)

// biome-ignore format: one row a line
const rules = {
  credentials: { id: 'credentials', says: 'The call carries the key of an account.', place: 'docs/families/every-family.md#authentication, docs/gaps.md#x1' },
  contentType: { id: 'content-type', says: 'The body is not said to be a form.', place: 'docs/gaps.md#c12' },
  bodyIsJson: { id: 'body-is-json', says: 'The body is JSON and not compressed.', place: 'docs/gaps.md#x8' },
  memoryForBody: { id: 'room-for-body', says: 'There is room to read one more body, for its media and for the account of the call.', place: 'docs/operations.md' },
  bodyCanBeKept: { id: 'body-can-be-kept', says: 'The emulator can store the body, if it has to.', place: 'docs/operations.md' },
} satisfies Readonly<Record<string, StatedRule>>

/** Rule of the header with which a call names a scenario. */
export const scenarioHeaderRule: StatedRule = {
  id: 'scenario-header',
  says: 'The scenario that the header of a call names is there.',
  place: 'docs/scenarios.md',
}

/** A form for uploads, and JSON for everything else. */
const bodyIsReadable = ({ form, family }: Operation): StatedRule => {
  const says = 'The body is a form (multipart/form-data) with one file.'
  return form === undefined
    ? rules.bodyIsJson
    : { id: 'body-is-form', says, place: `docs/families/${family}.md#upload` }
}

const bodySize = ({ bodySizeRef }: Operation): StatedRule => ({
  id: 'body-size',
  says: 'The body has at most the bytes that the settings allow.',
  place: bodySizeRef ?? 'docs/gaps.md#z7',
})

/** Prechecks of an operation: what calls are refused for before they are decided, their key or a body that cannot be read. */
export const precheckRules = (operation: Operation): readonly StatedRule[] => {
  const credentials = operation.needsKey ? [rules.credentials] : []
  if (!takesBody(operation.route.method)) return credentials
  return [
    ...credentials,
    ...(operation.form === undefined ? [rules.contentType] : []),
    bodyIsReadable(operation),
    bodySize(operation),
    rules.memoryForBody,
    rules.bodyCanBeKept,
  ]
}

/** The family's answer to a call without a valid key. The received key is not shown. */
const credentialRefusal = (operation: Operation, message: string, requestId: string): Decision => {
  const refusal = { field: 'Authorization', allowed: 'Bearer and the key of an account', message }
  return precheckRefusal(operation, ['unauthenticated', rules.credentials, refusal], requestId)
}

const precheckRefusal = (
  operation: Operation,
  [kind, rule, refusal]: PrecheckProblem,
  requestId: string,
): Decision => {
  const { message, retryAfterSeconds } = refusal
  // The answer has the words alone: no field of a body is at fault.
  const reply = operation.refuse(kind, { message, retryAfterSeconds }, requestId)
  const error = operation.wellKnownErrors[kind]
  const refusedBy = [{ ...refusal, error, ...ruleRef(operation.family, rule) }]
  return asDecision(reply, { ...noMeta, refusedBy })
}

/** Why a precheck refuses a call: the kind of its error, the rule, and the details. */
type PrecheckProblem = readonly [kind: FailureKind, rule: StatedRule, refusal: RefusalDetails]

type NoRoom = Omit<Extract<Body, { kind: 'busy' }>, 'kind'>

const roomProblem = ({ detail: message, isTooLarge }: NoRoom): PrecheckProblem =>
  isTooLarge
    ? ['too-large', rules.memoryForBody, { message }]
    : ['rate-limited', rules.memoryForBody, { message, retryAfterSeconds: 1 }]

/** The family's answer to a call for which there is no room, or never is. */
export const refuseForRoom = (operation: Operation, noRoom: NoRoom, requestId: string): Decision =>
  precheckRefusal(operation, roomProblem(noRoom), requestId)

/** Problem of a body that an operation cannot look at; undefined if it can. */
const bodyProblem = (operation: Operation, body: Body, bytes: number): PrecheckProblem | undefined => {
  switch (body.kind) {
    case 'unreadable': {
      const { detail: message } = body
      const allowed = operation.form === undefined ? 'JSON' : 'a form (multipart/form-data) with one file'
      return ['unreadable', bodyIsReadable(operation), { allowed, ...foundBytes(bytes), message }]
    }
    case 'too-large': {
      const { limit, detail } = body
      const allowed = `at most ${limit} bytes`
      const message = detail ?? `The request body is larger than ${limit} bytes; send large media as URLs`
      return ['too-large', bodySize(operation), { ...foundBytes(bytes), allowed, message }]
    }
    case 'busy':
      return roomProblem(body)
    case 'not-kept':
      return ['internal', rules.bodyCanBeKept, { message: body.detail }]
    case 'unsupported': {
      const { contentType: found } = body
      const allowed = 'application/json'
      const message = `The request body must be JSON (application/json), found ${found}`
      return ['unsupported', rules.contentType, { field: 'Content-Type', found, allowed, message }]
    }
    default:
      return undefined
  }
}

// Not the body itself: the credentials in a body that cannot be parsed cannot be redacted.
const foundBytes = (bytes: number): { found?: string } => (bytes > 0 ? { found: `${bytes} bytes` } : {})

/** The answer to a path, or to a method on a path, that the service does not have (gap X7). */
const unknownPath = (method: string, path: string): Reply => ({
  status: 404,
  body: plainError(`Invalid URL (${method} ${path})`, 'invalid_request_error'),
})

/** Error body of a path that no family has (gap X7). */
export const plainError = (message: string, type: string) => ({
  error: { message, type, param: '', code: '' },
})
