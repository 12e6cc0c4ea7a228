import { EventEmitter } from 'node:events'
import { availableParallelism } from 'node:os'
import type { Events } from '../core/events.js'
import type { Settings } from '../core/settings.js'
import { type Bounds, createBounds } from '../server/bounds/bounds.js'
import { steadyWall } from '../server/clock/steady-wall.js'
import { madeTokenFor } from '../server/control/token.js'
import { signingSecretOf } from '../server/results/signing-secret.js'
import type { Keeping } from '../server/state/keeping.js'
import { createTroubles, type Troubles } from '../server/troubles.js'
import type { Outside } from './outside.js'

/** What every part stands on: the settings and the time, and where it is told what happens and how full things are. */
export interface Ground {
  /** As given, with a control token where one had to be made. */
  readonly settings: Settings
  readonly madeToken: string | undefined
  readonly keeping: Keeping
  /** What signs result URLs. */
  readonly secret: string
  readonly wall: () => number
  readonly events: EventEmitter<Events>
  readonly bounds: Bounds
  readonly troubles: Troubles
  readonly rendersAtOnce: number
  /** Told of what should never happen. */
  readonly onBug: (error: unknown) => void
}

export const createGround = (given: Settings, outside: Outside, keeping: Keeping): Ground => {
  const madeToken = madeTokenFor(given)
  const settings = madeToken === undefined ? given : { ...given, controlToken: madeToken }
  const tellBug = outside.onBug ?? ((error) => console.error(error))
  const rendersAtOnce = settings.rendersAtOnce ?? availableParallelism()
  const events = new EventEmitter<Events>()
  events.setMaxListeners(0)
  return {
    settings,
    madeToken,
    keeping,
    secret: keeping.secret ?? signingSecretOf(settings),
    wall: steadyWall(outside.wall ?? Date.now),
    events,
    bounds: createBounds(settings, events, { renders: rendersAtOnce }),
    troubles: createTroubles(events),
    rendersAtOnce,
    onBug: (error) => {
      events.emit('bug', error)
      tellBug(error)
    },
  }
}
