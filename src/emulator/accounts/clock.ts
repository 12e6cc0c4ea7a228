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

/**
 * Clock scheduler: advances the clocks of accounts from moment to moment. At each moment it lets happen what is due and
 * waits until the callbacks that this sends have been answered or have failed. Each method returns the events of the
 * account meanwhile, the first `maxEvents` of them (default: all).
 *
 * The advances of one account hold a mutex. It is released while callbacks are in flight, since their receivers may call
 * the emulator and advance the same clock before they answer: such an advance does not wait for what was in flight when
 * it began, or not to the end.
 */
export class ClockScheduler {
  readonly #store: Pick<Store, 'transact'>
  readonly #inFlight: InFlightCallbacks
  readonly #systemNow: () => number
  readonly #sessions = new Multimap<string, AdvanceSession>()
  readonly #mutex = createKeyedMutex()

  constructor(store: Pick<Store, 'transact'>, inFlight: InFlightCallbacks, systemNow: () => number) {
    this.#store = store
    this.#inFlight = inFlight
    this.#systemNow = systemNow
  }

  advanceTo(key: string, target: Instant, maxEvents?: number): Promise<AdvanceResult> {
    return this.#advance(key, () => target, this.#policyOf(key), maxEvents)
  }

  /** Advances by milliseconds, from what the clock says once it holds the mutex; never beyond LAST_INSTANT. */
  advanceBy(key: string, ms: number, maxEvents?: number): Promise<AdvanceResult> {
    const targetOf: Target = (_, now) => Math.min(now + ms, LAST_INSTANT)
    return this.#advance(key, targetOf, this.#policyOf(key), maxEvents)
  }

  /** Advances to the next moment; stays where it is if nothing is to come. */
  advanceToNext(key: string, maxEvents?: number): Promise<AdvanceResult> {
    return this.#advance(key, nextDue, this.#policyOf(key), maxEvents)
  }

  /** Advances until nothing is left to happen. */
  advanceUntilIdle(key: string, maxEvents?: number): Promise<AdvanceResult> {
    return this.#advance(key, () => Number.POSITIVE_INFINITY, this.#policyOf(key), maxEvents)
  }

  /**
   * Advances an on-poll clock to the moment that a status query waits for. `poll` identifies the query; a repetition has
   * the same one. Waits only a short time for what was in flight before: what this brings about queues behind it, but
   * the query may come from the very receiver that has still to answer.
   */
  async advanceOnPoll(key: string, target: Instant, poll: string): Promise<void> {
    await this.#advance(key, () => target, this.#pollPolicyOf(key, poll), 0)
  }

  /** Receives what happened on an account, for the advances that run. */
  observe(key: string, events: readonly AccountEvent[]): void {
    for (const { events: kept, maxEvents, totals } of this.#sessions.get(key))
      for (const event of events) {
        totals[event.kind] += 1
        if (kept.length < maxEvents) kept.push(event)
      }
  }

  /** Ends the advances of an account, before it is forgotten. */
  forget(key: string): void {
    for (const session of this.#sessions.get(key)) session.isForgotten = true
  }

  async #advance(
    key: string,
    targetOf: Target,
    { since, waitsForEarlier = false, poll }: WaitPolicy,
    maxEvents = Number.POSITIVE_INFINITY,
  ): Promise<AdvanceResult> {
    const totals = { task: 0, asset: 0, callback: 0 }
    const session: AdvanceSession = {
      events: [],
      maxEvents,
      totals,
      poll,
      waiting: false,
      isForgotten: false,
    }
    this.#sessions.add(key, session)
    const inFlight = this.#inFlight
    let release = await this.#mutex.acquire(key)
    const waitUntil = async (condition: () => Promise<void>, waiting: AdvanceSession['waiting']) => {
      session.waiting = waiting
      release()
      await condition()
      release = await this.#mutex.acquire(key)
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
      const target = await this.#store.transact(key, targetOf)
      if (target === undefined) return session
      for (let isMoving = true; isMoving; ) {
        await timeSlice()
        if (session.isForgotten) return session
        const hasMoved = await this.#step(key, target)
        isMoving = (await waitForCallbacks()) || hasMoved
      }
      if (!session.isForgotten && Number.isFinite(target))
        await this.#store.transact(key, (account, now) => this.#move(account, now, target))
      return session
    } finally {
      this.#sessions.delete(key, session)
      release()
    }
  }

  /** Moves the clock to its next moment, if it comes by `target`; false: there is none. */
  #step(key: string, target: Instant): Promise<boolean> {
    return this.#store.transact(key, (account, now) => {
      const next = nextDue(account)
      if (next === undefined || next > target) return false
      this.#move(account, now, next)
      return true
    })
  }

  #move(account: Account, now: Instant, target: Instant): void {
    if (now < target) account.clock = clockAt(account.clock, target, this.#systemNow())
  }

  // The outermost advance waits for everything. One that begins while another waits may come from a receiver, but not while a
  // query waits for what was in flight before it: that is the receiver's own more often than the test's.
  #policyOf(key: string): WaitPolicy {
    const isNested = this.#sessions.get(key).some(({ waiting }) => waiting === 'to the end')
    return { since: isNested ? this.#inFlight.latest : 0 }
  }

  // A query like one that waits already comes from a receiver, or does not mind that the other waits.
  #pollPolicyOf(key: string, poll: string): WaitPolicy {
    const isLikePoll = (session: AdvanceSession) => session.poll === undefined || session.poll === poll
    const isNested = this.#sessions.get(key).some((session) => session.waiting && isLikePoll(session))
    return { since: this.#inFlight.latest, waitsForEarlier: !isNested, poll }
  }
}
