import type { Account } from '../../core/account/account.js'
import { type Happening, nextDue, settle } from '../../core/account/settle.js'
import { clockAt, LAST_INSTANT, readClock } from '../../core/time/clock.js'
import type { Instant } from '../../core/time/timeline.js'
import { createNoticing, type Noticed, type NoticingParts } from './noticing.js'
import { createPasses } from './passes.js'
import { createTurns } from './turns.js'

/**
 * Moves accounts through time: when told to, and when a live clock reaches the next moment. A pass goes from moment to
 * moment; at each it lets happen what is due and waits until the callbacks that this sends have been answered or have
 * failed. What it returns is everything that came about on the account meanwhile.
 *
 * Passes of one account take turns. A turn is given up while callbacks are on their way, since their receivers may
 * call the emulator and move the same clock before they answer: such a pass does not wait for what was on its way
 * when it began, or not to the end.
 */
export interface ClockDriver {
  /** Moves a clock to an instant. */
  passTo(key: string, target: Instant): Promise<Happening[]>
  /** Moves a clock by milliseconds, from where it stands when its turn has come; never beyond LAST_INSTANT. */
  passBy(key: string, ms: number): Promise<Happening[]>
  /** Moves to the next moment; stays where it is when nothing is to come. */
  passToNext(key: string): Promise<Happening[]>
  /** Goes on until nothing is left to happen. */
  passUntilIdle(key: string): Promise<Happening[]>
  /**
   * Moves an on-poll clock to the moment that a status query waits for. `poll` says what asks; the same asks again
   * with the same words. What was on its way before is waited for with little patience only: what this brings about
   * queues behind it, but the query may come from the very receiver that has still to answer.
   */
  passOnPoll(key: string, target: Instant, poll: string): Promise<Happening[]>
  readonly noticed: Noticed
  /** Ends what moves an account, before the account goes. */
  forget(key: string): void
  stop(): void
}

/** Where a pass goes, found out when its turn has come; undefined for nowhere. */
type Aim = (account: Account) => Instant | undefined

/** What a pass waits for before it moves, and for how long. */
interface Manners {
  /** Callbacks that were begun after this number are waited for until they have landed. */
  readonly since: number
  /** Whether earlier ones are waited for with little patience, instead of not at all. */
  readonly hasPatience?: boolean
  /** Left out where it is no poll. */
  readonly poll?: string
}

export const createClockDriver = (parts: NoticingParts): ClockDriver => {
  const { store, courier, wall } = parts
  const passes = createPasses()
  const noticing = createNoticing(parts, passes)
  const takeTurn = createTurns()

  const pass = async (
    key: string,
    aim: Aim,
    { since, hasPatience = false, poll }: Manners,
  ): Promise<Happening[]> => {
    const mine = passes.begin(key, poll)
    let endTurn = await takeTurn(key)
    const standStill = async (until: () => Promise<void>) => {
      mine.isWaiting = true
      endTurn()
      await until()
      endTurn = await takeTurn(key)
      mine.isWaiting = false
    }
    const waitForCallbacks = () => standStill(() => courier.landed(key, since))
    try {
      if (hasPatience && courier.isBusy(key, 0)) await standStill(() => courier.landedOrStuck(key))
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
  const mannersOf = (key: string): Manners => ({ since: passes.isAnyWaiting(key) ? courier.latest : 0 })

  // One that asks what the same poll asks already comes from a receiver, or does not mind that the other waits.
  const mannersOfPoll = (key: string, poll: string): Manners => ({
    since: courier.latest,
    hasPatience: !passes.isTwinWaiting(key, poll),
    poll,
  })

  return {
    passTo: (key, target) => pass(key, () => target, mannersOf(key)),
    passBy: (key, ms) =>
      pass(key, (account) => Math.min(readClock(account.clock, wall()) + ms, LAST_INSTANT), mannersOf(key)),
    passToNext: (key) => pass(key, nextDue, mannersOf(key)),
    passUntilIdle: (key) => pass(key, () => Number.POSITIVE_INFINITY, mannersOf(key)),
    passOnPoll: (key, target, poll) => pass(key, () => target, mannersOfPoll(key, poll)),
    noticed: noticing.noticed,
    forget: (key) => {
      passes.forget(key)
      noticing.forget(key)
    },
    stop: noticing.stop,
  }
}

const stepAccount = (account: Account, target: Instant, wall: number): Happening[] | undefined => {
  const next = nextDue(account)
  if (next === undefined || next > target) return undefined
  if (readClock(account.clock, wall) < next) account.clock = clockAt(account.clock, next, wall)
  return settle(account, next)
}
