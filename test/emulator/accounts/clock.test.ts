import { EventEmitter, once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type AdvanceResult, ClockScheduler } from '../../../src/emulator/accounts/clock.js'
import { openAccount } from '../../../src/emulator/core/account/account.js'
import { apply, nextDue } from '../../../src/emulator/core/account/apply.js'
import type { AccountEvent } from '../../../src/emulator/core/model/account.js'
import type { Task } from '../../../src/emulator/core/model/task.js'
import { type ClockMode, type ClockState, clockWith } from '../../../src/emulator/core/schedule/time.js'
import { settingsSchema } from '../../../src/emulator/settings.js'
import { fakedTimer } from '../../faked-timer.js'
import { openStore } from './open-store.js'

const KEY = 'key'

/** A clock that begins at 0, over a store of its own. */
const driving = (mode: ClockMode = 'paused', systemNow: () => number = () => 0) => {
  const opening: ClockState = { mode, speed: 1, now: 0, wall: systemNow() }
  const events = new EventEmitter<{ event: [event: AccountEvent & { readonly account: string }] }>()
  const store = openStore({
    open: (key) => openAccount(key, settingsSchema.parse({}), opening),
    systemNow,
    setTimer: fakedTimer,
    onEffects: (account, effects) => {
      clock.observe(account, effects.events)
      for (const event of effects.events) events.emit('event', { ...event, account })
    },
  })
  const inFlight = { latest: 0, isBusy: () => false, drained: async () => {}, drainedOrStuck: async () => {} }
  const clock = new ClockScheduler(store, inFlight, systemNow)
  onTestFinished(() => store.stop())
  return {
    clock,
    events,
    store,
    inFlight,
    now: (key = KEY) => store.read(key, (_, now) => now),
    put: (id: string, times: readonly [number, number], key = KEY) =>
      store.transact(key, (account) => apply(account, [{ putTask: taskAt(id, times) }])),
  }
}

const taskAt = (id: string, [runs, succeeds]: readonly [number, number]): Task => ({
  id,
  family: 'b-video-task',
  account: KEY,
  model: 'videoa-2-0-260128',
  requestId: 'request',
  createdAt: 0,
  params: {},
  timeline: [
    { at: 0, value: { state: 'queued' } },
    { at: runs, value: { state: 'running' } },
    { at: succeeds, value: { state: 'succeeded', media: [] } },
  ],
  price: 0,
})

const linesOf = ({ events }: AdvanceResult) => events.map(({ at, id, detail }) => `${at} ${id} ${detail}`)

test('passing to an instant lets everything happen that is due by it, in order', async () => {
  const { clock, put, now } = driving()
  await put('one', [10, 30])
  await put('two', [20, 40])
  expect(linesOf(await clock.advanceTo(KEY, 30))).toEqual([
    '10 one running',
    '20 two running',
    '30 one succeeded',
  ])
  expect(await now()).toBe(30)
})

test('a moment has not happened one millisecond before its time', async () => {
  const { clock, put, now } = driving()
  await put('one', [10, 30])
  expect((await clock.advanceTo(KEY, 9)).events).toEqual([])
  expect(await now()).toBe(9)
})

test('passing by a duration begins where the clock stands', async () => {
  const { clock, now } = driving()
  await clock.advanceBy(KEY, 10)
  await clock.advanceBy(KEY, 5)
  expect(await now()).toBe(15)
})

test('a clock does not go back', async () => {
  const { clock, now } = driving()
  await clock.advanceTo(KEY, 30)
  await clock.advanceTo(KEY, 10)
  expect(await now()).toBe(30)
})

test('passing to the next moment stops there', async () => {
  const { clock, put, now } = driving()
  await put('one', [10, 30])
  expect(linesOf(await clock.advanceToNext(KEY))).toEqual(['10 one running'])
  expect(await now()).toBe(10)
})

test('with nothing to come there is no next moment, and the clock stays', async () => {
  const { clock, now } = driving()
  expect((await clock.advanceToNext(KEY)).events).toEqual([])
  expect(await now()).toBe(0)
})

test('passing until idle ends at the last moment', async () => {
  const { clock, put, now, store } = driving()
  await put('one', [10, 30])
  await put('two', [20, 40])
  expect((await clock.advanceUntilIdle(KEY)).events).toHaveLength(4)
  expect(await now()).toBe(40)
  expect(await store.read(KEY, nextDue)).toBeUndefined()
})

test('passes of one account take turns: two by ten make twenty', async () => {
  const { clock, now } = driving()
  await Promise.all([clock.advanceBy(KEY, 10), clock.advanceBy(KEY, 10)])
  expect(await now()).toBe(20)
})

