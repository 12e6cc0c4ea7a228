import type { Account } from '../../core/account/account.js'
import { apply } from '../../core/account/apply.js'
import { type AccountEvent, runDue } from '../../core/account/settle.js'
import type { ResolvedMedia } from '../../core/media/mention.js'
import { asDecision, type Decision, type Operation } from '../../core/operation.js'
import { isInstead } from '../../core/scenario/answer.js'
import { applyScenario, type CallMatch } from '../../core/scenario/scene.js'
import type { Settings } from '../../core/settings.js'
import type { Task } from '../../core/task/task.js'
import { type ClockState, readClock } from '../../core/time/clock.js'
import type { Instant } from '../../core/time/timeline.js'
import type { DecisionContext } from '../../core/world.js'
import { noQuotas, type Quotas } from '../bounds/bounds.js'
import type { AccountUsage } from '../bounds/census.js'
import type { Owners } from '../store/owners.js'
import type { ReceivedRequest } from './incoming.js'
import type { IdentifiedCall } from './recognise.js'
import { redactKey } from './without-key.js'
import { worldOf } from './world.js'

/** What was decided, remembered and brought about. */
export interface Outcome {
  readonly decision: Decision
  readonly callMatch: CallMatch
  /** A scenario has a callback of the new task come before the answer. */
  readonly isOvertaken: boolean
  readonly now: Instant
  readonly happenings: readonly AccountEvent[]
  /** When something next happens on the account. */
  readonly nextAt: Instant | undefined
  readonly clock: ClockState
}

export interface DecideParts {
  readonly settings: Settings
  readonly secret: string
  /** When a task expires if it has not ended; undefined where it never does. */
  readonly deadlineOf: (task: Task) => Instant | undefined
  readonly wall: () => number
  readonly onInternalError: (error: unknown) => void
  /** Left out, there is room for everything. */
  readonly usage?: Pick<AccountUsage, 'shortageOf' | 'shortageFor'>
  readonly bounds?: Quotas
}

export type Decide = (
  account: Account,
  owners: Owners,
  incoming: ReceivedRequest,
  identified: IdentifiedCall,
  found: ReadonlyMap<string, ResolvedMedia>,
) => Outcome

/** Decides a call in its account's world and remembers what that changes, all of it or nothing. */
export const createDecide = (parts: DecideParts): Decide => {
  const { settings, secret, deadlineOf, wall, onInternalError, usage, bounds = noQuotas } = parts
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
    if (isInstead(callMatch.matchedStep?.does.answer)) return asDecision({ status: 200, body: undefined })
    return 'mediaRefs' in next ? guarded(() => next.decide(world), operation, requestId) : next
  }

  return (account, owners, { origin, key }, identified, found) => {
    const now = readClock(account.clock, wall())
    const before = runDue(account, now)
    const { requestId } = identified
    const world = worldOf(account, now, { settings, secret, origin, requestId, found, owners, usage })
    const { decision, callMatch } = applyScenario(
      decided(identified, world),
      identified.callMatch,
      account,
      deadlineOf,
    )
    const met = decision.notes.refusedBy[0]?.bound
    if (met !== undefined) bounds.refuse(met)
    apply(account, decision.changes)
    for (const change of decision.changes)
      if ('putAsset' in change) owners.give(change.putAsset.jobId, account.key)
    return {
      decision: { ...decision, reply: redactKey(decision.reply, key) },
      callMatch,
      isOvertaken: isOvertaken(account, decision),
      now,
      happenings: [...before, ...runDue(account, now)],
      nextAt: account.agenda.peek()?.at,
      clock: account.clock,
    }
  }
}

const isOvertaken = ({ callbacks }: Account, { changes }: Decision): boolean =>
  changes.some(
    (change) =>
      'putTask' in change &&
      callbacks.correspondences
        .get(change.putTask.id)
        ?.waiting.some(({ fault }) => fault?.beforeAnswer === true) === true,
  )
