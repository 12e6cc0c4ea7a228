import type { EventEmitter } from 'node:events'
import type { CallbackDispatcher, CompleteDelivery } from '../callbacks/dispatcher.js'
import { createKeyedMutex } from '../concurrency.js'
import { completeAttempt } from '../core/callback/attempts.js'
import type { Account } from '../core/model/account.js'
import { shownCallback } from '../core/model/callback.js'
import type { Events } from '../core/model/event.js'
import { type ClockState, clockAt, LAST_INSTANT, readClock, wallMsUntil } from '../core/schedule/clock.js'
import { type AccountEvent, nextDue, runDue } from '../core/schedule/run-due.js'
import type { Instant } from '../core/schedule/timeline.js'
import type { Store } from './store.js'
import { createWakeTimer } from './wake-timer.js'

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

/** Somebody moving an account through time. */
interface AdvanceSession {
  /** Everything that came about on the account meanwhile, whoever brought it about. */
  readonly heard: AccountEvent[]
  /** What polls it, such as the path of a status query; left out where somebody moves the clock as such. */
  readonly poll?: string
  /** Whether it stands still until what is on its way has landed. */
  isWaiting: boolean
  /** Whether the account is gone, so that there is nothing more to move. */
  isForgotten: boolean
}

/** Who moves which account. */
interface AdvanceSessions {
  begin(key: string, poll?: string): AdvanceSession
  end(key: string, pass: AdvanceSession): void
  tell(key: string, happening: AccountEvent): void
  isAnyWaiting(key: string): boolean
  /** Whether one stands still that the same poll began, or that is no poll. */
  isTwinWaiting(key: string, poll: string): boolean
  forget(key: string): void
}

const createAdvanceSessions = (): AdvanceSessions => {
  const byAccount = new Map<string, Set<AdvanceSession>>()
  const passesOf = (key: string): Iterable<AdvanceSession> => byAccount.get(key) ?? []
  return {
    begin: (key, poll) => {
      const pass: AdvanceSession = {
        heard: [],
        ...(poll === undefined ? {} : { poll }),
        isWaiting: false,
        isForgotten: false,
      }
      byAccount.set(key, (byAccount.get(key) ?? new Set()).add(pass))
      return pass
    },
    end: (key, pass) => {
      const passes = byAccount.get(key)
      passes?.delete(pass)
      if (passes?.size === 0) byAccount.delete(key)
    },
    tell: (key, happening) => {
      for (const { heard } of passesOf(key)) heard.push(happening)
    },
    isAnyWaiting: (key) => [...passesOf(key)].some(({ isWaiting }) => isWaiting),
    isTwinWaiting: (key, poll) =>
      [...passesOf(key)].some((pass) => pass.isWaiting && (pass.poll === undefined || pass.poll === poll)),
    forget: (key) => {
      for (const pass of passesOf(key)) pass.isForgotten = true
    },
  }
}

interface NoticingParts {
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
type Noticed = (
  key: string,
  happenings: readonly AccountEvent[],
  nextAt: Instant | undefined,
  clock?: ClockState,
) => void

/** Something done at an account's now, and what came of it. */
type Act = (account: Account, now: Instant) => readonly AccountEvent[]

/** What follows from what comes about: on any clock, and by itself on a live one. */
interface Noticing {
  readonly noticed: Noticed
  /** Does something to an account and notices what comes of it. */
  actOn(key: string, act: Act): Promise<void>
  forget(key: string): void
  stop(): void
}

const createNoticing = (parts: NoticingParts, passes: AdvanceSessions): Noticing => {
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
