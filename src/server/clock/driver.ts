import type { EventEmitter } from 'node:events'
import type { Account } from '../../core/account/account.js'
import { type Happening, nextDue, settle } from '../../core/account/settle.js'
import { shownCallback } from '../../core/callback/callback.js'
import { conclude } from '../../core/callback/conclude.js'
import type { Events } from '../../core/events.js'
import { type ClockState, clockAt, readClock, wallMsUntil } from '../../core/time/clock.js'
import type { Instant } from '../../core/time/timeline.js'
import type { Conclude, Courier } from '../callbacks/courier.js'
import type { Store } from '../store/store.js'
import { createAlarm } from './alarm.js'
import { createPasses } from './passes.js'
import { createTurns } from './turns.js'

/**
 * Moves accounts through time: when told to, and when a live clock reaches the next moment. A pass goes from moment to
 * moment; at each it lets happen what is due and waits until the callbacks that this sends have been answered or have
 * failed. What it returns is everything that came about on the account meanwhile.
 *
 * Passes of one account take turns. A turn is given up while callbacks are on their way, since their receivers may
 * call the emulator and move the same clock before they answer: such a pass does not wait for what was on its way
 * when it began.
 */
export interface ClockDriver {
  /** Moves a clock to an instant. */
  passTo(key: string, target: Instant): Promise<Happening[]>
  /** Moves a clock by milliseconds, from where it stands when its turn has come. */
  passBy(key: string, ms: number): Promise<Happening[]>
  /** Moves to the next moment; stays where it is when nothing is to come. */
  passToNext(key: string): Promise<Happening[]>
  /** Goes on until nothing is left to happen. */
  passUntilIdle(key: string): Promise<Happening[]>
  /**
   * Moves an on-poll clock to the moment that a status query waits for. As passTo, but never waits for what was on
   * its way before: the query may come from the very receiver that has still to answer.
   */
  passOnPoll(key: string, target: Instant): Promise<Happening[]>
  /**
   * Told what came about on an account and when something next will, so that listeners hear of it, callbacks are
   * sent and the timer is right. `clock` is the account's; it is looked up where it is left out.
   */
  noticed(
    key: string,
    happenings: readonly Happening[],
    nextAt: Instant | undefined,
    clock?: ClockState,
  ): void
  /** Ends what moves an account, before the account goes. */
  forget(key: string): void
  stop(): void
}

export interface DriverParts {
  readonly store: Store
  readonly events: EventEmitter<Events>
  readonly courier: Courier
  readonly wall: () => number
  /** Told of what should never happen. */
  readonly onBug: (error: unknown) => void
}

/** Where a pass goes, found out when its turn has come; undefined for nowhere. */
type Aim = (account: Account) => Instant | undefined

export const createClockDriver = ({ store, events, courier, wall, onBug }: DriverParts): ClockDriver => {
  const passes = createPasses()
  const takeTurn = createTurns()
  const alarm = createAlarm(wall, (keys) => {
    for (const key of keys) void advanceAndNotice(key, settle).catch(onBug)
  })

  const noticed: ClockDriver['noticed'] = (key, happenings, nextAt, clock) => {
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
    events.emit('happening', { ...happening, account: key })
    if (callback !== undefined) events.emit('callback', { ...shownCallback(callback), account: key })
  }

  const setAlarm = (key: string, clock: ClockState, nextAt: Instant): void => {
    if (clock.mode !== 'live') return
    const now = wall()
    alarm.set(key, now + wallMsUntil(clock, nextAt, now))
  }

  /** Does something at the account's now, and tells of what comes of it. */
  const advanceAndNotice = async (
    key: string,
    act: (account: Account, now: Instant) => readonly Happening[],
  ): Promise<void> => {
    const { happenings, nextAt, clock } = await store.run(key, (account) => ({
      happenings: act(account, readClock(account.clock, wall())),
      nextAt: nextDue(account),
      clock: account.clock,
    }))
    noticed(key, happenings, nextAt, clock)
  }

  const concluded: Conclude = (key, posting, outcome) =>
    advanceAndNotice(key, (account, now) => [
      ...conclude(account, posting, outcome, now),
      ...settle(account, now),
    ])

  /** One moment: sets the clock to it and lets it happen; false when there is none by `target`. */
  const step = async (key: string, target: Instant): Promise<boolean> => {
    const happenings = await store.run(key, (account) => stepAccount(account, target, wall()))
    for (const happening of happenings ?? []) notice(key, happening)
    return happenings !== undefined
  }

  const arrive = (key: string, target: Instant): Promise<void> =>
    advanceAndNotice(key, (account, now) => {
      if (Number.isFinite(target) && now < target) account.clock = clockAt(account.clock, target, wall())
      return []
    })

  const pass = async (key: string, aim: Aim, since: number): Promise<Happening[]> => {
    const mine = passes.begin(key)
    let endTurn = await takeTurn(key)
    const waitForCallbacks = async () => {
      mine.isWaiting = true
      endTurn()
      await courier.landed(key, since)
      endTurn = await takeTurn(key)
      mine.isWaiting = false
    }
    try {
      if (courier.isBusy(key, since)) await waitForCallbacks()
      const target = await store.run(key, aim)
      if (target === undefined) return mine.heard
      for (let goesOn = true; goesOn && !mine.isForgotten; ) {
        goesOn = await step(key, target)
        if (!courier.isBusy(key, since)) continue
        await waitForCallbacks()
        goesOn = true
      }
      if (!mine.isForgotten) await arrive(key, target)
      return mine.heard
    } finally {
      passes.end(key, mine)
      endTurn()
    }
  }

  // The outermost pass waits for everything. One that begins while another waits may come from a receiver.
  const sinceFor = (key: string): number => (passes.isAnyWaiting(key) ? courier.latest : 0)

  return {
    passTo: (key, target) => pass(key, () => target, sinceFor(key)),
    passBy: (key, ms) => pass(key, (account) => readClock(account.clock, wall()) + ms, sinceFor(key)),
    passToNext: (key) => pass(key, nextDue, sinceFor(key)),
    passUntilIdle: (key) => pass(key, () => Number.POSITIVE_INFINITY, sinceFor(key)),
    passOnPoll: (key, target) => pass(key, () => target, courier.latest),
    noticed,
    forget: (key) => {
      passes.forget(key)
      alarm.forget(key)
    },
    stop: alarm.stop,
  }
}

const stepAccount = (account: Account, target: Instant, wall: number): Happening[] | undefined => {
  const next = nextDue(account)
  if (next === undefined || next > target) return undefined
  if (readClock(account.clock, wall) < next) account.clock = clockAt(account.clock, next, wall)
  return settle(account, next)
}
