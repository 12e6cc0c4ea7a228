import type { Account } from '../../core/account/account.js'
import { type AccountEvent, nextDue, runDue } from '../../core/account/settle.js'
import { clockAt, LAST_INSTANT, readClock } from '../../core/time/clock.js'
import type { Instant } from '../../core/time/timeline.js'
import { createNoticing, type Noticed, type NoticingParts } from './noticing.js'
import { createAdvanceSessions } from './passes.js'
import { createKeyedMutex } from './turns.js'

/**
 * Moves accounts through time: when told to, and when a live clock reaches the next moment. A pass goes from moment to
 * moment; at each it lets happen what is due and waits until the callbacks that this sends have been answered or have
 * failed. What it returns is everything that came about on the account meanwhile.
 *
 * Passes of one account take turns. A turn is given up while callbacks are on their way, since their receivers may
 * call the emulator and move the same clock before they answer: such a pass does not wait for what was on its way
 * when it began, or not to the end.
 */
export interface ClockScheduler {
  /** Moves a clock to an instant. */
  advanceTo(key: string, target: Instant): Promise<AccountEvent[]>
  /** Moves a clock by milliseconds, from where it stands when its turn has come; never beyond LAST_INSTANT. */
  advanceBy(key: string, ms: number): Promise<AccountEvent[]>
  /** Moves to the next moment; stays where it is when nothing is to come. */
  advanceToNext(key: string): Promise<AccountEvent[]>
  /** Goes on until nothing is left to happen. */
  advanceUntilIdle(key: string): Promise<AccountEvent[]>
  /**
   * Moves an on-poll clock to the moment that a status query waits for. `poll` says what asks; the same asks again
   * with the same words. What was on its way before is waited for with little patience only: what this brings about
   * queues behind it, but the query may come from the very receiver that has still to answer.
   */
  advanceOnPoll(key: string, target: Instant, poll: string): Promise<AccountEvent[]>
  readonly noticed: Noticed
  /** Ends what moves an account, before the account goes. */
  forget(key: string): void
  stop(): void
}

/** Where a pass goes, found out when its turn has come; undefined for nowhere. */
type Aim = (account: Account) => Instant | undefined

/** What a pass waits for before it moves, and for how long. */
interface WaitPolicy {
  /** Callbacks that were begun after this number are waited for until they have landed. */
  readonly since: number
  /** Whether earlier ones are waited for with little patience, instead of not at all. */
  readonly hasPatience?: boolean
  /** Left out where it is no poll. */
  readonly poll?: string
}

export const createClockScheduler = (parts: NoticingParts): ClockScheduler => {
  const { store, dispatcher, wall } = parts
  const passes = createAdvanceSessions()
  const noticing = createNoticing(parts, passes)
  const takeTurn = createKeyedMutex()

  const pass = async (
    key: string,
    aim: Aim,
    { since, hasPatience = false, poll }: WaitPolicy,
  ): Promise<AccountEvent[]> => {
    const mine = passes.begin(key, poll)
    let endTurn = await takeTurn(key)
    const standStill = async (until: () => Promise<void>) => {
      mine.isWaiting = true
      endTurn()
      await until()
      endTurn = await takeTurn(key)
      mine.isWaiting = false
    }
    const waitForCallbacks = () => standStill(() => dispatcher.drained(key, since))
    try {
      if (hasPatience && dispatcher.isBusy(key, 0)) await standStill(() => dispatcher.drainedOrStuck(key))
      if (dispatcher.isBusy(key, since)) await waitForCallbacks()
      const target = await store.run(key, aim)
      if (target === undefined) return mine.heard
      for (let goesOn = true; goesOn && !mine.isForgotten; ) {
        goesOn = await step(key, target)
        if (!dispatcher.isBusy(key, since)) continue
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

  /** One moment: sets the clock to it and lets it happen; false when there is none by `target`. */
  const step = async (key: string, target: Instant): Promise<boolean> => {
    const happenings = await store.run(key, (account) => stepAccount(account, target, wall()))
    noticing.noticed(key, happenings ?? [], undefined)
    return happenings !== undefined
  }

  const arrive = (key: string, target: Instant): Promise<void> =>
    noticing.actOn(key, (account, now) => {
      if (Number.isFinite(target) && now < target) account.clock = clockAt(account.clock, target, wall())
      return []
    })

  // The outermost pass waits for everything. One that begins while another waits may come from a receiver.
  const mannersOf = (key: string): WaitPolicy => ({ since: passes.isAnyWaiting(key) ? dispatcher.latest : 0 })

  // One that asks what the same poll asks already comes from a receiver, or does not mind that the other waits.
  const mannersOfPoll = (key: string, poll: string): WaitPolicy => ({
    since: dispatcher.latest,
    hasPatience: !passes.isTwinWaiting(key, poll),
    poll,
  })

  return {
    advanceTo: (key, target) => pass(key, () => target, mannersOf(key)),
    advanceBy: (key, ms) =>
      pass(key, (account) => Math.min(readClock(account.clock, wall()) + ms, LAST_INSTANT), mannersOf(key)),
    advanceToNext: (key) => pass(key, nextDue, mannersOf(key)),
    advanceUntilIdle: (key) => pass(key, () => Number.POSITIVE_INFINITY, mannersOf(key)),
    advanceOnPoll: (key, target, poll) => pass(key, () => target, mannersOfPoll(key, poll)),
    noticed: noticing.noticed,
    forget: (key) => {
      passes.forget(key)
      noticing.forget(key)
    },
    stop: noticing.stop,
  }
}

const stepAccount = (account: Account, target: Instant, wall: number): AccountEvent[] | undefined => {
  const next = nextDue(account)
  if (next === undefined || next > target) return undefined
  if (readClock(account.clock, wall) < next) account.clock = clockAt(account.clock, next, wall)
  return runDue(account, next)
}