test('passes of different accounts leave each other alone', async () => {
  const { clock, put, now } = driving()
  await put('one', [10, 30], 'a')
  const [a, b] = await Promise.all([clock.advanceTo('a', 10), clock.advanceTo('b', 500)])
  expect([linesOf(a), linesOf(b)]).toEqual([['10 one running'], []])
  expect([await now('a'), await now('b')]).toEqual([10, 500])
})

test('listeners hear what happens, each once, with its account', async () => {
  const { clock, put, events } = driving()
  const received: string[] = []
  events.on('event', ({ account, id, detail }) => received.push(`${account} ${id} ${detail}`))
  await put('one', [10, 30])
  await clock.advanceUntilIdle(KEY)
  expect(received).toEqual([`${KEY} one running`, `${KEY} one succeeded`])
})

/** The time of the system stands until the test moves it with `vi.advanceTimersByTime`. */
const drivingOnSystemTime = (mode: ClockMode) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  return driving(mode, Date.now)
}

test('a live clock reaches its moments by itself', async () => {
  const { put, events, now } = drivingOnSystemTime('live')
  await put('one', [5, 1_000_000])
  const received: string[] = []
  events.on('event', ({ detail }) => received.push(detail))
  vi.advanceTimersByTime(4)
  expect([await now(), received]).toEqual([4, []])
  const reached = once(events, 'event')
  vi.advanceTimersByTime(1)
  await reached
  expect([await now(), received]).toEqual([5, ['running']])
})

test('a live clock that is moved forward is woken earlier', async () => {
  const { clock, put, events } = drivingOnSystemTime('live')
  await put('one', [500, 1_000_020])
  await clock.advanceTo(KEY, 1_000_000)
  const woken = once(events, 'event')
  vi.advanceTimersByTime(20)
  expect(await woken).toMatchObject([{ detail: 'succeeded' }])
})

test('a clock that is made live is woken for what was to come', async () => {
  const { put, events, store } = drivingOnSystemTime('paused')
  await put('one', [5, 1_000_000])
  const woken = once(events, 'event')
  await store.transact(KEY, (account) => {
    account.clock = clockWith(account.clock, { mode: 'live' }, Date.now())
  })
  vi.advanceTimersByTime(5)
  expect(await woken).toMatchObject([{ detail: 'running' }])
})

test('an advance that waits while its account is forgotten does not open it again', async () => {
  const { clock, store, inFlight, put } = driving()
  await put('one', [10, 30])
  inFlight.isBusy = () => true
  inFlight.drained = async () => {
    inFlight.isBusy = () => false
    clock.forget(KEY)
    await store.forget(KEY)
  }
  expect(linesOf(await clock.advanceTo(KEY, 20))).toEqual([])
  expect(await store.keys()).toEqual([])
})

test('an advance that moves while its account is forgotten does not open it again', async () => {
  const { clock, events, store, put } = driving()
  await put('one', [10, 30])
  events.once('event', () => {
    clock.forget(KEY)
    void store.forget(KEY)
  })
  expect(linesOf(await clock.advanceTo(KEY, 40))).toEqual(['10 one running'])
  expect(await store.keys()).toEqual([])
})

test('an advance whose account is forgotten after its last moment does not open it again', async () => {
  const { clock, store, put } = driving()
  await put('one', [10, 30])
  const { transact } = store
  store.transact = async (key, change) => {
    const result = await transact(key, change)
    if (result === false) {
      clock.forget(KEY)
      await store.forget(KEY)
    }
    return result
  }
  expect(linesOf(await clock.advanceTo(KEY, 40))).toEqual(['10 one running', '30 one succeeded'])
  expect(await store.keys()).toEqual([])
})

test('an advance lists the events that other calls cause meanwhile', async () => {
  const { clock, put } = driving()
  await put('one', [10, 30])
  const advancing = clock.advanceTo(KEY, 20)
  await put('two', [0, 40])
  expect(linesOf(await advancing)).toEqual(['0 two running', '10 one running'])
})

test('an advance keeps as many events as it is asked for, and counts them all', async () => {
  const { clock, put } = driving()
  await put('one', [10, 30])
  await put('two', [20, 40])
  const { events, totals } = await clock.advanceUntilIdle(KEY, 3)
  expect(events.map(({ at }) => at)).toEqual([10, 20, 30])
  expect(totals).toEqual({ task: 4, asset: 0, callback: 0 })
})

test('the events of an advance are those until it ended', async () => {
  const { clock, put } = driving()
  await put('one', [10, 30])
  const ended = await clock.advanceTo(KEY, 10)
  await clock.advanceTo(KEY, 30)
  expect(linesOf(ended)).toEqual(['10 one running'])
  expect(ended.totals.task).toBe(1)
})

