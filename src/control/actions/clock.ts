import { z } from 'zod'
import { ControlError } from '../../core/control-error.js'
import type { Account } from '../../core/model/account.js'
import {
  clockAt,
  clockModes,
  clockWith,
  LAST_INSTANT,
  MOST_SPEED,
  readClock,
} from '../../core/schedule/clock.js'
import { parseDuration } from '../../core/schedule/duration.js'
import { isoOf } from '../../core/schedule/iso.js'
import { type AccountEvent, nextDue } from '../../core/schedule/run-due.js'
import type { Instant } from '../../core/schedule/timeline.js'
import { action, type ControlContext } from '../action.js'
import { validateFilters } from '../rules.js'
import { checkCondition, waitInput, waitUntil } from '../wait.js'

const nothing = z.strictObject({})

/** The account's clock: `now` and `next` (the next moment of anything, null when nothing is to come) in ISO form. */
export const readClockAction = action({
  route: { method: 'GET', path: '/clock' },
  input: nothing,
  run: async (emulator, key) => clockShown(emulator, key),
})

const clockShown = ({ store, wall }: ControlContext, key: string) =>
  store.run(key, (account) => {
    const next = nextDue(account)
    return {
      now: isoOf(readClock(account.clock, wall())),
      mode: account.clock.mode,
      speed: account.clock.speed,
      next: next === undefined ? null : isoOf(next),
    }
  })

/** `now` says where the clock of an account begins on which nothing has happened yet. */
export const changeClock = action({
  route: { method: 'PUT', path: '/clock' },
  input: z.strictObject({
    mode: z.enum(clockModes).optional(),
    speed: z.number().positive().max(MOST_SPEED).optional(),
    now: z.iso.datetime({ offset: true, error: 'a time such as 2026-01-01T00:00:00Z' }).optional(),
  }),
  run: async (emulator, key, { mode, speed, now }) => {
    await emulator.store.run(key, (account) => {
      if (now !== undefined) beginAt(account, Date.parse(now), emulator.wall())
      const change = { ...(mode === undefined ? {} : { mode }), ...(speed === undefined ? {} : { speed }) }
      account.clock = clockWith(account.clock, change, emulator.wall())
      emulator.clock.noticed(key, [], nextDue(account))
    })
    return clockShown(emulator, key)
  },
})

const beginAt = (account: Account, now: Instant, wall: Instant): void => {
  if (account.requests > 0 || account.ordinal > 0)
    throw new ControlError(
      409,
      'clock-has-run',
      'The clock of this account cannot be put to another time: the account has been called already.',
      'Advance the clock, or reset the account first.',
    )
  account.clock = clockAt(account.clock, now, wall)
  account.playing = account.playing.map((playing) => ({ ...playing, since: now }))
}

/** `by` a duration, or `to` the next moment, until idle, or to a time. */
const advanceInput = z
  .strictObject({ by: z.union([z.string(), z.number()]).optional(), to: z.string().optional() })
  .refine(({ by, to }) => (by === undefined) !== (to === undefined), { error: 'either by or to, not both' })
type AdvanceInput = z.output<typeof advanceInput>

/** Moves the clock; when it answers, everything due has happened, callbacks included. */
export const advanceClock = action({
  route: { method: 'POST', path: '/clock/advance' },
  input: advanceInput,
  run: async (emulator, key, input) => {
    const happened = await advance(emulator, key, input)
    return { now: (await clockShown(emulator, key)).now, happened: happened.map(shownHappening) }
  },
})

const advance = async (
  emulator: ControlContext,
  key: string,
  { by, to }: AdvanceInput,
): Promise<AccountEvent[]> => {
  if (to === 'next') return emulator.clock.advanceToNext(key)
  if (to === 'idle') return emulator.clock.advanceUntilIdle(key)
  const now = await emulator.store.run(key, (account) => readClock(account.clock, emulator.wall()))
  const ms = to === undefined ? parseDuration(by as string | number) : 0
  const target = to === undefined ? now + ms : Date.parse(to)
  if (Number.isNaN(target))
    throw new ControlError(
      400,
      'bad-time',
      `Expected next, idle or an ISO time, found ${JSON.stringify(to)}.`,
    )
  if (target < now)
    throw new ControlError(
      409,
      'time-runs-forward',
      `The clock says ${isoOf(now)}, which is after ${isoOf(target)}.`,
      'A clock can only be moved forward; reset the account to begin again.',
    )
  if (target > Math.max(now, LAST_INSTANT))
    throw new ControlError(
      400,
      'time-ends',
      `Clocks go to ${isoOf(LAST_INSTANT)}, and this one says ${isoOf(now)}.`,
      'Advance by less, or reset the account to begin again.',
    )
  return to === undefined ? emulator.clock.advanceBy(key, ms) : emulator.clock.advanceTo(key, target)
}

const shownHappening = ({ at, kind, id, detail }: AccountEvent) => ({ at: isoOf(at), kind, id, detail })

/** Answers as soon as it has happened, or with 408 and what there is when it has not within the timeout (of real time). */
export const wait = action({
  route: { method: 'GET', path: '/wait' },
  input: waitInput,
  run: async (emulator, key, input) => {
    if (input.for === 'request') await validateFilters(emulator, input)
    const leave = emulator.waiting.enter()
    if (leave === undefined) throw tooManyWait(emulator.settings.waitsAtOnce)
    try {
      return await waitUntil(
        emulator,
        key,
        () => checkCondition(emulator, key, input),
        parseDuration(input.timeout),
      )
    } finally {
      leave()
    }
  },
})

const tooManyWait = (most: number): ControlError =>
  new ControlError(
    429,
    'too-many-waits',
    `${most} calls wait already, and the setting waitsAtOnce is ${most}.`,
    'Wait for fewer things at a time, or raise the setting.',
  )
