import { createKeyedMutex, timeSlice } from '../concurrency.js'
import { nextDue } from '../core/account/apply.js'
import { Multimap } from '../core/collections/multimap.js'
import type { Account, AccountEvent } from '../core/model/account.js'
import { clockAt, type Instant, LAST_INSTANT } from '../core/schedule/time.js'
import type { Store } from './store.js'

/** Events of an account during an advance. */
export interface AdvanceResult {
  /** The first ones, in order. */
  readonly events: readonly AccountEvent[]
  /** How many there were of each kind. */
  readonly totals: Readonly<Record<AccountEvent['kind'], number>>
}

/** In-flight callbacks, as the scheduler sees them; the callback dispatcher has them. */
interface InFlightCallbacks {
  /** Number of the latest delivery that began, of all accounts. */
  readonly latest: number
  /** Whether a delivery of the account that began after number `since` is in flight. */
  isBusy(key: string, since: number): boolean
  /** Resolves when none of them is in flight, nor what followed from it. */
  drained(key: string, since: number): Promise<void>
  /** The same for all of the account, or as soon as receivers take so long that they seem to wait for the caller. */
  drainedOrStuck(key: string): Promise<void>
}

/** Target of an advance, worked out once it holds the mutex, or undefined where it goes nowhere. */
type Target = (account: Account, now: Instant) => Instant | undefined

/** What an advance waits for before it moves. */
interface WaitPolicy {
  /** It waits for deliveries that began after this number. */
  readonly since: number
  /** Whether it waits for earlier ones too, for a short time. */
  readonly waitsForEarlier?: boolean
  /** Undefined for anything but a status query. */
  readonly poll?: string
}

/** Advance session: one caller that moves an account through time. */
interface AdvanceSession {
  /** Events of the account since it began, at most `maxEvents`. */
  readonly events: AccountEvent[]
  readonly maxEvents: number
  readonly totals: Record<AccountEvent['kind'], number>
  readonly poll: string | undefined
  /** How long it waits for callbacks, while it does. */
  waiting: false | 'shortly' | 'to the end'
  /** Whether the account was forgotten, which ends the session. */
  isForgotten: boolean
}

export type ClockScheduler = ReturnType<typeof createClockScheduler>

/**
 * Clock scheduler: advances the clocks of accounts from moment to moment. At each moment it lets happen what is due and
 * waits until the callbacks that this sends have been answered or have failed. Each method returns the events of the
 * account meanwhile, the first `maxEvents` of them (default: all).
 *
 * The advances of one account hold a mutex. It is released while callbacks are in flight, since their receivers may call
 * the emulator and advance the same clock before they answer: such an advance does not wait for what was in flight when
 * it began, or not to the end.
 */
