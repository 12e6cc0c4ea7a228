import { credentialProblem } from '../core/account/credentials.js'
import { asDecision, type Decision, noMeta, type Operation, type Prepared } from '../core/contract.js'
import { controlErrorBody } from '../core/control-error.js'
import { EmulatorError } from '../core/errors.js'
import type { Account } from '../core/model/account.js'
import type { Body, Call } from '../core/model/call.js'
import { beginRun } from '../core/model/scenario-run.js'
import { type CallMatch, matchCall } from '../core/scenario/apply.js'
import { noMatch } from '../core/scenario/match.js'
import type { Scenario } from '../core/scenario/schema.js'
import { readClock } from '../core/schedule/clock.js'
import type { Instant } from '../core/schedule/timeline.js'
import type { Settings } from '../core/settings.js'
import { SCENARIO_HEADER } from '../scenarios/library.js'
import {
  credentials,
  type PrecheckRefusal,
  precheckRefusal,
  unknownPath,
  unreadableBody,
} from './prechecks.js'
import type { ReceivedRequest } from './receive.js'
import { requestIdOf } from './request-id.js'
import type { MatchedRoute } from './routes.js'

/** What a call has been recognised as, before anything is decided. */
export interface IdentifiedCall {
  /** Left out where no operation has such a route. */
  readonly operation: Operation | undefined
  readonly requestId: string
  /** What the account's clock said when the call came. */
  readonly arrivedAt: Instant
  /** What is left to decide, or the decision where nothing is. */
  readonly next: Prepared | Decision
  /** Where an on-poll clock moves before the decision. */
  readonly waitsFor: Instant | undefined
  readonly callMatch: CallMatch
}

export interface IdentifyParts {
  readonly settings: Settings
  readonly wall: () => number
  readonly onInternalError: (error: unknown) => void
}

/** `guest` is the scenario that the call itself brings, or what is wrong with its name. */
export type Identify = (
  account: Account,
  incoming: ReceivedRequest,
  guest: Scenario | EmulatorError | undefined,
) => IdentifiedCall

export const createIdentify = ({ settings, wall, onInternalError }: IdentifyParts): Identify => {
  const prepared = (operation: Operation, call: Call, requestId: string): Prepared | Decision => {
    try {
      return operation.prepare(call, settings)
    } catch (error) {
      onInternalError(error)
      return asDecision(operation.refuse('internal', {}, requestId))
    }
  }

  return (account, { call, matched, key, bytes }, guest) => {
    account.requests += 1
    const requestId = requestIdOf(settings.seed, account.tag, account.requests)
    const now = readClock(account.clock, wall())
    const answered = (operation: Operation | undefined, next: Decision): IdentifiedCall => ({
      operation,
      requestId,
      arrivedAt: now,
      next,
      waitsFor: undefined,
      callMatch: noMatch,
    })
    if (matched === undefined) return answered(undefined, asDecision(unknownPath(call.method, call.path)))
    const operation = selectOperation(matched, call, account)
    const problem = operation.needsKey ? credentialProblem(key, settings, now) : undefined
    if (problem !== undefined)
      return answered(
        operation,
        precheckRefusal(operation, 'unauthenticated', credentials, wrongKey(problem), requestId),
      )
    // A mistake in the header is the caller's with the emulator, and nothing that the service would say.
    if (guest instanceof EmulatorError) return answered(operation, wrongGuest(guest))
    const playing = guest === undefined ? undefined : beginRun(guest, settings.seed, now)
    return {
      operation,
      requestId,
      arrivedAt: now,
      next: unread(operation, call.body, bytes, requestId) ?? prepared(operation, call, requestId),
      waitsFor: account.clock.mode === 'on-poll' ? operation.awaits?.(call, account, now) : undefined,
      callMatch: matchCall(account, operation, call, now, playing),
    }
  }
}

// The rate limit comes before any body, one that cannot be read included. Where there is no room to read one, the
// answer is a 429 of the emulator's own, which may be given in the name of another account.
const unread = (
  operation: Operation,
  body: Body,
  bytes: number,
  requestId: string,
): Prepared | Decision | undefined => {
  const decision = unreadableBody(operation, body, bytes, requestId)
  const { limited } = operation
  if (decision === undefined || limited === undefined || body.kind === 'busy') return decision
  return { mediaRefs: [], decide: (world) => limited(world) ?? decision }
}

// What was sent is not shown, since it is a key or meant to be one.
const wrongKey = (message: string): PrecheckRefusal => ({
  field: 'Authorization',
  allowed: 'Bearer and the key of an account',
  message,
})

const wrongGuest = (error: EmulatorError): Decision => ({
  reply: { status: 400, body: controlErrorBody(error) },
  changes: [],
  meta: {
    ...noMeta,
    refusedBy: [
      {
        error: error.code,
        rule: 'emulator.scenario-header',
        place: 'docs/scenarios.md',
        field: SCENARIO_HEADER,
        message: error.message.replace(/\.$/, ''),
      },
    ],
  },
})

// On a shared route the model or the stored record decides; the first operation answers for what nobody claims.
const selectOperation = ({ operations }: MatchedRoute, call: Call, account: Account): Operation =>
  operations.find(({ matches: claims }) => claims?.(call, account) ?? true) ?? (operations[0] as Operation)
