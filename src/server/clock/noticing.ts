import type { EventEmitter } from 'node:events'
import type { Account } from '../../core/account/account.js'
import { type Happening, nextDue, settle } from '../../core/account/settle.js'
import { shownCallback } from '../../core/callback/callback.js'
import { conclude } from '../../core/callback/conclude.js'
import type { Events } from '../../core/events.js'
import { type ClockState, readClock, wallMsUntil } from '../../core/time/clock.js'
import type { Instant } from '../../core/time/timeline.js'
import type { Conclude, Courier } from '../callbacks/courier.js'
import type { Store } from '../store/store.js'
import { createAlarm } from './alarm.js'
import type { Passes } from './passes.js'

export interface NoticingParts {
  readonly store: Store
  readonly events: EventEmitter<Events>
  readonly courier: Courier
  readonly wall: () => number
  /** Told of what should never happen. */
  readonly onBug: (error: unknown) => void
}

/**
 * Told what came about on an account and when something next will, so that listeners hear of it, callbacks are sent
 * and the timer is right. `clock` is the account's; it is looked up where it is left out.
 */
export type Noticed = (
  key: string,
  happenings: readonly Happening[],
  nextAt: Instant | undefined,
  clock?: ClockState,
) => void

/** Something done at an account's now, and what came of it. */
export type Act = (account: Account, now: Instant) => readonly Happening[]

/** What follows from what comes about: on any clock, and by itself on a live one. */
export interface Noticing {
  readonly noticed: Noticed
  /** Does something to an account and notices what comes of it. */
  actOn(key: string, act: Act): Promise<void>
  forget(key: string): void
  stop(): void
}

export const createNoticing = (parts: NoticingParts, passes: Passes): Noticing => {
  const { store, events, courier, wall, onBug } = parts
  const alarm = createAlarm(wall, (keys) => {
    for (const key of keys) void actOn(key, settle).catch(onBug)
  })

  const noticed: Noticed = (key, happenings, nextAt, clock) => {
    for (const happening of happenings) notice(key, happening)
    if (nextAt === undefined) return
    if (clock !== undefined) setAlarm(key, clock, nextAt)
    else void store.run(key, (account) => setAlarm(key, account.clock, nextAt)).catch(onBug)
  }

  const notice = (key: string, happening: Happening): void => {
    const { posting, callback } = happening
    if (posting !== undefined) {
      courier.begin(key, posting, concluded)
      return
    }
    passes.tell(key, happening)
    if (events.listenerCount('happening') > 0) events.emit('happening', { ...happening, account: key })
    if (callback !== undefined) events.emit('callback', { ...shownCallback(callback), account: key })
  }

  const setAlarm = (key: string, clock: ClockState, nextAt: Instant): void => {
    if (clock.mode !== 'live') return
    const now = wall()
    alarm.set(key, now + wallMsUntil(clock, nextAt, now))
  }

  const actOn: Noticing['actOn'] = async (key, act) => {
    const { happenings, nextAt, clock } = await store.run(key, (account) => ({
      happenings: act(account, readClock(account.clock, wall())),
      nextAt: nextDue(account),
      clock: account.clock,
    }))
    noticed(key, happenings, nextAt, clock)
  }

  const concluded: Conclude = (key, posting, outcome) =>
    actOn(key, (account, now) => [...conclude(account, posting, outcome, now), ...settle(account, now)])

  return { noticed, actOn, forget: alarm.forget, stop: alarm.stop }
}