/** Deliveries that are in flight from the beginning until `land` is called, the last of which is number 7. */
const inFlightUntil = ({ inFlight }: ReturnType<typeof driving>) => {
  const asked: string[] = []
  let busy = true
  let land = () => {}
  const landed = new Promise<void>((resolve) => {
    land = () => {
      busy = false
      resolve()
    }
  })
  const wait = (how: string) => () => {
    asked.push(how)
    return landed
  }
  const drained = (_: string, since: number) => wait(`since ${since}`)()
  const isBusy = (_: string, since: number) => busy && since < 7
  Object.assign(inFlight, { latest: 7, isBusy, drained, drainedOrStuck: wait('a short time') })
  return { land, asked, hasAsked: async () => until(() => asked.length > 0) }
}

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise(setImmediate)
}

test('an advance that begins while another waits for callbacks does not wait for the same ones', async () => {
  const driven = driving()
  const { clock, now } = driven
  const { land, asked, hasAsked } = inFlightUntil(driven)
  const first = clock.advanceTo(KEY, 10)
  await hasAsked()
  await clock.advanceTo(KEY, 20)
  expect([await now(), asked]).toEqual([20, ['since 0']])
  land()
  await first
})

test('an advance that begins while another moves waits for all callbacks', async () => {
  const driven = driving()
  const { clock, put, events, inFlight } = driven
  await put('one', [10, 30])
  const { land, hasAsked } = inFlightUntil(driven)
  const first = clock.advanceTo(KEY, 10)
  await hasAsked()
  const numbers: number[] = []
  let second: Promise<unknown> | undefined
  events.once('event', () => {
    inFlight.isBusy = (_?: string, since = -1) => {
      numbers.push(since)
      return false
    }
    second = clock.advanceTo(KEY, 20)
  })
  land()
  await first
  await second
  expect(new Set(numbers)).toEqual(new Set([0]))
})

test.each<[string, (clock: ReturnType<typeof driving>['clock']) => Promise<unknown>, readonly string[]]>([
  ['a like query', (clock) => clock.advanceOnPoll(KEY, 10, 'GET /one'), ['a short time']],
  ['another query', (clock) => clock.advanceOnPoll(KEY, 10, 'GET /two'), ['a short time', 'a short time']],
  ['an advance', (clock) => clock.advanceTo(KEY, 10), ['since 0']],
])('a query that begins while %s waits for callbacks', async (_, begin, waits) => {
  const driven = driving('on-poll')
  const { land, asked, hasAsked } = inFlightUntil(driven)
  const first = begin(driven.clock)
  await hasAsked()
  const second = driven.clock.advanceOnPoll(KEY, 20, 'GET /one')
  if (waits.length === 1) await second
  else await until(() => asked.length === 2)
  expect(asked).toEqual(waits)
  land()
  await Promise.all([first, second])
  expect(await driven.now()).toBe(20)
})

test('a query like one that moves waits for what is in flight', async () => {
  const driven = driving('on-poll')
  const { clock, put, events } = driven
  await put('one', [10, 30])
  const before = inFlightUntil(driven)
  const first = clock.advanceOnPoll(KEY, 10, 'GET /one')
  await before.hasAsked()
  before.land()
  let second: Promise<unknown> | undefined
  let after = before
  events.once('event', () => {
    after = inFlightUntil(driven)
    second = clock.advanceOnPoll(KEY, 10, 'GET /one')
  })
  await first
  await after.hasAsked()
  expect(after.asked).toEqual(['a short time'])
  after.land()
  await second
})

test('a query waits for nothing where nothing is in flight', async () => {
  const driven = driving('on-poll')
  const { land, asked } = inFlightUntil(driven)
  land()
  await driven.clock.advanceOnPoll(KEY, 10, 'GET /one')
  expect(asked).toEqual([])
})

test('an advance goes on from moment to moment after callbacks that were sent behind its last one', async () => {
  const { clock, put, events, store, inFlight } = driving()
  const seen: string[] = []
  let busy = false
  inFlight.isBusy = () => busy
  inFlight.drained = async () => {
    busy = false
    if (seen.push('callbacks') === 1) await put('one', [10, 30])
  }
  events.on('event', ({ detail }) => {
    busy = true
    seen.push(detail)
  })
  const { transact } = store
  store.transact = async (key, change) => {
    const result = await transact(key, change)
    if (result === false && seen.length === 0) busy = true
    return result
  }
  await clock.advanceTo(KEY, 40)
  expect(seen).toEqual(['callbacks', 'running', 'callbacks', 'succeeded', 'callbacks'])
})
