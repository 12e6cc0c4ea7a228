import { worldOf } from '../accounts/decision-context.js'
import { type AccountUsage, noQuotas, type Quotas } from '../accounts/quotas.js'
import type { Store } from '../accounts/store.js'
import { apply } from '../core/account/apply.js'
import { asDecision, type Decision, type DecisionContext, type Operation } from '../core/contract.js'
import { mapTexts } from '../core/map-texts.js'
import type { ResolvedMedia } from '../core/media/references.js'
import type { Account } from '../core/model/account.js'
import type { Reply } from '../core/model/call.js'

import type { Task } from '../core/model/task.js'
import { applyScenario, type CallMatch, changeAccountFor } from '../core/scenario/apply.js'
import { isInstead } from '../core/scenario/effects/answer.js'
import type { ClockState } from '../core/schedule/clock.js'
import type { Instant } from '../core/schedule/timeline.js'
import type { Settings } from '../core/settings.js'
import type { IdentifiedCall } from './identify.js'
import type { ReceivedRequest } from './receive.js'

/** What was decided, remembered and brought about. */
export interface Outcome {
  readonly decision: Decision
  readonly callMatch: CallMatch
  /** A scenario has a callback of the new task come before the answer. */
  readonly isOvertaken: boolean
  readonly now: Instant
  readonly clock: ClockState
}

export interface DecideParts {
  readonly settings: Settings
  readonly secret: string
  /** When a task expires if it has not ended; undefined where it never does. */
  readonly deadlineOf: (task: Task) => Instant | undefined
  readonly store: Pick<Store, 'isFree'>
  readonly onInternalError: (error: unknown) => void
  /** Left out, there is room for everything. */
  readonly usage?: Pick<AccountUsage, 'shortageOf' | 'shortageFor'>
  readonly bounds?: Quotas
}

type Decide = (
  account: Account,
  now: Instant,
  incoming: ReceivedRequest,
  identified: IdentifiedCall,
  found: ReadonlyMap<string, ResolvedMedia>,
) => Outcome

/** Decides a call in the context of its account, and applies what that changes: inside a transaction. */
export const createDecide = (parts: DecideParts): Decide => {
  const { settings, secret, deadlineOf, store, onInternalError, usage, bounds = noQuotas } = parts
  const guarded = (run: () => Decision, operation: Operation | undefined, requestId: string): Decision => {
    try {
      return run()
    } catch (error) {
      onInternalError(error)
      return asDecision(operation?.refuse('internal', {}, requestId) ?? { status: 500, body: {} })
    }
  }

  const decided = (
    { next, callMatch, operation, requestId }: IdentifiedCall,
    world: DecisionContext,
  ): Decision => {
    if (isInstead(callMatch.step?.effects.answer)) return asDecision({ status: 200, body: undefined })
    return 'mediaRefs' in next ? guarded(() => next.decide(world), operation, requestId) : next
  }

  return (account, now, { origin, key }, identified, found) => {
    const { requestId } = identified
    const world = worldOf(account, now, { settings, secret, origin, requestId, found, store, usage })
    changeAccountFor(account, identified.callMatch)
    const { decision, match: callMatch } = applyScenario(
      decided(identified, world),
      identified.callMatch,
      account,
      deadlineOf,
    )
    const met = decision.meta.refusedBy[0]?.bound
    if (met !== undefined) bounds.refuse(met)
    apply(account, decision.changes)
    return {
      decision: { ...decision, reply: redactKey(decision.reply, key) },
      callMatch,
      isOvertaken: isOvertaken(account, decision),
      now,
      clock: account.clock,
    }
  }
}

const isOvertaken = ({ callbacks }: Account, { changes }: Decision): boolean =>
  changes.some(
    (change) =>
      'putTask' in change &&
      callbacks.queues.get(change.putTask.id)?.waiting.some(({ fault }) => fault?.beforeAnswer === true) ===
        true,
  )

// Shorter keys are words that errors have to be able to say.
const LEAST_KEY = 8

// Words of the interface: none of them is ever what a client sent, whatever its key is called.
const words = ['code', 'param', 'type']

/**
 * A refusal that does not say the key of whoever called, though its sentences may quote what they sent: answers land in
 * logs.
 */
const redactKey = (reply: Reply, key: string | undefined): Reply =>
  reply.status < 400 || key === undefined || key.length < LEAST_KEY
    ? reply
    : {
        ...reply,
        body: mapTexts(reply.body, (text, name) =>
          words.includes(name) ? text : text.replaceAll(key, '(key)'),
        ),
      }
