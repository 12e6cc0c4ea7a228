import { z } from 'zod'
import type { AdvanceResult } from '../../accounts/clock.js'
import { nextDue } from '../../core/account/apply.js'
import { ControlError } from '../../core/errors.js'
import type { Account } from '../../core/model/account.js'
import {
  clockAt,
  clockModes,
  clockWith,
  type Instant,
  isoOf,
  LAST_INSTANT,
  MAX_SPEED,
  parseDuration,
} from '../../core/schedule/time.js'
import { clockStart } from '../../core/settings.js'
import { suggest } from '../../core/suggest.js'
import { action, type ControlContext, namedObject, noInput } from '../action.js'
import { expiriesBetween, nextExpiryOf } from './results.js'

export const clockFields = () => ({
  now: z.string().describe('ISO time'),
  mode: z
    .enum(clockModes)
    .describe('`live` runs, `paused` is moved by hand, `on-poll` moves when a task is asked about'),
  speed: z.number().describe('how many times faster than real time a live clock runs'),
  next: z.string().nullable().describe('the time of the next moment; null: no moment is left'),
})

const clockRecord = namedObject('ClockReading', 'The clock of an account.', clockFields)

const eventRecord = namedObject('Happened', "Something that happened on an account's clock.", () => ({
  at: z.string().describe('ISO time, by the clock of the account'),
  kind: z.enum(['task', 'asset', 'callback']),
  id: z.string().describe('of the task, the asset (not its job) or the callback'),
  detail: z.string().describe('the new status: `running`, `succeeded`, `delivered`'),
}))

const advancedRecord = namedObject('Advanced', 'What moving a clock has caused.', () => ({
  now: z.string().describe('the time of the clock afterwards'),
  happened: z.array(eventRecord()).describe('the events of the advance, in order: the first `limit` of them'),
  totals: z
    .object({ task: z.number(), asset: z.number(), callback: z.number() })
    .describe('the number of events by kind'),
  ended: z
    .object({
      total: z.number(),
      urls: z
        .array(z.object({ task: z.string(), index: z.number().describe('from 0'), at: z.string() }))
        .describe('soonest first: the first `limit` of them'),
    })
    .describe('the result URLs that ended meanwhile'),
}))

/** ISO time or day, which exists: `Date.parse` reads 30 February as 2 March, and other notations as well. */
const isoTime = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()])

const advanceInput = z
  .strictObject({
    by: z
      .union([z.string(), z.number()], { error: 'a duration such as `10m`, or milliseconds' })
      .optional()
      .describe('a duration such as `10m`, or milliseconds'),
    to: z
      .string()
      .optional()
      .describe(
        '`next`, `idle`, `next-expiry` (the end of the next result URL) or an ISO time, in UTC where it has no offset',
      ),
    limit: z
      .int()
      .min(0)
      .default(1_000)
      .describe(
        'how many events `happened` lists at most, and URLs `ended`; `totals` and `total` count them all',
      ),
  })
  .refine(({ by, to }) => (by === undefined) !== (to === undefined), {
    error: 'an object with by or to, not with both',
  })

