import type { EventEmitter } from 'node:events'
import type { Account } from '../../core/account/account.js'
import { type AccountEvent, nextDue, runDue } from '../../core/account/settle.js'
import { shownCallback } from '../../core/callback/callback.js'
import { completeAttempt } from '../../core/callback/conclude.js'
import type { Events } from '../../core/events.js'
import { type ClockState, readClock, wallMsUntil } from '../../core/time/clock.js'
import type { Instant } from '../../core/time/timeline.js'
import type { CallbackDispatcher, CompleteDelivery } from '../callbacks/courier.js'
import type { Store } from '../store/store.js'
import { createWakeTimer } from './alarm.js'
import type { AdvanceSessions } from './passes.js'

export interface NoticingParts {
  readonly store: Store
  readonly events: EventEmitter<Events>
  readonly dispatcher: CallbackDispatcher
  readonly wall: () => number
  /** Told of what should never happen. */
  readonly onInternalError: (error: unknown) => void
}

/**
 * Told what came about on an account and when something next will, so that listeners hear of it, callbacks are sent
 * and the timer is right. `clock` is the account's; it is looked up where it is left out.
 */
export type Noticed = (
  key: string,
  happenings: readonly AccountEvent[],
  nextAt: Instant | undefined,
  clock?: ClockState,
) => void

/** Something done at an account's now, and what came of it. */
export type Act = (account: Account, now: Instant) => readonly AccountEvent[]

/** What follows from what comes about: on any clock, and by itself on a live one. */
export interface Noticing {
  readonly noticed: Noticed
  /** Does something to an account and notices what comes of it. */
  actOn(key: string, act: Act): Promise<void>
  forget(key: string): void
  stop(): void
}

export const createNoticing = (parts: NoticingParts, passes: AdvanceSessions): Noticing => {
  const { store, events, dispatcher, wall, onInternalError } = parts
  const alarm = createWakeTimer(wall, (keys) => {
    for (const key of keys) void actOn(key, runDue).catch(onInternalError)
  })

  const noticed: Noticed = (key, happenings, nextAt, clock) => {
    for (const happening of happenings) notice(key, happening)
    if (nextAt === undefined) return
    if (clock !== undefined) setAlarm(key, clock, nextAt)
    else void store.run(key, (account) => setAlarm(key, account.clock, nextAt)).catch(onInternalError)
  }

  const notice = (key: string, happening: AccountEvent): void => {
    const { posting, callback } = happening
    if (posting !== undefined) {
      dispatcher.begin(key, posting, concluded)
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

  const concluded: CompleteDelivery = (key, posting, outcome) =>
    actOn(key, (account, now) => [
      ...completeAttempt(account, posting, outcome, now),
      ...runDue(account, now),
    ])

  return { noticed, actOn, forget: alarm.forget, stop: alarm.stop }
}
