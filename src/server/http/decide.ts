import type { Account } from '../../core/account/account.js'
import { apply } from '../../core/account/apply.js'
import { type Happening, settle } from '../../core/account/settle.js'
import type { Found } from '../../core/media/mention.js'
import { asDecision, type Decision, type Operation } from '../../core/operation.js'
import { isInstead } from '../../core/scenario/answer.js'
import { type Scene, twisted } from '../../core/scenario/scene.js'
import type { Settings } from '../../core/settings.js'
import type { Task } from '../../core/task/task.js'
import { type ClockState, readClock } from '../../core/time/clock.js'
import type { Instant } from '../../core/time/timeline.js'
import type { World } from '../../core/world.js'
import { type Bounds, noBounds } from '../bounds/bounds.js'
import type { Census } from '../bounds/census.js'
import type { Owners } from '../store/owners.js'
import type { Incoming } from './incoming.js'
import type { Recognised } from './recognise.js'
import { withoutKey } from './without-key.js'
import { worldOf } from './world.js'

/** What was decided, remembered and brought about. */
export interface Outcome {
  readonly decision: Decision
  readonly scene: Scene
  /** A scenario has a callback of the new task come before the answer. */
  readonly isOvertaken: boolean
  readonly now: Instant
  readonly happenings: readonly Happening[]
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
  readonly onBug: (error: unknown) => void
  /** Left out, there is room for everything. */
  readonly census?: Pick<Census, 'shortageOf' | 'shortageFor'>
  readonly bounds?: Bounds
}

export type Decide = (
  account: Account,
  owners: Owners,
  incoming: Incoming,
  recognised: Recognised,
  found: ReadonlyMap<string, Found>,
) => Outcome

/** Decides a call in its account's world and remembers what that changes, all of it or nothing. */
export const createDecide = (parts: DecideParts): Decide => {
  const { settings, secret, deadlineOf, wall, onBug, census, bounds = noBounds } = parts
  const guarded = (run: () => Decision, operation: Operation | undefined, requestId: string): Decision => {
    try {
      return run()
    } catch (error) {
      onBug(error)
      return asDecision(operation?.refuse('internal', {}, requestId) ?? { status: 500, body: {} })
    }
  }

  const decided = ({ next, scene, operation, requestId }: Recognised, world: World): Decision => {
    if (isInstead(scene.cue?.does.answer)) return asDecision({ status: 200, body: undefined })
    return 'mentions' in next ? guarded(() => next.decide(world), operation, requestId) : next
  }

  return (account, owners, { origin, key }, recognised, found) => {
    const now = readClock(account.clock, wall())
    const before = settle(account, now)
    const { requestId } = recognised
    const world = worldOf(account, now, { settings, secret, origin, requestId, found, owners, census })
    const { decision, scene } = twisted(decided(recognised, world), recognised.scene, account, deadlineOf)
    const met = decision.notes.refusedBy[0]?.bound
    if (met !== undefined) bounds.refuse(met)
    apply(account, decision.changes)
    for (const change of decision.changes)
      if ('putAsset' in change) owners.give(change.putAsset.jobId, account.key)
    return {
      decision: { ...decision, reply: withoutKey(decision.reply, key) },
      scene,
      isOvertaken: isOvertaken(account, decision),
      now,
      happenings: [...before, ...settle(account, now)],
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
