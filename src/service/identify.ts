import { credentialProblem } from '../core/account/account.js'
import { asDecision, type Decision, noMeta, type PreparedCall } from '../core/contract.js'
import { controlErrorBody, EmulatorError } from '../core/errors.js'
import { type Account, beginRun } from '../core/model/account.js'
import type { Call } from '../core/model/call.js'
import { type CallMatch, canMoveClock, clockJumpOf, matchCall } from '../core/scenario/apply.js'
import { noMatch } from '../core/scenario/match.js'
import type { Instant } from '../core/schedule/time.js'
import { SCENARIO_HEADER } from '../scenarios/library.js'
import type {
  IdentifiedExchange,
  MatchedRoute,
  ReceivedExchange,
  ServiceOperation,
  ServiceParts,
} from './exchange.js'
import { credentialRefusal, unknownPath, unreadableBody } from './prechecks.js'

/** Second step: selects the operation of a call and runs the prechecks. It reads the account and changes nothing. */
export const createIdentify = ({
  settings,
  store,
  onInternalError,
}: Pick<ServiceParts, 'settings' | 'store' | 'onInternalError'>) => {
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
    const { accountIdOf, refuseUnknownAccount } = operation
    if (refuseUnknownAccount !== undefined && accountIdOf?.(call) !== account.id)
      return refuse(exchange, arrivedAt, operation, (requestId) => refuseUnknownAccount(call, requestId))
    const prepared = refuseBody(operation, exchange) ?? prepare(operation, call)
    const isOnPoll = account.clock.mode === 'on-poll'
    const nextMoment = isOnPoll ? operation.nextMomentOf?.(call, account, arrivedAt) : undefined
    const requestRun =
      requestScenario === undefined ? undefined : beginRun(requestScenario, settings.seed, arrivedAt)
    // Other effects wait for the decision, which matches the call itself.
    const clockJumpMs = canMoveClock(account, requestRun)
      ? clockJumpOf(matchCall(account, operation, call, arrivedAt, requestRun))
      : undefined
    const results = { operation, arrivedAt, prepared, isMatchable: true, nextMoment, requestRun, clockJumpMs }
    return Object.assign(exchange, results)
  }

  return (exchange: ReceivedExchange): Promise<IdentifiedExchange> =>
    store.read(exchange.accountKey, (account, now) => identify(exchange, account, now))
}

/** Matches a call with the scenarios of its account. It changes nothing, so that it can be repeated after the call has waited. */
export const matchExchange = (
  account: Readonly<Account>,
  { isMatchable, operation, call, arrivedAt, requestRun }: IdentifiedExchange,
): CallMatch =>
  isMatchable && operation !== undefined
    ? matchCall(account, operation, call, arrivedAt, requestRun)
    : noMatch

/** Refuses a call whatever the state of its account, so that no scenario matches it. */
const refuse = (
  exchange: ReceivedExchange,
  arrivedAt: Instant,
  operation: ServiceOperation | undefined,
  decide: (requestId: string) => Decision,
): IdentifiedExchange => {
  const unmatched = {
    isMatchable: false,
    nextMoment: undefined,
    requestRun: undefined,
    clockJumpMs: undefined,
  }
  return Object.assign(exchange, { operation, arrivedAt, prepared: refusal(decide), ...unmatched })
}

const refusal = (decide: (requestId: string) => Decision): PreparedCall => ({
  mediaRefs: [],
  decide: ({ requestId }) => decide(requestId),
})

// The rate limit comes before any body, one that cannot be read included. A body for which there is no memory gets a 429 of
// the emulator's own, which may be given in the name of another account.
const refuseBody = (
  operation: ServiceOperation,
  { call: { body }, bytes }: ReceivedExchange,
): PreparedCall | undefined => {
  const decide = unreadableBody(operation, body, bytes)
  const { checkRateLimit } = operation
  if (decide === undefined) return undefined
  if (checkRateLimit === undefined || body.kind === 'busy') return refusal(decide)
  return { mediaRefs: [], decide: (context) => checkRateLimit(context) ?? decide(context.requestId) }
}

const unknownScenario = (error: EmulatorError): Decision => {
  const ref = { rule: 'emulator.scenario-header', place: 'docs/scenarios.md' }
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
