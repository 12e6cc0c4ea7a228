import { EventEmitter } from 'node:events'
import { availableParallelism } from 'node:os'
import type { Events } from '../core/events.js'
import type { Settings } from '../core/settings.js'
import { createQuotas, type Quotas } from '../server/bounds/bounds.js'
import { monotonicNow } from '../server/clock/steady-wall.js'
import { generateControlToken } from '../server/control/token.js'
import { signingSecretOf } from '../server/results/signing-secret.js'
import type { Persistence } from '../server/state/keeping.js'
import { createHealthIssues, type HealthIssues } from '../server/troubles.js'
import type { EmulatorDependencies } from './outside.js'

/** What every part stands on: the settings and the time, and where it is told what happens and how full things are. */
export interface Ground {
  /** As given, with a control token where one had to be made. */
  readonly settings: Settings
  readonly madeToken: string | undefined
  readonly persistence: Persistence
  /** What signs result URLs. */
  readonly secret: string
  readonly wall: () => number
  readonly events: EventEmitter<Events>
  readonly bounds: Quotas
  readonly troubles: HealthIssues
  readonly rendersAtOnce: number
  /** Told of what should never happen. */
  readonly onInternalError: (error: unknown) => void
}

export const createGround = (
  given: Settings,
  outside: EmulatorDependencies,
  persistence: Persistence,
): Ground => {
  const madeToken = generateControlToken(given)
  const settings = madeToken === undefined ? given : { ...given, controlToken: madeToken }
  const tellBug = outside.onInternalError ?? ((error) => console.error(error))
  const rendersAtOnce = settings.rendersAtOnce ?? availableParallelism()
  const events = new EventEmitter<Events>()
  events.setMaxListeners(0)
  return {
    settings,
    madeToken,
    persistence,
    secret: persistence.secret ?? signingSecretOf(settings),
    wall: monotonicNow(outside.wall ?? Date.now),
    events,
    bounds: createQuotas(settings, events, { renders: rendersAtOnce }),
    troubles: createHealthIssues(events),
    rendersAtOnce,
    onInternalError: (error) => {
      events.emit('bug', error)
      tellBug(error)
    },
  }
}