export const clockActions = {
  'clock.read': action({
    route: { method: 'GET', path: '/clock' },
    summary: "The account's clock",
    input: noInput,
    output: clockRecord,
    run: ({ store }, key) => store.read(key, clockReading),
  }),
  'clock.change': action({
    route: { method: 'PUT', path: '/clock' },
    summary:
      'Change the mode or the speed of the clock, or say where it begins on an account that has not been called yet',
    input: z.strictObject({
      mode: z.enum(clockModes).optional(),
      speed: z
        .number()
        .positive()
        .max(MAX_SPEED)
        .optional()
        .describe('how many times faster than real time a live clock runs'),
      now: clockStart
        .optional()
        .describe(
          'the time at which the clock begins; 409 `clock-has-run` on an account that has been called',
        ),
    }),
    example: { mode: 'paused' },
    output: clockRecord,
    run: async ({ store, systemNow }, key, { mode, speed, now }) => {
      await store.transact(key, (account) => {
        if (now !== undefined) beginAt(account, Date.parse(now), systemNow())
        const change = { ...(mode === undefined ? {} : { mode }), ...(speed === undefined ? {} : { speed }) }
        account.clock = clockWith(account.clock, change, systemNow())
      })
      return store.read(key, clockReading)
    },
  }),
  'clock.advance': action({
    route: { method: 'POST', path: '/clock/advance' },
    summary:
      'Move the clock by a duration, to the next moment, until nothing is left to happen, to the end of the next result URL, or to a time; answers when everything due has happened, callbacks included',
    input: advanceInput,
    example: { by: '10m' },
    output: advancedRecord,
    // A clock that runs is not at the same place in a replay.
    recordedAs: ({ now }) => ({ at: Date.parse(now), input: { to: now } }),
    run: async (context, key, input) => {
      const { journals, store } = context
      const before = await store.read(key, (_, now) => now)
      const initialState = journals.initialStateOf(key)
      const { events, totals } = await advance(context, key, input)
      // Reading an account that was reset meanwhile would open it again.
      const isForgotten = journals.hasBegunAnew(key, initialState)
      const now = isForgotten ? (events.at(-1)?.at ?? before) : await store.read(key, (_, now) => now)
      const happened = events.map(({ at, kind, id, detail }) => ({ at: isoOf(at), kind, id, detail }))
      const ended =
        isForgotten || now === before
          ? []
          : await store.read(key, (account) => expiriesBetween(context, account, before, now))
      const urls = ended.slice(0, input.limit).map(({ at, ...url }) => ({ ...url, at: isoOf(at) }))
      return { now: isoOf(now), happened, totals: { ...totals }, ended: { total: ended.length, urls } }
    },
  }),
}

export const clockReading = (account: Account, now: Instant) => {
  const { mode, speed } = account.clock
  const next = nextDue(account)
  return { now: isoOf(now), mode, speed, next: next === undefined ? null : isoOf(next) }
}

const beginAt = (account: Account, now: Instant, systemNow: Instant): void => {
  if (account.requests > 0 || account.sequence > 0)
    throw new ControlError(409, 'clock-has-run', {
      message:
        'The clock of this account cannot be put to another time: the account has been called already.',
      hint: 'Advance the clock, or reset the account first.',
    })
  account.clock = clockAt(account.clock, now, systemNow)
  account.playing = account.playing.map((run) => ({ ...run, since: now }))
}

const advance = async (
  context: ControlContext,
  key: string,
  { by, to, limit }: z.output<typeof advanceInput>,
): Promise<AdvanceResult> => {
  const { clock, store } = context
  if (to === 'next') return clock.advanceToNext(key, limit)
  if (to === 'idle') return clock.advanceUntilIdle(key, limit)
  const now = await store.read(key, (_, now) => now)
  if (to === 'next-expiry') {
    const at = await store.read(key, (account) => nextExpiryOf(context, account, now))
    return clock.advanceTo(key, at ?? now, limit)
  }
  const target = to === undefined ? now + durationIn(by as string | number) : timeIn(to)
  if (target < now)
    throw new ControlError(409, 'time-runs-forward', {
      message: `The clock says ${isoOf(now)}, which is after ${isoOf(target)}.`,
      hint: 'A clock can only be moved forward; reset the account to begin again.',
    })
  if (target > Math.max(now, LAST_INSTANT))
    throw new ControlError(400, 'time-ends', {
      message: `Clocks go to ${isoOf(LAST_INSTANT)}, and this one says ${isoOf(now)}.`,
      hint: 'Advance by less, or reset the account to begin again.',
    })
  return to === undefined ? clock.advanceBy(key, target - now, limit) : clock.advanceTo(key, target, limit)
}

const PLACES = ['next', 'idle', 'next-expiry']

const durationIn = (by: string | number): number => {
  if (PLACES.includes(String(by)) || isoTime.safeParse(by).success)
    throw new ControlError(400, 'bad-duration', {
      message: `by must be a duration, found ${JSON.stringify(by)}.`,
      hint: `A place to move to is given as { to: '${by}' }.`,
    })
  return parseDuration(by, 'by')
}

const timeIn = (to: string): Instant => {
  // Date.parse takes a time without an offset for one of the machine's time zone.
  if (isoTime.safeParse(to).success) return Date.parse(/T[\d:.]+$/.test(to) ? `${to}Z` : to)
  const meant = suggest(to, PLACES)
  throw new ControlError(400, 'bad-time', {
    message: `to must be next, idle, next-expiry or an ISO time, found ${JSON.stringify(to)}.`,
    hint: meant === undefined ? 'A time is written as 2026-01-31T12:00:00Z.' : `Did you mean ${meant}?`,
  })
}