export const createClockScheduler = (
  store: Pick<Store, 'transact'>,
  inFlight: InFlightCallbacks,
  systemNow: () => number,
) => {
  const sessions = new Multimap<string, AdvanceSession>()
  const mutex = createKeyedMutex()

  const advance = async (
    key: string,
    targetOf: Target,
    { since, waitsForEarlier = false, poll }: WaitPolicy,
    maxEvents = Number.POSITIVE_INFINITY,
  ): Promise<AdvanceResult> => {
    const totals = { task: 0, asset: 0, callback: 0 }
    const session: AdvanceSession = {
      events: [],
      maxEvents,
      totals,
      poll,
      waiting: false,
      isForgotten: false,
    }
    sessions.add(key, session)
    let release = await mutex.acquire(key)
    const waitUntil = async (condition: () => Promise<void>, waiting: AdvanceSession['waiting']) => {
      session.waiting = waiting
      release()
      await condition()
      release = await mutex.acquire(key)
      session.waiting = false
    }
    /** Resolves with whether callbacks were in flight. */
    const waitForCallbacks = async (): Promise<boolean> => {
      const isBusy = inFlight.isBusy(key, since)
      if (isBusy) await waitUntil(() => inFlight.drained(key, since), 'to the end')
      return isBusy
    }
    try {
      if (waitsForEarlier && inFlight.isBusy(key, 0))
        await waitUntil(() => inFlight.drainedOrStuck(key), 'shortly')
      await waitForCallbacks()
      if (session.isForgotten) return session
      const target = await store.transact(key, targetOf)
      if (target === undefined) return session
      for (let isMoving = true; isMoving; ) {
        await timeSlice()
        if (session.isForgotten) return session
        const hasMoved = await step(key, target)
        isMoving = (await waitForCallbacks()) || hasMoved
      }
      if (!session.isForgotten && Number.isFinite(target))
        await store.transact(key, (account, now) => moveTo(account, now, target))
      return session
    } finally {
      sessions.delete(key, session)
      release()
    }
  }

  const moveTo = (account: Account, now: Instant, target: Instant): void => {
    if (now < target) account.clock = clockAt(account.clock, target, systemNow())
  }

  /** Moves the clock to its next moment, if it comes by `target`; false: there is none. */
  const step = (key: string, target: Instant): Promise<boolean> =>
    store.transact(key, (account, now) => {
      const next = nextDue(account)
      if (next === undefined || next > target) return false
      moveTo(account, now, next)
      return true
    })

  // The outermost advance waits for everything. One that begins while another waits may come from a receiver, but not while a
  // query waits for what was in flight before it: that is the receiver's own more often than the test's.
  const policyOf = (key: string): WaitPolicy => ({
    since: sessions.get(key).some(({ waiting }) => waiting === 'to the end') ? inFlight.latest : 0,
  })

  // A query like one that waits already comes from a receiver, or does not mind that the other waits.
  const pollPolicyOf = (key: string, poll: string): WaitPolicy => ({
    since: inFlight.latest,
    waitsForEarlier: !sessions
      .get(key)
      .some((session) => session.waiting && (session.poll === undefined || session.poll === poll)),
    poll,
  })

  return {
    advanceTo: (key: string, target: Instant, maxEvents?: number): Promise<AdvanceResult> =>
      advance(key, () => target, policyOf(key), maxEvents),
    /** Advances by milliseconds, from what the clock says once it holds the mutex; never beyond LAST_INSTANT. */
    advanceBy: (key: string, ms: number, maxEvents?: number): Promise<AdvanceResult> =>
      advance(key, (_, now) => Math.min(now + ms, LAST_INSTANT), policyOf(key), maxEvents),
    /** Advances to the next moment; stays where it is if nothing is to come. */
    advanceToNext: (key: string, maxEvents?: number): Promise<AdvanceResult> =>
      advance(key, nextDue, policyOf(key), maxEvents),
    /** Advances until nothing is left to happen. */
    advanceUntilIdle: (key: string, maxEvents?: number): Promise<AdvanceResult> =>
      advance(key, () => Number.POSITIVE_INFINITY, policyOf(key), maxEvents),
    /**
     * Advances an on-poll clock to the moment that a status query waits for. `poll` identifies the query; a repetition has
     * the same one. Waits only a short time for what was in flight before: what this brings about queues behind it, but
     * the query may come from the very receiver that has still to answer.
     */
    advanceOnPoll: async (key: string, target: Instant, poll: string): Promise<void> =>
      void (await advance(key, () => target, pollPolicyOf(key, poll), 0)),
    /** Receives what happened on an account, for the advances that run. */
    observe: (key: string, events: readonly AccountEvent[]): void => {
      for (const { events: kept, maxEvents, totals } of sessions.get(key))
        for (const event of events) {
          totals[event.kind] += 1
          if (kept.length < maxEvents) kept.push(event)
        }
    },
    /** Ends the advances of an account, before it is forgotten. */
    forget: (key: string): void => {
      for (const session of sessions.get(key)) session.isForgotten = true
    },
  }
}
